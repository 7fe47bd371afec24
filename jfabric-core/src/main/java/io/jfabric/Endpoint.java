// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.ffi.EpOps;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.FidOps;
import io.jfabric.ffi.Signals;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import java.lang.foreign.MemorySegment;

/**
 * What sends and receives (fi_endpoint(3)). Bind queues and, unless it is connected, an address vector; enable it;
 * then use {@link #messages()}, {@link #tagged()} and the other families of operations.
 *
 * <p>How many threads may use it at once is the domain's threading level. Operations allocate nothing, take a
 * {@code long} context that comes back in the completion, and return false where the provider is busy
 * ({@code -FI_EAGAIN}): poll the completion queue and try again.
 */
public final class Endpoint extends FabricObject {
    private final Domain domain;
    private final FabricInfo info;
    private final ContextSlab slab;
    /** Contexts of reserved messages: the provider writes to them, whatever its mode. Made when first needed. */
    private ContextSlab claims;
    private final Messages messages;
    private final TaggedMessages tagged;
    private final Rma rma;
    private final Atomics atomics;
    private final TransferLimits limits;
    /** Whether operations need descriptors or message prefixes, which takes the long way. */
    private final boolean prepared;
    /** Whether the provider wants all local buffers registered. */
    private final boolean registers;
    /** Whether it wants descriptors of those that are. */
    private final boolean describes;
    private final boolean nativeContexts;
    private final LocalBuffers localBuffers;
    private final long transmitFlags;
    private final long receiveFlags;
    private boolean transmitCompletes;
    private boolean receiveCompletes;
    private boolean hasTransmitQueue;
    private boolean enabled;
    private boolean hasEventQueue;
    /** Made when first needed: most applications never do. */
    private Collectives collectives;
    private final Connection connection;
    private ShmName shmName;

    Endpoint(Domain domain, long handle, FabricInfo info) {
        super(domain, handle);
        this.domain = domain;
        this.info = info.duplicate();
        this.nativeContexts = domain.requires(Mode.CONTEXT) || domain.requires(Mode.CONTEXT2)
                || info.mode().contains(Mode.CONTEXT) || info.mode().contains(Mode.CONTEXT2)
                || info.tx().mode().contains(Mode.CONTEXT) || info.tx().mode().contains(Mode.CONTEXT2)
                || info.rx().mode().contains(Mode.CONTEXT) || info.rx().mode().contains(Mode.CONTEXT2);
        this.slab = new ContextSlab(domain.contexts(), nativeContexts);
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
        this.messages = new Messages(this);
        this.tagged = new TaggedMessages(this);
        this.connection = new Connection(this.info, domain.fabric().connectionRequests().isRequest(this.info));
        this.limits = new TransferLimits(info);
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
     * What the endpoint was opened with.
     *
     * @return a copy of the info, which lives as long as the endpoint
     */
    public FabricInfo info() {
        return info;
    }

    /**
     * Binds a completion queue ({@code fi_ep_bind}).
     *
     * @param queue the queue
     * @param flags for which operations, at least one of {@link BindFlag#TRANSMIT} and {@link BindFlag#RECEIVE}
     * @return this
     */
    public Endpoint bind(CompletionQueue queue, BindFlag... flags) {
        long bits = BindFlag.bits(flags);
        if ((bits & (BindFlag.TRANSMIT.code() | BindFlag.RECEIVE.code())) == 0) {
            throw new IllegalArgumentException(
                    "bind: say which completions go to the queue, TRANSMIT or RECEIVE or both");
        }
        bind("fi_ep_bind", queue, bits);
        hasTransmitQueue |= (bits & BindFlag.TRANSMIT.code()) != 0;
        boolean selective = (bits & BindFlag.SELECTIVE_COMPLETION.code()) != 0;
        transmitCompletes |= (bits & BindFlag.TRANSMIT.code()) != 0 && !selective;
        receiveCompletes |= (bits & BindFlag.RECEIVE.code()) != 0 && !selective;
        return this;
    }

    /**
     * Binds an address vector ({@code fi_ep_bind}).
     *
     * @param vector the address vector
     * @return this
     */
    public Endpoint bind(AddressVector vector) {
        bind("fi_ep_bind", vector, 0);
        return this;
    }

    /**
     * Binds an event queue, for connection events ({@code fi_ep_bind}).
     *
     * @param queue the queue
     * @return this
     */
    public Endpoint bind(EventQueue queue) {
        bind("fi_ep_bind", queue, 0);
        hasEventQueue = true;
        connection.reportsToQueue();
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
     */
    public Endpoint enable() {
        int result = Signals.keep(() -> FidOps.control(handle(), Libfabric.FI_ENABLE(), 0));
        check("fi_enable", result, result == -Errno.EADDRINUSE ? "another endpoint has the address "
                + info.sourceAddress().map(Address::toString).orElse("") : null);
        enabled = true;
        if (info.provider().equals("shm") && shmName == null) {
            shmName = ShmName.of(address());
        }
        return this;
    }

    /**
     * The endpoint's own address, for its peers ({@code fi_getname}). Complete once the endpoint is enabled.
     *
     * @return the address
     */
    public Address address() {
        return Names.own(handle(), info);
    }

    /**
     * Gives the endpoint an address of the application's choice ({@code fi_setname}). Before it is enabled, connected
     * or asked for its address.
     *
     * @param address an address of this side, such as a port
     * @return this
     */
    public Endpoint setAddress(Address address) {
        Names.set(handle(), info, address);
        return this;
    }

    /**
     * Asks a listening peer for a connection ({@code fi_connect}), without data. See
     * {@link #connect(Address, byte[])}.
     *
     * @param peer what the peer's {@link PassiveEndpoint#address()} gave
     */
    public void connect(Address peer) {
        connect(peer, new byte[0]);
    }

    /**
     * Asks a listening peer for a connection ({@code fi_connect}). The bound event queue then delivers
     * {@link FabricEvent.Connected}, or an {@link EventException} if the peer rejects it or is not there. Once per
     * endpoint; connected endpoints ({@link EndpointType#MSG}) only.
     *
     * @param peer what the peer's {@link PassiveEndpoint#address()} gave
     * @param data comes with the request, as much as the provider takes ({@code FI_OPT_CM_DATA_SIZE})
     * @throws IllegalStateException if no event queue is bound, or the endpoint has been connected before
     */
    public void connect(Address peer, byte[] data) {
        connection.connect(handle(), peer, data);
    }

    /** Accepts the connection request that the endpoint was opened from, without data. See {@link #accept(byte[])}. */
    public void accept() {
        accept(new byte[0]);
    }

    /**
     * Accepts the connection request that the endpoint was opened from ({@code fi_accept}). The bound event queue
     * then delivers {@link FabricEvent.Connected}.
     *
     * @param data what the peer gets with its own {@link FabricEvent.Connected}
     * @throws IllegalStateException if no event queue is bound, or the endpoint was not opened from the info of a
     *     {@link FabricEvent.ConnectionRequest}
     */
    public void accept(byte[] data) {
        connection.accept(handle(), data);
    }

    /**
     * Ends the connection ({@code fi_shutdown}): the event queues of both sides deliver {@link FabricEvent.Shutdown},
     * and operations that are still under way fail. Again, or after the peer has ended it, does nothing.
     *
     * @throws IllegalStateException if there is no connection yet; close the endpoint to give an attempt up
     */
    public void shutdown() {
        connection.shutdown(handle());
    }

    /**
     * The address of the peer ({@code fi_getpeer}) of a connected endpoint.
     *
     * @return the address
     * @throws IllegalStateException before {@link #connect(Address)} or {@link #accept()}
     */
    public Address peerAddress() {
        return connection.peer(handle());
    }

    Connection connection() {
        return connection;
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
     * Opens the counts that the provider keeps of this endpoint ({@code fi_profile_open}, libfabric 2).
     *
     * @return the profile
     * @throws FabricException {@code FI_ENOSYS} where library or provider has none
     */
    public Profile openProfile() {
        return Profile.open(this, info.provider());
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
        return hasTransmitQueue && enabled;
    }

    boolean hasEventQueue() {
        return hasEventQueue;
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
     * Atomic operations on remote memory. Some providers have them only if the hints asked for
     * {@link io.jfabric.info.Capability#ATOMIC}.
     *
     * @return the operations
     */
    public Atomics atomics() {
        return atomics;
    }

    /**
     * Registers memory for use with this endpoint: {@link Domain#register}, then {@link MemoryRegion#bind(Endpoint)}
     * and {@link MemoryRegion#enable()}, which is what providers with {@link MrMode#ENDPOINT} ask for. Elsewhere the
     * region serves all endpoints of the domain.
     *
     * @param memory native memory; stays reachable until the region is closed
     * @param first one right
     * @param others more rights
     * @return the region, ready for use
     */
    public MemoryRegion register(MemorySegment memory, MemoryAccess first, MemoryAccess... others) {
        MemoryRegion region = domain.register(memory, first, others);
        try {
            return region.bind(this).enable();
        } catch (RuntimeException e) {
            region.close();
            throw e;
        }
    }

    /**
     * Cancels an operation ({@code fi_cancel}). If it had not completed, it completes with the error
     * {@code FI_ECANCELED}.
     *
     * @param context what the operation was posted with; where several have the same, one of them
     * @return false if no operation with this context is under way
     */
    public boolean cancel(long context) {
        long fid = handle();
        long token = slab.find(context);
        if (token == 0) {
            return false;
        }
        long result = EpOps.cancel(fid, token);
        if (result == -Errno.ENOENT) {
            return false;
        }
        check("fi_cancel", result, null);
        return true;
    }

    /** Whether this is a connected endpoint, which needs no destination. */
    boolean isConnected() {
        return info.endpoint().type() == EndpointType.MSG;
    }

    boolean prepared() {
        return prepared;
    }

    /** Whether local buffers must be registered, by jfabric if need be. */
    boolean registers() {
        return registers;
    }

    /** Whether remote accesses need descriptors, which takes the long way. */
    boolean describes() {
        return describes;
    }

    TransferLimits limits() {
        return limits;
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

    ContextSlab slab() {
        return slab;
    }

    /** The token for an operation of this side; 0 where nothing will report its completion. */
    long transmitToken(long context, Object keep) {
        return transmitCompletes ? slab.acquire(context, keep, ContextSlab.PLAIN) : unreported(context, keep);
    }

    /** The token for a receive; 0 where nothing will report its completion. */
    long receiveToken(long context, Object keep) {
        return receiveCompletes ? slab.acquire(context, keep, ContextSlab.PLAIN) : unreported(context, keep);
    }

    /** The token for an operation of this side with flags of its own. */
    long transmitToken(long context, Object keep, byte kind, long flags) {
        return transmitCompletes || (flags & Libfabric.FI_COMPLETION()) != 0
                ? slab.acquire(context, keep, kind) : unreported(context, keep);
    }

    /** The token for a receive with flags of its own. */
    long receiveToken(long context, Object keep, byte kind, long flags) {
        return receiveCompletes || (flags & Libfabric.FI_COMPLETION()) != 0
                ? slab.acquire(context, keep, kind) : unreported(context, keep);
    }

    /** Where no completion comes, nothing tells when a slot is free: only a provider that writes to it gets one. */
    private long unreported(long context, Object keep) {
        return nativeContexts ? slab.acquire(context, keep, ContextSlab.PLAIN) : 0;
    }

    /** An operation that the provider did not take: true never, false to try again, else an exception. */
    boolean refused(String operation, long result, long token) {
        domain.contexts().cancel(token);
        if (result == -Errno.EAGAIN) {
            return false;
        }
        throw FabricException.of(operation, result, "provider " + info.provider() + ", "
                + info.endpoint().type().nativeName() + advice(operation, result));
    }

    private String advice(String operation, long result) {
        return switch ((int) -result) {
            case Errno.ENOSYS -> "; it does not have the operation, ask for the capability in the hints";
            case 258 -> "; is the endpoint enabled?";
            case Errno.EINVAL, 90 -> operation.contains("inject")
                    ? "; inject takes at most " + info.tx().injectSize() + " bytes"
                    : "; the largest message is " + info.endpoint().maxMessageSize() + " bytes";
            default -> "";
        };
    }

    @Override
    String kind() {
        return "endpoint";
    }

    @Override
    int closeRank() {
        return CloseRank.ENDPOINT;
    }

    @Override
    void closed() {
        slab.close();
        if (claims != null) {
            claims.close();
        }
        if (localBuffers != null) {
            localBuffers.close();
        }
        if (shmName != null) {
            shmName.closed();
        }
        info.close();
    }
}
