// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import io.jfabric.Domain;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.info.Threading;
import io.jfabric.internal.context.Activity;
import io.jfabric.internal.context.ContextRegistry;
import io.jfabric.internal.context.LateAccess;
import io.jfabric.internal.context.OpenArenas;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.life.Exclusive;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** What the objects of a domain share: its info, the contexts of operations, registrations, keys. */
public final class DomainState {
    /** The modes that the oldest one stands for. */
    private static final Set<MrMode> BASIC =
            EnumSet.of(MrMode.LOCAL, MrMode.VIRT_ADDR, MrMode.ALLOCATED, MrMode.PROV_KEY);
    private static final Set<Threading> ALL_THREADS = EnumSet.of(Threading.SAFE, Threading.UNSPEC);

    private final Domain domain;
    private final FidObject object;
    private final FabricInfoImpl info;
    private final String provider;
    // asked at every registration, so not read from the info each time
    private final Flags<MrMode> mrMode;
    private final boolean registersLocally;
    private final boolean describesDeviceMemory;
    private final ContextRegistry contexts;
    private final LocalRegions localRegions;
    private final Activity activity = new Activity();
    private final OpenArenas arenas = new OpenArenas();
    private final LocalRegion.InUse ownRegions;
    private final RemoteKeys remoteKeys = new RemoteKeys(this);
    private final PendingTriggers pendingTriggers;
    private final Quirks quirks;
    /** Null where any thread may post receives while another one polls. */
    private final Exclusive receiving;
    /** Null if a closed region is out of use. */
    private final LateAccess lateAccess;
    private final OwnKeys keys;
    private FidObject unwatched;
    /** Of a type that is not known at this level; null if programs make progress. */
    private volatile Object driver;
    private volatile boolean closing;

    /** For a domain that was opened with that info, and frees the copy. */
    public <D extends FidObject & Domain> DomainState(D domain, FabricInfoImpl copy) {
        this.domain = domain;
        this.object = domain;
        this.info = copy;
        this.provider = copy.provider();
        this.mrMode = copy.domain().mrMode();
        this.registersLocally = requires(MrMode.LOCAL) || requires(Mode.LOCAL_MR);
        this.describesDeviceMemory = requires(MrMode.HMEM) && copy.capabilities().contains(Capability.HMEM);
        this.contexts = new ContextRegistry(wantsDescriptors());
        this.quirks = copy.quirks();
        boolean race = quirks.hasAny(Quirk.RECEIVES_RACE, Quirk.RECEIVES_RACE_IN_LNX);
        this.receiving = race && isForAllThreads() ? new Exclusive() : null;
        this.lateAccess = quirks.has(Quirk.ACCESS_OUTLIVES_REGION) ? new LateAccess() : null;
        this.pendingTriggers = new PendingTriggers(quirks.has(Quirk.COUNTERS_ARE_INTS));
        boolean fromStart = quirks.has(Quirk.SENDS_START_OF_REGION) && !requires(MrMode.VIRT_ADDR)
                && (registersLocally || !describesDeviceMemory);
        this.localRegions = new LocalRegions(fromStart);
        this.ownRegions = new LocalRegion.InUse(quirks.has(Quirk.CLOSE_FREES_REFUSED_REGION), fromStart);
        this.keys = new OwnKeys(copy.domain().limits().mrKeySize());
        // last, as others see it from then on
        OpenDomains.add(this);
    }

    /** It is being closed, with all that was opened from it; or no more, as that was refused. */
    public void closing(boolean isClosing) {
        closing = isClosing;
    }

    public boolean isClosing() {
        return closing;
    }

    /** The public face. */
    public Domain domain() {
        return domain;
    }

    /** The parent of what is opened from the domain. */
    public FidObject object() {
        return object;
    }

    public long handle() {
        return object.handle();
    }

    public FabricInfoImpl info() {
        return info;
    }

    /** What makes progress for it, if it is a node's; else null. */
    public Object driver() {
        return driver;
    }

    public void driver(Object node) {
        driver = node;
    }

    /** A counter that nobody reads, for providers that must have one. */
    public synchronized FidObject unwatched(Supplier<? extends FidObject> opener) {
        if (unwatched == null || !unwatched.isOpen()) {
            unwatched = opener.get();
        }
        return unwatched;
    }

    /** Whether threads may come at the same time: for other levels libfabric leaves out locks. */
    public boolean isForAllThreads() {
        return ALL_THREADS.contains(info.domain().threading());
    }

    /** What the provider does wrong. */
    public Quirks quirks() {
        return quirks;
    }

    /** What polls and posts of receives must enter; null if nothing. */
    public Exclusive receiving() {
        return receiving;
    }

    /** The ways in which peers may use memory whose region is closed; null if they cannot. */
    public LateAccess lateAccess() {
        return lateAccess;
    }

    public PendingTriggers pendingTriggers() {
        return pendingTriggers;
    }

    public ContextRegistry contexts() {
        return contexts;
    }

    public LocalRegions localRegions() {
        return localRegions;
    }

    public Activity activity() {
        return activity;
    }

    /** The memory of jfabric's own arenas. */
    public OpenArenas arenas() {
        return arenas;
    }

    public LocalRegion.InUse ownRegions() {
        return ownRegions;
    }

    public RemoteKeys remoteKeys() {
        return remoteKeys;
    }

    /** What operations use for the key of a peer's region. */
    public long key(RemoteRegion region) {
        return remoteKeys.key(region);
    }

    /** The next key of jfabric's own. */
    public long nextKey() {
        return keys.next();
    }

    /** Registers something with the key that was asked for, or else one of jfabric's own that is not in use. */
    public <T> T keyed(OptionalLong asked, LongFunction<T> registration) {
        if (asked.isPresent()) {
            return registration.apply(asked.getAsLong());
        }
        // if the provider chooses the key, another try is of no use
        return requires(MrMode.PROV_KEY) ? registration.apply(nextKey()) : keys.register(registration);
    }

    /** Whether descriptors of device memory are needed, even where none of other memory are. */
    public boolean describesDeviceMemory() {
        return describesDeviceMemory;
    }

    /** The domain is closed. */
    public void close() {
        OpenDomains.remove(this);
        info.free();
    }

    /** Whether local buffers must be registered. */
    public boolean registersLocally() {
        return registersLocally;
    }

    /** Whether local buffers of an endpoint must be registered: its own info may say so in the old way. */
    public boolean registersLocally(FabricInfoImpl endpoint) {
        return registersLocally || endpoint.mode().contains(Mode.LOCAL_MR);
    }

    /** Whether any local operation will look for descriptors. */
    public boolean wantsDescriptors() {
        return registersLocally || describesDeviceMemory;
    }

    public boolean requires(MrMode mode) {
        return mrMode.contains(mode) || BASIC.contains(mode) && mrMode.contains(MrMode.BASIC);
    }

    public boolean requires(Mode mode) {
        return info.mode().contains(mode) || info.domain().mode().contains(mode);
    }

    /** Opens something from the domain. */
    public <T extends FidObject> T open(String operation, Opening.Opener opener, LongFunction<T> made) {
        return open(operation, opener, made, null);
    }

    /** The advice, null for none, goes into the exception. */
    public <T extends FidObject> T open(String operation, Opening.Opener opener, LongFunction<T> made, String advice) {
        return Opening.of(object, operation, opener, made, detail(advice));
    }

    /** As above, for what some providers do not close as it is. */
    public <T extends FidObject> T open(String operation, Opening.Opener opener, LongFunction<T> made,
            Opening.Undoing undoing, String advice) {
        return Opening.of(object, operation, opener, made, undoing, detail(advice));
    }

    private String detail(String advice) {
        return "provider " + provider + (advice == null ? "" : "; " + advice);
    }
}
