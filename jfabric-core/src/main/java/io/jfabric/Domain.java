// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.ffi.DomainOps;
import io.jfabric.ffi.FidOps;
import io.jfabric.ffi.Signals;
import io.jfabric.info.Capability;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device of a fabric, or a part of one (fi_domain(3)). Opens everything that moves data.
 *
 * <p>Opening is thread-safe. How the opened objects may be shared between threads is negotiated:
 * {@code info().domain().threading()}.
 */
public final class Domain extends FabricObject {
    private final Fabric fabric;
    private final FabricInfo info;
    private final ContextRegistry contexts = new ContextRegistry();
    private final LocalRegions localRegions = new LocalRegions();
    private final LocalRegion.InUse ownRegions = new LocalRegion.InUse();
    private final RemoteKeys remoteKeys = new RemoteKeys(this);
    private final PendingTriggers pendingTriggers = new PendingTriggers();
    private final AtomicLong keys;
    private Counter unwatched;

    Domain(Fabric fabric, long handle, FabricInfo info) {
        super(fabric, handle);
        this.fabric = fabric;
        this.info = info.copy();
        this.keys = new AtomicLong(firstKey(info.domain().limits().mrKeySize()));
    }

    /**
     * The fabric this domain belongs to.
     *
     * @return the fabric
     */
    public Fabric fabric() {
        return fabric;
    }

    /**
     * What the domain was opened with.
     *
     * @return a copy of the info, which lives as long as the domain
     */
    public FabricInfo info() {
        return info;
    }

    /**
     * Lets what happens to the domain and what is opened from it be reported to an event queue
     * ({@code fi_domain_bind}). Registrations stay synchronous: {@code FI_REG_MR} is not asked for. The queue must stay
     * open as long as the domain.
     *
     * @param queue a queue of the same fabric
     * @return this
     * @throws FabricException {@code FI_ENOSYS} where the provider has no such events
     * @throws IllegalStateException if a queue is bound already
     */
    public Domain bind(EventQueue queue) {
        bindOnce("fi_domain_bind", queue);
        return this;
    }

    PendingTriggers pendingTriggers() {
        return pendingTriggers;
    }

    ContextRegistry contexts() {
        return contexts;
    }

    // In the upper half of what fits, out of the way of keys that applications number from 0
    private static long firstKey(long keySize) {
        return keySize > 0 && keySize < 4 ? 1L << keySize * 8 - 1 : 1L << 31;
    }

    long nextKey() {
        return keys.getAndIncrement();
    }

    LocalRegions localRegions() {
        return localRegions;
    }

    LocalRegion.InUse ownRegions() {
        return ownRegions;
    }

    RemoteKeys remoteKeys() {
        return remoteKeys;
    }

    /** Whether descriptors of device memory are needed, even where none of other memory are. */
    boolean describesDeviceMemory() {
        return requires(MrMode.HMEM) && info.capabilities().contains(Capability.HMEM);
    }

    /** Whether any local operation will look for descriptors. */
    boolean wantsDescriptors() {
        return requires(MrMode.LOCAL) || requires(Mode.LOCAL_MR) || describesDeviceMemory();
    }

    boolean requires(MrMode mode) {
        return info.domain().mrMode().contains(mode) || mode != MrMode.RAW && mode != MrMode.ENDPOINT
                && mode != MrMode.HMEM && info.domain().mrMode().contains(MrMode.BASIC);
    }

    boolean requires(Mode mode) {
        return info.mode().contains(mode) || info.domain().mode().contains(mode);
    }

    /** One of the calls that open something from a domain. */
    @FunctionalInterface
    interface Opener {
        int open(long domain, long result);
    }

    long open(String operation, Opener opener) {
        return open(operation, opener, null);
    }

    /** The advice, null for none, goes into the exception. */
    long open(String operation, Opener opener, String advice) {
        long domain = handle();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check(operation, opener.open(domain, result.address()), "provider " + info.provider()
                    + (advice == null ? "" : "; " + advice));
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * Opens an address vector of the kind the provider prefers.
     *
     * @return the address vector
     */
    public AddressVector openAddressVector() {
        return openAddressVector(AddressVectorAttributes.DEFAULT);
    }

    /**
     * Opens an address vector ({@code fi_av_open}).
     *
     * @param attributes kind, size and name
     * @return the address vector
     */
    public AddressVector openAddressVector(AddressVectorAttributes attributes) {
        return AddressVector.open(this, Objects.requireNonNull(attributes, "attributes"));
    }

    /**
     * Opens a completion queue of the provider's default size, for polling.
     *
     * @param format what to report
     * @return the queue
     */
    public CompletionQueue openCompletionQueue(CompletionFormat format) {
        return openCompletionQueue(CompletionQueueAttributes.of(format));
    }

    /**
     * Opens a completion queue ({@code fi_cq_open}).
     *
     * @param attributes format, size and wait object
     * @return the queue
     */
    public CompletionQueue openCompletionQueue(CompletionQueueAttributes attributes) {
        return CompletionQueue.open(this, Objects.requireNonNull(attributes, "attributes"), 0);
    }

    /**
     * Opens a completion queue that threads wait for by a wait set ({@code FI_WAIT_SET}).
     *
     * @param attributes format and size; the wait object is the set
     * @param set of the same fabric
     * @return the queue
     * @deprecated as wait sets in libfabric
     */
    @Deprecated
    public CompletionQueue openCompletionQueue(CompletionQueueAttributes attributes, WaitSet set) {
        Objects.requireNonNull(set, "fi_cq_open: the wait set is null");
        return CompletionQueue.open(this, Objects.requireNonNull(attributes, "attributes"), set.handle());
    }

    /**
     * Opens a poll set ({@code fi_poll_open}).
     *
     * @return the poll set
     * @deprecated as in libfabric
     */
    @Deprecated
    public PollSet openPollSet() {
        return PollSet.open(this);
    }

    /**
     * Opens an endpoint ({@code fi_endpoint}). It can be used once its queues and addresses are bound and it is
     * enabled.
     *
     * @param endpointInfo what it shall be, also the info of a {@link FabricEvent.ConnectionRequest}, once; not needed
     *     afterwards
     * @return the endpoint
     * @throws IllegalStateException if the info is a connection request's that is answered already
     */
    public Endpoint openEndpoint(FabricInfo endpointInfo) {
        return openEndpoint(endpointInfo, 0);
    }

    /**
     * Opens an endpoint with flags of the provider's ({@code fi_endpoint2}); see {@link #openEndpoint(FabricInfo)}.
     *
     * @param endpointInfo what it shall be; not needed afterwards
     * @param flags as the provider documents them; 0 for none
     * @return the endpoint
     * @throws FabricException {@code FI_ENOSYS} if there are flags and the provider knows none
     */
    public Endpoint openEndpoint(FabricInfo endpointInfo, long flags) {
        long address = endpointInfo.address();
        PassiveEndpoint listener = fabric.connectionRequests().claim(endpointInfo);
        try {
            // shm takes the JVM's SIGSEGV handler with the first endpoint
            long ep = Signals.keep(() -> flags == 0
                    ? open("fi_endpoint", (domain, result) -> DomainOps.endpoint(domain, address, result, 0))
                    : open("fi_endpoint2", (domain, result) -> DomainOps.endpoint2(domain, address, result, flags, 0)));
            return new Endpoint(this, ep, endpointInfo);
        } catch (FabricException e) {
            fabric.connectionRequests().release(endpointInfo, listener);
            throw e;
        }
    }

    /**
     * Opens an endpoint with several transmit and receive contexts ({@code fi_scalable_ep}).
     *
     * @param endpointInfo what it shall be, with the numbers of contexts; not needed afterwards
     * @return the endpoint
     */
    public ScalableEndpoint openScalableEndpoint(FabricInfo endpointInfo) {
        return ScalableEndpoint.open(this, endpointInfo);
    }

    /**
     * Opens a transmit context for several endpoints ({@code fi_stx_context}).
     *
     * @param endpointInfo its transmit attributes are used; not needed afterwards
     * @return the context
     */
    public SharedTransmitContext openSharedTransmitContext(FabricInfo endpointInfo) {
        return SharedTransmitContext.open(this, endpointInfo);
    }

    /**
     * Opens a receive context for several endpoints ({@code fi_srx_context}).
     *
     * @param endpointInfo its receive attributes are used; not needed afterwards
     * @return the context
     */
    public SharedReceiveContext openSharedReceiveContext(FabricInfo endpointInfo) {
        return SharedReceiveContext.open(this, endpointInfo);
    }

    /**
     * Opens a counter of completions.
     *
     * @return the counter
     */
    public Counter openCounter() {
        return openCounter(CounterAttributes.DEFAULT);
    }

    /**
     * Opens a counter ({@code fi_cntr_open}).
     *
     * @param attributes what to count and how to wait
     * @return the counter
     */
    public Counter openCounter(CounterAttributes attributes) {
        return Counter.open(this, Objects.requireNonNull(attributes, "attributes"), 0);
    }

    /**
     * Opens a counter that threads wait for by a wait set ({@code FI_WAIT_SET}).
     *
     * @param attributes what to count; the wait object is the set
     * @param set of the same fabric
     * @return the counter
     * @deprecated as wait sets in libfabric
     */
    @Deprecated
    public Counter openCounter(CounterAttributes attributes, WaitSet set) {
        Objects.requireNonNull(set, "fi_cntr_open: the wait set is null");
        return Counter.open(this, Objects.requireNonNull(attributes, "attributes"), set.handle());
    }

    /**
     * Opens the counts that the provider keeps of this domain ({@code fi_profile_open}, libfabric 2).
     *
     * @return the profile
     * @throws FabricException {@code FI_ENOSYS} where library or provider has none
     */
    public Profile openProfile() {
        return Profile.open(this, info.provider());
    }

    /**
     * Opens the counts that the provider keeps of an endpoint ({@code fi_profile_open}, libfabric 2).
     *
     * @param endpoint of this domain
     * @return the profile
     * @throws FabricException {@code FI_ENOSYS} where library or provider has none
     */
    public Profile openProfile(Endpoint endpoint) {
        return Profile.open(Objects.requireNonNull(endpoint, "endpoint"), info.provider());
    }

    /**
     * Defers operations until a counter reaches a threshold ({@code FI_QUEUE_WORK}). Ask for the capability
     * {@code TRIGGER}.
     *
     * @param counter successes and errors together count
     * @param threshold the value at which the operations start; at once if it is reached already
     * @return to queue the operations with
     */
    public Deferral defer(Counter counter, long threshold) {
        return new Deferral(this, counter, threshold);
    }

    /** For deferred work without a completion counter: sockets adds to it without looking whether there is one. */
    synchronized Counter unwatched() {
        if (unwatched == null) {
            unwatched = openCounter(CounterAttributes.DEFAULT.withWaitObject(WaitObject.NONE));
        }
        return unwatched;
    }

    /**
     * Cancels all deferred work that waits for a counter ({@code FI_FLUSH_WORK}).
     *
     * @param counter the counter; null for all work of the domain
     * @throws FabricException {@code FI_ENOSYS} where the provider cannot
     */
    public void flushDeferredWork(Counter counter) {
        check("fi_control(FI_FLUSH_WORK)", FidOps.control(handle(), Libfabric.FI_FLUSH_WORK(),
                counter == null ? 0 : counter.handle()), "provider " + info.provider());
    }

    /**
     * Asks whether the provider can do a collective operation that combines ({@code fi_query_collective}).
     *
     * @param operation the operation
     * @param type of the elements
     * @param reduction how to combine; ignored for operations that do not
     * @return its limits; empty if the provider cannot do it
     */
    public Optional<CollectiveAttributes> queryCollective(CollectiveOperation operation, Datatype type,
            AtomicOp reduction) {
        return CollectiveAttributes.query(this, operation, type, reduction);
    }

    /**
     * Asks whether the provider can do a collective operation that does not combine ({@code fi_query_collective}).
     *
     * @param operation such as a barrier
     * @return its limits; empty if the provider cannot do it
     */
    public Optional<CollectiveAttributes> queryCollective(CollectiveOperation operation) {
        return CollectiveAttributes.query(this, operation, Datatype.UINT8, AtomicOp.NOOP);
    }

    /**
     * Registers memory ({@code fi_mr_reg}) with a key the provider or jfabric chooses.
     *
     * @param memory native memory; stays reachable until the region is closed
     * @param first one right
     * @param others more rights
     * @return the region
     */
    public MemoryRegion register(MemorySegment memory, MemoryAccess first, MemoryAccess... others) {
        return Registration.of(this, memory, MemoryAccess.bits(first, others), nextKey());
    }

    /**
     * Registers memory ({@code fi_mr_reg}) with a key the application chooses; ignored where the provider chooses
     * keys ({@link MrMode#PROV_KEY}).
     *
     * @param memory native memory; stays reachable until the region is closed
     * @param requestedKey the key
     * @param first one right
     * @param others more rights
     * @return the region
     */
    public MemoryRegion register(MemorySegment memory, long requestedKey, MemoryAccess first,
            MemoryAccess... others) {
        return Registration.of(this, memory, MemoryAccess.bits(first, others), requestedKey);
    }

    /**
     * Registers several buffers as one region ({@code fi_mr_regv}), at most as many as the domain's
     * {@code mrIovLimit}.
     *
     * @param memory native memory; stays reachable until the region is closed
     * @param first one right
     * @param others more rights
     * @return the region
     */
    public MemoryRegion register(IoVector memory, MemoryAccess first, MemoryAccess... others) {
        return Registration.of(this, memory, MemoryAccess.bits(first, others), nextKey());
    }

    /**
     * Registers memory with all there is to say about it ({@code fi_mr_regattr}): flags, device memory, authorisation.
     *
     * @param attributes what and how
     * @return the region
     */
    public MemoryRegion register(MemoryRegionAttributes attributes) {
        return Registration.of(this, Objects.requireNonNull(attributes, "attributes"));
    }

    /**
     * Prepares a peer's region for use: maps its key if it is a raw one ({@code fi_mr_map_raw}). Not needed, as the
     * first operation on the region does it, but that one then takes longer.
     *
     * @param region the peer's region
     */
    public void mapKey(RemoteRegion region) {
        handle();
        region.key(this);
    }

    /**
     * Releases what {@link #mapKey} or the first use of a peer's region took ({@code fi_mr_unmap_key}); closing
     * the domain does so for all. No operation on the region, or on a slice of it, may be under way.
     *
     * @param region the peer's region
     */
    public void unmapKey(RemoteRegion region) {
        handle();
        if (region.hasRawKey()) {
            remoteKeys.unmap(region.rawKey());
        }
    }

    /**
     * What the domain's endpoints can do atomically ({@code fi_query_atomic}).
     *
     * @param form the form
     * @param type the type
     * @param op the operation
     * @return limits and sizes; empty if they cannot do it
     */
    public Optional<AtomicAttributes> queryAtomic(AtomicForm form, Datatype type, AtomicOp op) {
        return AtomicSupport.query(this, form, type, op);
    }

    @Override
    String kind() {
        return "domain";
    }

    /** rxm destroys its buffers before it looks whether the domain is busy. */
    @Override
    boolean failsForGood() {
        return info.provider().contains("ofi_rxm");
    }

    @Override
    int closeRank() {
        return 0;
    }

    @Override
    void closingChildren() {
        pendingTriggers.abandon();
    }

    @Override
    void closing() {
        remoteKeys.close();
    }

    @Override
    void closed() {
        info.free();
    }
}
