// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_alias;
import io.jfabric.ffi.EpOps;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.FidOps;
import io.jfabric.ffi.Signals;
import io.jfabric.info.Flags;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.info.OperationFlag;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What sends and receives (fi_endpoint(3)). Bind queues and, unless it is connected, an address vector; enable it;
 * then use {@link #messages()}, {@link #tagged()} and the other families of operations.
 *
 * <p>How many threads may use it at once is the domain's threading level. Operations allocate nothing, take a
 * {@code long} context that comes back in the completion, and return false where the provider is busy
 * ({@code -FI_EAGAIN}): poll the completion queue and try again.
 */
public final class Endpoint extends GuardedEndpoint {
    private final Domain domain;
    private final FabricInfo info;
    private final EndpointRole role;
    // Two, so that a loop which sends one buffer and receives into another finds each in the slot it had before.
    private final ContextSlab transmitSlab;
    private final ContextSlab receiveSlab;
    /** Untagged receives from one peer: apart only where libfabric cannot cancel them. */
    private final ContextSlab directedSlab;
    /** Contexts of reserved messages: the provider writes to them, whatever its mode. Made when first needed. */
    private ContextSlab claims;
    private final Messages messages;
    private final TaggedMessages tagged;
    private final Rma rma;
    private final Atomics atomics;
    /** Whether operations need descriptors or message prefixes, which takes the long way. */
    private final boolean prepared;
    private final boolean registers;
    private final boolean describes;
    private final boolean nativeContexts;
    private final LocalBuffers localBuffers;
    private long transmitFlags;
    private long receiveFlags;
    private boolean transmitCompletes;
    private boolean receiveCompletes;
    private boolean hasEventQueue;
    /** Made when first needed: most applications never do. */
    private Collectives collectives;
    private boolean hasSharedTransmit;
    private boolean hasSharedReceive;
    private ShmName shmName;

    Endpoint(Domain domain, long handle, FabricInfo info) {
        this(domain, domain, handle, info, EndpointRole.ENDPOINT);
    }

    Endpoint(FabricObject parent, Domain domain, long handle, FabricInfo opened, EndpointRole role) {
        super(parent, handle, opened, role, role == EndpointRole.ENDPOINT
                && domain.fabric().connectionRequests().isRequest(opened));
        this.domain = domain;
        this.role = role;
        this.info = info();
        // which endpoint's queue will report it is known when the message is there
        this.receiveCompletes = role == EndpointRole.SHARED_RECEIVE_CONTEXT;
        this.nativeContexts = domain.requires(Mode.CONTEXT) || domain.requires(Mode.CONTEXT2)
                || info.mode().contains(Mode.CONTEXT) || info.mode().contains(Mode.CONTEXT2)
                || info.tx().mode().contains(Mode.CONTEXT) || info.tx().mode().contains(Mode.CONTEXT2)
                || info.rx().mode().contains(Mode.CONTEXT) || info.rx().mode().contains(Mode.CONTEXT2);
        this.transmitSlab = new ContextSlab(domain.contexts(), nativeContexts);
        this.receiveSlab = new ContextSlab(domain.contexts(), nativeContexts);
        this.directedSlab = DirectedCancel.crashes(domain.info())
                ? new ContextSlab(domain.contexts(), nativeContexts) : receiveSlab;
        this.registers = domain.requires(MrMode.LOCAL) || info.mode().contains(Mode.LOCAL_MR);
        this.describes = registers || domain.describesDeviceMemory();
        // verbs datagrams want a prefix for receives only, so each direction's own mode counts
        long sendPrefix = info.tx().mode().contains(Mode.MSG_PREFIX) ? info.endpoint().messagePrefixSize() : 0;
        long receivePrefix = info.rx().mode().contains(Mode.MSG_PREFIX) ? info.endpoint().messagePrefixSize() : 0;
        this.prepared = describes || sendPrefix > 0 || receivePrefix > 0;
        this.localBuffers = prepared
                ? new LocalBuffers(domain, sendPrefix, receivePrefix, registers, describes) : null;
        this.transmitFlags = info.tx().operationFlags().bits();
        this.receiveFlags = info.rx().operationFlags().bits();
        watchTransmits(transmitSlab);
        this.messages = new Messages(this);
        this.tagged = new TaggedMessages(this);
        this.rma = new Rma(this);
        this.atomics = new Atomics(this);
    }

    /**
     * The domain this endpoint belongs to.
     *
     * @return the domain
     */
    public Domain domain() {
        return domain;
    }

    /**
     * Binds a completion queue ({@code fi_ep_bind}).
     *
     * @param queue the queue
     * @param flags for which operations, at least one of {@link BindFlag#TRANSMIT} and {@link BindFlag#RECV}
     * @return this
     */
    public Endpoint bind(CompletionQueue queue, BindFlag... flags) {
        long bits = BindFlag.bits(flags);
        if ((bits & (BindFlag.TRANSMIT.code() | BindFlag.RECV.code())) == 0) {
            throw new IllegalArgumentException(
                    "bind: say which completions go to the queue, TRANSMIT or RECV or both");
        }
        bind("fi_ep_bind", queue, bits);
        queueBound(bits);
        boolean selective = (bits & BindFlag.SELECTIVE_COMPLETION.code()) != 0;
        transmitCompletes |= (bits & BindFlag.TRANSMIT.code()) != 0 && !selective;
        receiveCompletes |= (bits & BindFlag.RECV.code()) != 0 && !selective;
        return this;
    }

    /**
     * Binds an address vector ({@code fi_ep_bind}).
     *
     * @param vector the address vector
     * @return this
     */
    public Endpoint bind(AddressVector vector) {
        if (isConnected()) {
            // tcp and sockets take it, and never let go of it
            throw new IllegalStateException("fi_ep_bind: a connected endpoint has no use for an address vector");
        }
        bindOnce("fi_ep_bind", vector);
        return this;
    }

    /**
     * Binds an event queue, for connection events ({@code fi_ep_bind}).
     *
     * @param queue the queue
     * @return this
     */
    public Endpoint bind(EventQueue queue) {
        bindOnce("fi_ep_bind", queue);
        connection().reportsToQueue();
        hasEventQueue = true;
        return this;
    }

    /**
     * Binds a shared transmit context ({@code fi_ep_bind}).
     *
     * @param context the context
     * @return this
     */
    public Endpoint bind(SharedTransmitContext context) {
        Readiness.checkShares("transmit", info.endpoint().txContextCount(), hasSharedTransmit);
        bind("fi_ep_bind", context, 0);
        hasSharedTransmit = true;
        return this;
    }

    /**
     * Binds a shared receive context ({@code fi_ep_bind}).
     *
     * @param context the context
     * @return this
     */
    public Endpoint bind(SharedReceiveContext context) {
        Readiness.checkShares("receive", info.endpoint().rxContextCount(), hasSharedReceive);
        bind("fi_ep_bind", context.endpoint(), 0);
        hasSharedReceive = true;
        return this;
    }

    /**
     * Binds a counter ({@code fi_ep_bind}).
     *
     * @param counter the counter
     * @param first an operation to count
     * @param others more operations
     * @return this
     */
    public Endpoint bind(Counter counter, BindFlag first, BindFlag... others) {
        bind("fi_ep_bind", counter, first.code() | BindFlag.bits(others));
        return this;
    }

    /**
     * Puts the endpoint into service ({@code fi_enable}).
     *
     * @return this
     * @throws IllegalStateException if it is in service already
     */
    public Endpoint enable() {
        checkReady(receiveFlags);
        if (role == EndpointRole.ENDPOINT) {
            Readiness.checkShared("SharedTransmitContext", info.endpoint().txContextCount(), hasSharedTransmit);
            Readiness.checkShared("SharedReceiveContext", info.endpoint().rxContextCount(), hasSharedReceive);
        }
        int result = Signals.keep(() -> FidOps.control(fid(), Libfabric.FI_ENABLE(), 0));
        check("fi_enable", result, result == -Errno.EADDRINUSE ? "another endpoint has the address "
                + info.sourceAddress().map(Address::toString).orElse("") : null);
        enabled();
        takeEarlyOptions();
        // the info of a connection request need not name the provider: sockets' does not
        if ("shm".equals(info.provider()) && shmName == null) {
            shmName = ShmName.of(address());
        }
        return this;
    }

    /**
     * A second handle of the same endpoint with default flags of its own ({@code fi_ep_alias}). Made after
     * {@link #enable()}; closed before the endpoint, by it or by the application.
     *
     * @param direction whose flags: {@link BindFlag#TRANSMIT} or {@link BindFlag#RECV}
     * @param flags the default flags of the alias's operations
     * @return the alias
     */
    public Endpoint alias(BindFlag direction, Flags<OperationFlag> flags) {
        long bits = directionBit(direction) | flags.requireKnown("alias flags").bits();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment argument = fi_alias.allocate(arena);
            fi_alias.fid(argument, result);
            fi_alias.flags(argument, bits);
            check("fi_ep_alias", FidOps.control(handle(), Libfabric.FI_ALIAS(), argument.address()),
                    "provider " + info.provider());
            Endpoint alias = new Endpoint(this, domain, result.get(ValueLayout.JAVA_LONG, 0), info,
                    EndpointRole.ALIAS);
            alias.transmitCompletes = transmitCompletes;
            alias.receiveCompletes = receiveCompletes;
            alias.transmitFlags = transmitFlags;
            alias.receiveFlags = receiveFlags;
            alias.operationFlagsChanged(direction, flags.bits());
            return alias;
        }
    }

    @Override
    void enableImplicitly() {
        if (!isEnabled()) {
            enable();
        }
    }

    @Override
    void operationFlagsChanged(BindFlag direction, long bits) {
        if (direction == BindFlag.TRANSMIT) {
            transmitFlags = bits;
        } else {
            receiveFlags = bits;
        }
    }

    /**
     * Messages without tags.
     *
     * @return the operations
     */
    public Messages messages() {
        return messages;
    }

    /**
     * Tagged messages.
     *
     * @return the operations
     */
    public TaggedMessages tagged() {
        return tagged;
    }

    /**
     * Remote memory access.
     *
     * @return the operations
     */
    public Rma rma() {
        return rma;
    }

    /**
     * Atomic operations on remote memory. Some providers have them only if asked for the capability {@code ATOMIC}.
     *
     * @return the operations
     */
    public Atomics atomics() {
        return atomics;
    }

    /**
     * Registers memory; where the provider asks for it ({@link MrMode#ENDPOINT}), for this endpoint alone.
     *
     * @param memory native memory; stays reachable until the region is closed
     * @param first one right
     * @param others more rights
     * @return the region, ready for use
     */
    public MemoryRegion register(MemorySegment memory, MemoryAccess first, MemoryAccess... others) {
        return Registration.of(this, memory, MemoryAccess.bits(first, others));
    }

    /**
     * Operations that start when a counter reaches a threshold.
     *
     * @return the operations
     */
    public TriggeredOperations triggered() {
        return new TriggeredOperations(this);
    }

    /**
     * Collective operations.
     *
     * @return the operations
     */
    public synchronized Collectives collectives() {
        if (collectives == null) {
            collectives = new Collectives(this);
        }
        return collectives;
    }

    /** Whether collectives can be started: they report to the transmit queue without looking for it. */
    boolean readyForCollectives() {
        return hasTransmitQueue() && isEnabled();
    }

    boolean hasEventQueue() {
        return hasEventQueue;
    }

    /**
     * Cancels an operation ({@code fi_cancel}). If it had not completed, it completes with the error
     * {@code FI_ECANCELED}.
     *
     * @param context what the operation was posted with; where several have the same, one of them
     * @return false if no operation with this context is under way
     * @throws FabricException {@code FI_ENOSYS} also for an untagged receive from one peer where libfabric would crash
     */
    public boolean cancel(long context) {
        long fid = handle();
        long receive = receiveSlab.find(context);
        long token = receive != 0 ? receive : transmitSlab.find(context);
        if (token == 0) {
            if (directedSlab.find(context) != 0) {
                throw DirectedCancel.refusal(info);
            }
            return false;
        }
        long result = EpOps.cancel(fid, token);
        if (result == -Errno.ENOENT) {
            return false;
        }
        check("fi_cancel", result, null);
        return true;
    }

    boolean mayFetch(String operation, long destination) {
        return mayFetch(operation, destination, transmitCompletes);
    }

    @Override
    PendingTriggers pendingTriggers() {
        return domain.pendingTriggers();
    }

    boolean prepared() {
        return prepared;
    }

    ContextSlab receiveSlab() {
        return receiveSlab;
    }

    /** Whether local buffers must be registered, by jfabric if need be. */
    boolean registers() {
        return registers;
    }

    /** Whether remote accesses need descriptors, which takes the long way. */
    boolean describes() {
        return describes;
    }

    LocalBuffers localBuffers() {
        return localBuffers;
    }

    synchronized ContextSlab claims() {
        if (claims == null) {
            claims = new ContextSlab(domain.contexts(), true);
        }
        return claims;
    }

    /** The flags of operations that have none of their own. */
    long transmitFlags() {
        return transmitFlags;
    }

    /** The flags of receives that have none of their own. */
    long receiveFlags() {
        return receiveFlags;
    }

    /** The token for an operation of this side; 0 where nothing will report its completion. */
    long transmitToken(long context, Object keep) {
        return transmitCompletes ? transmitSlab.acquire(context, keep, ContextSlab.PLAIN)
                : unreported(true, transmitSlab, context, keep);
    }

    /** The token for a receive; 0 where nothing will report its completion. */
    long receiveToken(long context, Object keep) {
        return receiveCompletes ? receiveSlab.acquire(context, keep, ContextSlab.PLAIN)
                : unreported(false, receiveSlab, context, keep);
    }

    /** The token for an operation of this side with flags of its own. */
    long transmitToken(long context, Object keep, byte kind, long flags) {
        return transmitCompletes || (flags & Libfabric.FI_COMPLETION()) != 0
                ? transmitSlab.acquire(context, keep, kind) : unreported(true, transmitSlab, context, keep);
    }

    /** The token for an untagged receive, from one peer or any. */
    long receiveToken(long context, Object keep, long source) {
        ContextSlab slab = source == Address.ANY ? receiveSlab : directedSlab;
        return receiveCompletes ? slab.acquire(context, keep, ContextSlab.PLAIN)
                : unreported(false, slab, context, keep);
    }

    /** The token for a receive with flags of its own; of a tagged one the source does not matter. */
    long receiveToken(long context, Object keep, byte kind, long flags, long source) {
        ContextSlab slab = source == Address.ANY ? receiveSlab : directedSlab;
        return receiveCompletes || (flags & Libfabric.FI_COMPLETION()) != 0
                ? slab.acquire(context, keep, kind) : unreported(false, slab, context, keep);
    }

    /** Where no completion comes, nothing tells when a slot is free: only a provider that writes to it gets one. */
    private long unreported(boolean transmit, ContextSlab slab, long context, Object keep) {
        if (lacksQueue(transmit)) {
            throw Readiness.noQueue(transmit ? "TRANSMIT" : "RECV");
        }
        return nativeContexts ? slab.acquire(context, keep, ContextSlab.PLAIN) : 0;
    }

    /** An operation that the provider did not take: true never, false to try again, else an exception. */
    boolean refused(String operation, long result, long token) {
        domain.contexts().cancel(token);
        if (result == -Errno.EAGAIN) {
            return false;
        }
        throw Refusal.of(info, operation, result);
    }

    @Override
    String kind() {
        return role.toString();
    }

    @Override
    int closeRank() {
        return role.closeRank;
    }

    @Override
    void closed() {
        transmitSlab.close();
        receiveSlab.close();
        directedSlab.close();
        if (claims != null) {
            claims.close();
        }
        if (localBuffers != null) {
            localBuffers.close();
        }
        if (shmName != null) {
            shmName.closed();
        }
        super.closed();
    }

    @Override
    Endpoint self() {
        return this;
    }
}
