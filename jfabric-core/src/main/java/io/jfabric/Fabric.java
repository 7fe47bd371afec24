// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.fi_info;
import io.jfabric.bindings.fid_fabric;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.Exports;
import io.jfabric.ffi.FabricOps;
import io.jfabric.ffi.Memory;
import io.jfabric.ffi.NativeLibrary;
import io.jfabric.ffi.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The front door of libfabric, and an open fabric: a network that a provider reaches (fi_fabric(3)).
 *
 * <p>The static methods ask what there is. {@link #getInfo(Hints)} finds providers, {@link #open} opens a network,
 * {@link #openDomain} a device on it. Thread-safe.
 */
public final class Fabric extends FabricObject {
    private final String provider;
    private final PendingJoins joins = new PendingJoins();
    private final LeakReport.Tracker tracker;
    private final ConnectionRequests connectionRequests = new ConnectionRequests(this);

    private Fabric(long handle, String provider) {
        super(null, handle);
        this.provider = provider;
        this.tracker = LeakReport.track(this, "Fabric");
    }

    /**
     * Tells whether a usable libfabric could be loaded. Loads it at the first call.
     *
     * @return false if nothing else here will work; {@link #unavailabilityCause()} then says why
     */
    public static boolean isAvailable() {
        return NativeLibrary.unavailabilityCause() == null;
    }

    /**
     * Why libfabric could not be loaded: every path tried with its reason, and what to install.
     *
     * @return the error that every use of libfabric throws; empty if libfabric is available
     */
    public static Optional<UnsatisfiedLinkError> unavailabilityCause() {
        return Optional.ofNullable(NativeLibrary.unavailabilityCause());
    }

    /**
     * The release of the loaded libfabric ({@code fi_version}).
     *
     * @return such as 2.1
     */
    public static Version version() {
        return NativeLibrary.version();
    }

    /**
     * The release of the loaded libfabric as it is written in full ({@code fi_tostr} of {@code FI_TYPE_VERSION}).
     *
     * @return such as {@code 2.1.0}
     */
    public static String versionText() {
        return NativeText.version();
    }

    /**
     * The API version that jfabric asks libfabric for: the older of the loaded release and the one jfabric was
     * generated from.
     *
     * @return such as 1.17
     */
    public static Version apiVersion() {
        return NativeLibrary.apiVersion();
    }

    /**
     * The library that was loaded.
     *
     * @return the path, or the bare name if the loader found it
     */
    public static String libraryPath() {
        return NativeLibrary.path();
    }

    /**
     * Finds ways to reach the network ({@code fi_getinfo}).
     *
     * @param hints what is asked for; null for everything there is
     * @return the matches, best first; to be closed
     * @throws FabricException {@code FI_ENODATA} if nothing matches; the message says which hint is to blame
     */
    public static FabricInfoList getInfo(Hints hints) {
        return getInfo(null, null, Set.of(), hints);
    }

    /**
     * Finds ways to reach a peer, or to be reached ({@code fi_getinfo}).
     *
     * @param node host name or address of the peer, with {@link GetInfoFlag#SOURCE} of this side; null for any
     * @param service port or service name; null for any
     * @param flags how to read the other arguments
     * @param hints what is asked for; null for everything there is
     * @return the matches, best first; to be closed
     * @throws FabricException {@code FI_ENODATA} if nothing matches or the node is unknown; the message says which
     *     hint is to blame
     */
    public static FabricInfoList getInfo(String node, String service, Set<GetInfoFlag> flags, Hints hints) {
        return InfoQuery.of(node, service, flags, hints).run();
    }

    /**
     * Like {@link #getInfo(String, String, Set, Hints)}, for those to whom no match is an answer and not an error.
     * Faster then: nothing is asked again to find out why.
     *
     * @param node host name or address of the peer, with {@link GetInfoFlag#SOURCE} of this side; null for any
     * @param service port or service name; null for any
     * @param flags how to read the other arguments
     * @param hints what is asked for; null for everything there is
     * @return the matches, best first, to be closed; empty for {@code FI_ENODATA}
     * @throws FabricException for every other error
     */
    public static Optional<FabricInfoList> findInfo(String node, String service, Set<GetInfoFlag> flags, Hints hints) {
        return InfoQuery.of(node, service, flags, hints).find();
    }

    /**
     * Why hints match nothing: asks again with each hint dropped in turn.
     *
     * @param hints the hints
     * @return one line for people, also if something matches
     */
    public static String explain(Hints hints) {
        InfoQuery query = InfoQuery.of(null, null, Set.of(), Objects.requireNonNull(hints, "hints"));
        return query.matches() ? "there is a match" : new NoMatch(query).explain();
    }

    /**
     * The providers in the loaded libfabric ({@code FI_PROV_ATTR_ONLY}), also those that find no device here.
     *
     * @return name and version of each
     */
    public static List<Provider> providers() {
        try (FabricInfoList all = getInfo(null, null, Set.of(GetInfoFlag.PROV_ATTR_ONLY), null)) {
            return all.stream().map(i -> new Provider(i.provider(), i.fabric().providerVersion())).toList();
        }
    }

    /**
     * The run-time parameters of libfabric and its providers ({@code fi_getparams}).
     *
     * @return name, type, help and value of each
     */
    public static List<Parameter> parameters() {
        return Parameters.read();
    }

    /**
     * Sets a run-time parameter of libfabric's, as an environment variable would. Works before libfabric is first
     * asked for anything, when it reads them all.
     *
     * @param name such as {@code FI_PROVIDER}
     * @param value the value; null to unset it
     * @throws IllegalStateException if libfabric has read its parameters already
     */
    public static void setParameter(String name, String value) {
        Parameters.set(Objects.requireNonNull(name, "name"), value);
    }

    /**
     * Opens the fabric of an info ({@code fi_fabric}).
     *
     * @param info what {@link #getInfo} found; not needed afterwards
     * @return the fabric, to be closed
     */
    public static Fabric open(FabricInfo info) {
        return open(info, 0);
    }

    /**
     * Opens the fabric of an info with flags of the provider's ({@code fi_fabric2}).
     *
     * @param info what {@link #getInfo} found; not needed afterwards
     * @param flags as the provider documents them; 0 for none
     * @return the fabric, to be closed
     * @throws FabricException {@code FI_ENOSYS} if there are flags and libfabric is older than 2.0
     */
    public static Fabric open(FabricInfo info, long flags) {
        long attributes = Memory.getLong(info.address() + fi_info.fabric_attr$offset());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            if (flags == 0) {
                check("fi_fabric", Exports.fabric(attributes, result.address(), 0), "provider " + info.provider());
            } else {
                check("fi_fabric2", Exports.fabric2(info.address(), result.address(), flags, 0),
                        "flags need libfabric 2.0 or newer, and provider " + info.provider() + " to know them");
            }
            return new Fabric(result.get(ValueLayout.JAVA_LONG, 0), info.provider());
        }
    }

    /**
     * Opens a device of this fabric ({@code fi_domain}).
     *
     * @param info what {@link #getInfo} found; not needed afterwards
     * @return the domain
     */
    public Domain openDomain(FabricInfo info) {
        return openDomain(info, 0);
    }

    /**
     * Opens a device of this fabric with flags of the provider's ({@code fi_domain2}).
     *
     * @param info what {@link #getInfo} found; not needed afterwards
     * @param flags as the provider documents them; 0 for none
     * @return the domain
     * @throws FabricException {@code FI_ENOSYS} if there are flags and the provider knows none
     */
    public Domain openDomain(FabricInfo info, long flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check(flags == 0 ? "fi_domain" : "fi_domain2", flags == 0
                    ? FabricOps.domain(handle(), info.address(), result.address(), 0)
                    : FabricOps.domain2(handle(), info.address(), result.address(), flags, 0),
                    "provider " + info.provider() + ", domain " + info.domain().name());
            return new Domain(this, result.get(ValueLayout.JAVA_LONG, 0), info);
        }
    }

    /**
     * Opens a queue for control events with the provider's default size, for polling and blocking reads.
     *
     * @return the queue
     */
    public EventQueue openEventQueue() {
        return openEventQueue(EventQueueAttributes.DEFAULT);
    }

    /**
     * Opens a queue for control events ({@code fi_eq_open}).
     *
     * @param attributes size and wait object
     * @return the queue
     */
    public EventQueue openEventQueue(EventQueueAttributes attributes) {
        return EventQueue.open(this, Objects.requireNonNull(attributes, "attributes"), 0);
    }

    /**
     * Opens a queue for control events that threads wait for by a wait set ({@code FI_WAIT_SET}).
     *
     * @param attributes size; the wait object is the set
     * @param set of this fabric
     * @return the queue
     * @deprecated as wait sets in libfabric
     */
    @Deprecated
    public EventQueue openEventQueue(EventQueueAttributes attributes, WaitSet set) {
        Objects.requireNonNull(set, "fi_eq_open: the wait set is null");
        return EventQueue.open(this, Objects.requireNonNull(attributes, "attributes"), set.handle());
    }

    /**
     * Opens a wait set ({@code fi_wait_open}).
     *
     * @param object how threads wait, such as {@link WaitObject#UNSPEC}
     * @return the wait set
     * @deprecated as in libfabric
     */
    @Deprecated
    public WaitSet openWaitSet(WaitObject object) {
        return WaitSet.open(this, Objects.requireNonNull(object, "object"));
    }

    /**
     * Tells whether a thread may now block on the file descriptors of these objects ({@code fi_trywait}). Allocates.
     *
     * @param objects queues, counters and wait sets of this fabric that have file descriptors
     * @return false if one of them has something to read: read it until there is nothing, then ask again
     */
    public boolean tryWait(Waitable... objects) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fids = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, objects.length));
            for (int i = 0; i < objects.length; i++) {
                Objects.requireNonNull(objects[i], "fi_trywait: an object is null");
                if (objects[i].requestedWaitObject() == WaitObject.NONE) {
                    throw new IllegalArgumentException("fi_trywait: the " + WaitObjects.object(objects[i]).kind()
                            + " was opened without a wait object; open it with WaitObject.FD");
                }
                fids.setAtIndex(ValueLayout.JAVA_LONG, i, WaitObjects.object(objects[i]).handle());
            }
            int result = FabricOps.trywait(handle(), fids.address(), objects.length);
            if (result == -Errno.EAGAIN) {
                return false;
            }
            check("fi_trywait", result, null);
            return true;
        }
    }

    /**
     * Opens an endpoint that listens for connections ({@code fi_passive_ep}).
     *
     * @param info a result of type {@link io.jfabric.info.EndpointType#MSG}, asked for with
     *     {@link GetInfoFlag#SOURCE} to listen at a certain address; not needed afterwards
     * @return the endpoint
     */
    public PassiveEndpoint openPassiveEndpoint(FabricInfo info) {
        return PassiveEndpoint.open(this, info);
    }

    ConnectionRequests connectionRequests() {
        return connectionRequests;
    }

    /**
     * The provider's name.
     *
     * @return such as {@code tcp;ofi_rxm}
     */
    public String provider() {
        return provider;
    }

    /**
     * The API version this fabric was opened with ({@code fid_fabric.api_version}).
     *
     * @return the version
     */
    public Version openedApiVersion() {
        return Version.ofCode(Memory.getInt(handle() + fid_fabric.api_version$offset()));
    }

    PendingJoins joins() {
        return joins;
    }

    @Override
    String kind() {
        return "fabric";
    }

    @Override
    void closed() {
        tracker.closed();
    }
}
