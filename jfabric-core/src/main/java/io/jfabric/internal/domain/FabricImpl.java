// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.domain;

import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.OpenObject;
import io.jfabric.Waitable;
import io.jfabric.bindings.fi_info;
import io.jfabric.bindings.fid;
import io.jfabric.bindings.fid_fabric;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.Parameter;
import io.jfabric.info.Progress;
import io.jfabric.info.Provider;
import io.jfabric.info.Threading;
import io.jfabric.info.Version;
import io.jfabric.internal.connect.EventQueueImpl;
import io.jfabric.internal.connect.FabricState;
import io.jfabric.internal.connect.PassiveEndpointImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.FabricInfoListImpl;
import io.jfabric.internal.info.HintsImpl;
import io.jfabric.internal.info.InfoQuery;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.info.NoMatch;
import io.jfabric.internal.info.Parameters;
import io.jfabric.internal.library.Exports;
import io.jfabric.internal.library.NativeLibrary;
import io.jfabric.internal.library.NativeText;
import io.jfabric.internal.library.Release;
import io.jfabric.internal.life.Facade;
import io.jfabric.internal.life.Family;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Leaks;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.ops.FabricOps;
import io.jfabric.internal.queue.Idle;
import io.jfabric.internal.queue.WaitObjects;
import io.jfabric.internal.quirk.ProviderLinks;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.EventQueueAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** {@link Fabric}. */
public final class FabricImpl extends FidObject implements Fabric {
    /** The context of fabrics, which one that nobody initialised lacks: anything but 0. */
    private static final long MADE = 1;
    /** The result of an fi_trywait that the provider was not asked. */
    private static final int UNTRIED = 1;

    private final FabricState state;
    /** The name of the first domain that was asked for; null before. */
    private final AtomicReference<String> firstDomain = new AtomicReference<>();

    private FabricImpl(long handle, String provider, String name) {
        // endpoints of one process use each other's memory: closing one is about all of them
        super(Quirks.of(provider).has(Quirk.PEERS_IN_PROCESS) ? Family.ofProcess() : Family.ofFabric(), handle);
        this.state = new FabricState(this, provider, name);
    }

    /** What the objects of this fabric share. */
    public FabricState state() {
        return state;
    }

    public static boolean isAvailable() {
        return NativeLibrary.unavailabilityCause() == null;
    }

    public static Optional<UnsatisfiedLinkError> unavailabilityCause() {
        return Optional.ofNullable(NativeLibrary.unavailabilityCause());
    }

    public static String jfabricVersion() {
        return Release.text();
    }

    public static Version version() {
        return Version.ofCode(NativeLibrary.version());
    }

    public static String versionText() {
        return NativeText.version();
    }

    public static Version apiVersion() {
        return Version.ofCode(NativeLibrary.apiVersion());
    }

    public static String libraryPath() {
        return NativeLibrary.path();
    }

    public static FabricInfoListImpl getInfo(Hints hints) {
        return getInfo(null, null, Set.of(), hints);
    }

    public static FabricInfoListImpl getInfo(String node, String service, Set<GetInfoFlag> flags, Hints hints) {
        return InfoQuery.of(node, service, flags, (HintsImpl) hints).run();
    }

    public static Optional<FabricInfoList> findInfo(String node, String service, Set<GetInfoFlag> flags,
            Hints hints) {
        return InfoQuery.of(node, service, flags, (HintsImpl) hints).find();
    }

    public static String explain(Hints hints) {
        InfoQuery query = InfoQuery.of(null, null, Set.of(), (HintsImpl) Objects.requireNonNull(hints, "hints"));
        return query.matches() ? "there is a match" : new NoMatch(query).explain();
    }

    public static List<Provider> providers() {
        return InfoQuery.providers();
    }

    public static List<Parameter> parameters() {
        return Parameters.read();
    }

    public static void setParameter(String name, String value) {
        Parameters.set(Objects.requireNonNull(name, "name"), value);
    }

    public static List<OpenObject> openObjects() {
        return Leaks.open();
    }

    public static FabricImpl open(FabricInfo info) {
        return open(info, 0);
    }

    public static FabricImpl open(FabricInfo info, long flags) {
        FabricInfoImpl infoImpl = (FabricInfoImpl) Objects.requireNonNull(info, "fi_fabric: the info is null");
        // what is checked is what is opened, whoever changes the info meanwhile
        try (FabricInfoImpl copy = infoImpl.duplicate(); Arena arena = Arena.ofConfined()) {
            copy.requireProvider("fi_fabric");
            copy.quirks().requireNoHook(Quirk.HOOK_TAKES_CONTEXTS, "fi_fabric");
            if (copy.quirks().has(Quirk.KEEPS_LENT_INFOS)) {
                Known.require("fi_fabric", "provider " + copy.provider(),
                        Version.ofCode(Quirk.KEEPS_LENT_INFOS.row().releases().end()));
            }
            copy.quirks().prepare(copy.endpoint().type());
            long attributes = Memory.getLong(copy.address() + fi_info.fabric_attr$offset());
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            if (flags == 0) {
                check("fi_fabric", Exports.fabric(attributes, result.address(), MADE),
                        "provider " + copy.provider());
            } else {
                check("fi_fabric2", Exports.fabric2(copy.address(), result.address(), flags, MADE),
                        "flags need libfabric 2.0 or newer, and provider " + copy.provider() + " to know them");
            }
            checkMade(result.get(ValueLayout.JAVA_LONG, 0), copy);
            return Opening.of(result.get(ValueLayout.JAVA_LONG, 0), fabric ->
                    new FabricImpl(fabric, copy.provider(), copy.fabric().name().orElse(null)));
        }
    }

    /** A fabric that nobody initialised lacks its context, and cannot even be closed. */
    private static void checkMade(long fabric, FabricInfoImpl info) {
        if (info.quirks().has(Quirk.FABRIC_WITHOUT_DEVICE)
                && Memory.getLong(fabric + fid.context$offset()) != MADE) {
            throw FabricException.of("fi_fabric", Errno.ENODATA, "provider " + info.provider() + " has no device here");
        }
    }

    @Override
    public DomainImpl openDomain(FabricInfo info) {
        return openDomain(info, 0);
    }

    @Override
    public DomainImpl openDomain(FabricInfo info, long flags) {
        FabricInfoImpl infoImpl = (FabricInfoImpl) info;
        try (FabricInfoImpl copy = Objects.requireNonNull(infoImpl, "fi_domain: the info is null").duplicate()) {
            copy.requireOffered("fi_domain");
            copy.requireOf("fi_domain", state.provider(), state.name());
            if (copy.domain().name().isEmpty()) {
                // providers copy the name without a check
                throw new IllegalArgumentException("fi_domain: the info names no domain; take one that getInfo found");
            }
            String name = copy.domain().name().get();
            ProviderLinks.checkNumber(name, state.quirks());
            boolean isFirst = claim(name);
            try {
                return openChecked(copy, flags);
            } catch (FabricException failed) {
                if (isFirst && failed.error() == FabricError.ENODATA) {
                    // there is no such domain
                    firstDomain.compareAndSet(name, null);
                }
                throw failed;
            }
        }
    }

    /** Notes the domain, even if it fails to open: what is below is looked up by then. Whether it is the first. */
    private boolean claim(String domain) {
        if (!state.quirks().has(Quirk.FIRST_DOMAIN_DECIDES)) {
            return false;
        }
        String first = firstDomain.compareAndExchange(null, domain);
        if (first != null && !first.equals(domain)) {
            throw new IllegalArgumentException("fi_domain: the info is for domain " + domain + ", but in this fabric "
                    + "provider " + state.provider() + " makes all domains of what the first one, " + first
                    + ", is made of: open another Fabric");
        }
        return first == null;
    }

    private DomainImpl openChecked(FabricInfoImpl info, long flags) {
        return info.opening("domain", copy -> {
            chooseLocks(copy);
            long address = copy.address();
            return state.open(flags == 0 ? "fi_domain" : "fi_domain2", (f, result) -> flags == 0
                    ? FabricOps.domain(f, address, result, 0) : FabricOps.domain2(f, address, result, flags, 0),
                    domain -> new DomainImpl(this, domain, copy), "domain " + copy.domain().name().orElse(""));
        });
    }

    private static void chooseLocks(FabricInfoImpl info) {
        Quirks quirks = info.quirks();
        boolean isShell = quirks.has(Quirk.NO_PROGRESS_WITHOUT_ENDPOINT)
                && info.domain().threading() == Threading.COMPLETION && info.endpoint().type() == EndpointType.RDM;
        if (quirks.makesProgressAnyway()) {
            info.domain().dataProgress(Progress.AUTO);
        }
        if (isShell || quirks.has(Quirk.PROGRESS_OF_DOMAIN) && info.domain().dataProgress() == Progress.AUTO) {
            info.domain().threading(Threading.SAFE);
        }
    }

    @Override
    public FabricInfoList offers(Hints hints) {
        return call(fabric -> InfoQuery.of(null, null, Set.of(), (HintsImpl) hints).inFabric(fabric).run());
    }

    @Override
    public EventQueueImpl openEventQueue() {
        return openEventQueue(EventQueueAttributes.DEFAULT);
    }

    @Override
    public EventQueueImpl openEventQueue(EventQueueAttributes attributes) {
        return EventQueueImpl.open(state,
                Objects.requireNonNull(attributes, "fi_eq_open: the attributes are null"), null);
    }

    @Override
    public boolean tryWait(Waitable... given) {
        Waitable[] objects = Objects.requireNonNull(given, "fi_trywait: the objects are null").clone();
        for (Waitable object : objects) {
            checkRelated("fi_trywait",
                    Facade.unwrap(Objects.requireNonNull(object, "fi_trywait: an object is null")));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fids = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, objects.length));
            int result = call(fabric -> {
                // in here, where no endpoint is closed meanwhile
                if (!WaitObjects.canBeTried(state.quirks(), objects) || mayHoldEvents(objects)) {
                    return UNTRIED;
                }
                for (int i = 0; i < objects.length; i++) {
                    fids.setAtIndex(ValueLayout.JAVA_LONG, i, Facade.unwrap(objects[i]).fid());
                }
                return FabricOps.trywait(fabric, fids.address(), objects.length);
            });
            if (result == UNTRIED) {
                Idle.rest();
            }
            if (result == UNTRIED || result == -Errno.EAGAIN) {
                return false;
            }
            check("fi_trywait", result, null);
            return true;
        }
    }

    private boolean mayHoldEvents(Waitable... objects) {
        return state.quirks().has(Quirk.EVENT_ERRORS_WITHOUT_SIGNAL) && Stream.of(objects)
                .anyMatch(object -> Facade.unwrap(object) instanceof EventQueueImpl queue && queue.mayHoldEvents());
    }

    @Override
    public PassiveEndpointImpl openPassiveEndpoint(FabricInfo info) {
        fid();
        FabricInfoImpl infoImpl = (FabricInfoImpl) info;
        try (FabricInfoImpl copy = Objects.requireNonNull(infoImpl, "fi_passive_ep: the info is null").duplicate()) {
            copy.requireOffered("fi_passive_ep");
            copy.requireOf("fi_passive_ep", state.provider(), state.name());
            EndpointType type = copy.endpoint().type();
            if (type == EndpointType.RDM || type == EndpointType.DGRAM) {
                // a provider may open it; the first datagram or message that an endpoint sends there then crashes
                throw new IllegalArgumentException("fi_passive_ep: endpoints of type " + type + " do not connect; ask "
                        + "for EndpointType.MSG");
            }
            return PassiveEndpointImpl.open(state, copy);
        }
    }

    @Override
    public String provider() {
        return state.provider();
    }

    @Override
    public Version openedApiVersion() {
        return Version.ofCode(call(fabric -> Memory.getInt(fabric + fid_fabric.api_version$offset())));
    }

    @Override
    public String kind() {
        return "fabric";
    }

}
