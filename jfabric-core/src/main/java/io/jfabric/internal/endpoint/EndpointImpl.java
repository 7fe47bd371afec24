// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.SharedReceiveContext;
import io.jfabric.SharedTransmitContext;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_alias;
import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.info.Mode;
import io.jfabric.info.MrMode;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.collective.CollectivesImpl;
import io.jfabric.internal.connect.Connected;
import io.jfabric.internal.connect.EventQueueImpl;
import io.jfabric.internal.connect.FabricState;
import io.jfabric.internal.ffi.EpOps;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.FidOps;
import io.jfabric.internal.ffi.Signals;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.memory.MemoryRegionImpl;
import io.jfabric.internal.memory.Registration;
import io.jfabric.internal.post.ContextSlab;
import io.jfabric.internal.post.DomainState;
import io.jfabric.internal.post.LocalBuffers;
import io.jfabric.internal.post.PendingTriggers;
import io.jfabric.internal.post.Refusal;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.option.BindFlag;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** {@link Endpoint}. */
public final class EndpointImpl extends GuardedEndpoint implements Endpoint, Connected {
    private final DomainState domain;
    private final FabricState fabric;
    private final FabricInfoImpl info;
    private final EndpointRole role;
    // Two, so that a loop which sends one buffer and receives into another finds each in the slot it had before.
    private final ContextSlab transmitSlab;
    private final ContextSlab receiveSlab;
    /** Untagged receives from one peer: apart only where libfabric cannot cancel them. */
    private final ContextSlab directedSlab;
    /** Contexts of reserved messages: the provider writes to them, whatever its mode. Made when first needed. */
    private ContextSlab claims;
    private final MessagesImpl messages;
    private final TaggedMessagesImpl tagged;
    private final RmaImpl rma;
    private final AtomicsImpl atomics;
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
    private CollectivesImpl collectives;
    private boolean hasSharedTransmit;
    private boolean hasSharedReceive;
    private ShmName shmName;

    public EndpointImpl(DomainState domain, FabricState fabric, long handle, FabricInfoImpl info) {
        this(domain.object(), domain, fabric, handle, info, EndpointRole.ENDPOINT);
    }

    public EndpointImpl(FidObject parent, DomainState domain, FabricState fabric, long handle, FabricInfoImpl opened, EndpointRole role) {
        super(parent, handle, opened, role, role == EndpointRole.ENDPOINT
                && fabric.connectionRequests().isRequest(opened));
        this.domain = domain;
        this.fabric = fabric;
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
        this.messages = new MessagesImpl(this);
        this.tagged = new TaggedMessagesImpl(this);
        this.rma = new RmaImpl(this);
        this.atomics = new AtomicsImpl(this);
    }

    @Override
    public Domain domain() {
        return domain.domain();
    }

    /** What the objects of its domain share. */
    public DomainState state() {
        return domain;
    }

    /** What the objects of its fabric share. */
    public FabricState fabricState() {
        return fabric;
    }

    @Override
    public Endpoint endpoint() {
        return this;
    }

    @Override
    public EndpointImpl bind(CompletionQueue queue, BindFlag... flags) {
        CompletionQueueImpl queueImpl = (CompletionQueueImpl) queue;
        long bits = BindFlag.bits(flags);
        if ((bits & (BindFlag.TRANSMIT.code() | BindFlag.RECV.code())) == 0) {
            throw new IllegalArgumentException(
                    "bind: say which completions go to the queueImpl, TRANSMIT or RECV or both");
        }
        bind("fi_ep_bind", queueImpl, bits);
        queueBound(bits);
        boolean selective = (bits & BindFlag.SELECTIVE_COMPLETION.code()) != 0;
        transmitCompletes |= (bits & BindFlag.TRANSMIT.code()) != 0 && !selective;
        receiveCompletes |= (bits & BindFlag.RECV.code()) != 0 && !selective;
        return this;
    }

    @Override
    public EndpointImpl bind(AddressVector vector) {
        AddressVectorImpl vectorImpl = (AddressVectorImpl) vector;
        if (isConnected()) {
            // tcp and sockets take it, and never let go of it
            throw new IllegalStateException("fi_ep_bind: a connected endpoint has no use for an address vectorImpl");
        }
        bindOnce("fi_ep_bind", vectorImpl);
        return this;
    }

    @Override
    public EndpointImpl bind(EventQueue queue) {
        EventQueueImpl queueImpl = (EventQueueImpl) queue;
        bindOnce("fi_ep_bind", queueImpl);
        connection().reportsToQueue();
        hasEventQueue = true;
        return this;
    }

    @Override
    public EndpointImpl bind(SharedTransmitContext context) {
        SharedTransmitContextImpl contextImpl = (SharedTransmitContextImpl) context;
        Readiness.checkShares("transmit", info.endpoint().txContextCount(), hasSharedTransmit);
        bind("fi_ep_bind", contextImpl, 0);
        hasSharedTransmit = true;
        return this;
    }

    @Override
    public EndpointImpl bind(SharedReceiveContext context) {
        SharedReceiveContextImpl contextImpl = (SharedReceiveContextImpl) context;
        Readiness.checkShares("receive", info.endpoint().rxContextCount(), hasSharedReceive);
        bind("fi_ep_bind", contextImpl.endpoint(), 0);
        hasSharedReceive = true;
        return this;
    }

    @Override
    public EndpointImpl bind(Counter counter, BindFlag first, BindFlag... others) {
        CounterImpl counterImpl = (CounterImpl) counter;
        bind("fi_ep_bind", counterImpl, first.code() | BindFlag.bits(others));
        return this;
    }

    @Override
    public EndpointImpl enable() {
        checkReady(receiveFlags);
        if (role == EndpointRole.ENDPOINT) {
            Readiness.checkShared("SharedTransmitContext", info.endpoint().txContextCount(), hasSharedTransmit);
            Readiness.checkShared("SharedReceiveContext", info.endpoint().rxContextCount(), hasSharedReceive);
        }
        bindPostponed();
        int result = Signals.keep(() -> FidOps.control(fid(), Libfabric.FI_ENABLE(), 0));
        check("fi_enable", result, result == -Errno.EADDRINUSE ? "another endpoint has the address "
                + info.sourceAddress().map(Address::toString).orElse("") : null);
        enabled();
        takeEarlyOptions();
        if (domain.quirks().has(Quirk.LEAVES_NAMES) && shmName == null) {
            shmName = ShmName.of(address());
        }
        return this;
    }

    @Override
    public EndpointImpl alias(BindFlag direction, Flags<OperationFlag> flags) {
        long bits = directionBit(direction) | Known.require(flags, "alias flags").bits();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment argument = Structs.allocate(arena, fi_alias.layout());
            fi_alias.fid(argument, result);
            fi_alias.flags(argument, bits);
            check("fi_ep_alias", FidOps.control(handle(), Libfabric.FI_ALIAS(), argument.address()),
                    "provider " + info.provider());
            EndpointImpl alias = new EndpointImpl(this, domain, fabric, result.get(ValueLayout.JAVA_LONG, 0), info,
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
    public void enableImplicitly() {
        if (!isEnabled()) {
            enable();
        }
    }

    @Override
    public void operationFlagsChanged(BindFlag direction, long bits) {
        if (direction == BindFlag.TRANSMIT) {
            transmitFlags = bits;
        } else {
            receiveFlags = bits;
        }
    }

    @Override
    public MessagesImpl messages() {
        return messages;
    }

    @Override
    public TaggedMessagesImpl tagged() {
        return tagged;
    }

    @Override
    public RmaImpl rma() {
        return rma;
    }

    @Override
    public AtomicsImpl atomics() {
        return atomics;
    }

    @Override
    public MemoryRegionImpl register(MemorySegment memory, MemoryAccess first, MemoryAccess... others) {
        return Registration.of(this, memory, MemoryAccess.bits(first, others));
    }

    /** Whether collectives can be started: they report to the transmit queue without looking for it. */
    public boolean readyForCollectives() {
        return hasTransmitQueue() && isEnabled();
    }

    public boolean hasEventQueue() {
        return hasEventQueue;
    }

    @Override
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

    public boolean mayFetch(String operation, long destination) {
        return mayFetch(operation, destination, transmitCompletes);
    }

    @Override
    public PendingTriggers pendingTriggers() {
        return domain.pendingTriggers();
    }

    public boolean prepared() {
        return prepared;
    }

    public ContextSlab receiveSlab() {
        return receiveSlab;
    }

    /** Whether local buffers must be registered, by jfabric if need be. */
    public boolean registers() {
        return registers;
    }

    /** Whether remote accesses need descriptors, which takes the long way. */
    public boolean describes() {
        return describes;
    }

    public LocalBuffers localBuffers() {
        return localBuffers;
    }

    public synchronized ContextSlab claims() {
        if (claims == null) {
            claims = new ContextSlab(domain.contexts(), true);
        }
        return claims;
    }

    /** The flags of operations that have none of their own. */
    public long transmitFlags() {
        return transmitFlags;
    }

    /** The flags of receives that have none of their own. */
    public long receiveFlags() {
        return receiveFlags;
    }

    /** The token for an operation of this side; 0 where nothing will report its completion. */
    public long transmitToken(long context, Object keep) {
        return transmitCompletes ? transmitSlab.acquire(context, keep, ContextSlab.PLAIN)
                : unreported(true, transmitSlab, context, keep);
    }

    /** The token for a receive; 0 where nothing will report its completion. */
    public long receiveToken(long context, Object keep) {
        return receiveCompletes ? receiveSlab.acquire(context, keep, ContextSlab.PLAIN)
                : unreported(false, receiveSlab, context, keep);
    }

    /** The token for an operation of this side with flags of its own. */
    public long transmitToken(long context, Object keep, byte kind, long flags) {
        return transmitCompletes || (flags & Libfabric.FI_COMPLETION()) != 0
                ? transmitSlab.acquire(context, keep, kind) : unreported(true, transmitSlab, context, keep);
    }

    /** The token for an untagged receive, from one peer or any. */
    public long receiveToken(long context, Object keep, long source) {
        ContextSlab slab = source == Address.ANY ? receiveSlab : directedSlab;
        return receiveCompletes ? slab.acquire(context, keep, ContextSlab.PLAIN)
                : unreported(false, slab, context, keep);
    }

    /** The token for a receive with flags of its own; of a tagged one the source does not matter. */
    public long receiveToken(long context, Object keep, byte kind, long flags, long source) {
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
    public boolean refused(String operation, long result, long token) {
        domain.contexts().cancel(token);
        if (result == -Errno.EAGAIN) {
            return false;
        }
        throw Refusal.of(info, operation, result);
    }

    @Override
    public String kind() {
        return role.toString();
    }

    @Override
    public int closeRank() {
        return role.closeRank;
    }

    @Override
    public void closed() {
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
    public EndpointImpl self() {
        return this;
    }
}
