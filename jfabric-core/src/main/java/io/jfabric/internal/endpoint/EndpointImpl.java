// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.endpoint;

import io.jfabric.AddressVector;
import io.jfabric.Atomics;
import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Messages;
import io.jfabric.OperationStatistics;
import io.jfabric.Rma;
import io.jfabric.SharedReceiveContext;
import io.jfabric.SharedTransmitContext;
import io.jfabric.TaggedMessages;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_alias;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.address.VectorUser;
import io.jfabric.internal.connect.Connected;
import io.jfabric.internal.connect.Connection;
import io.jfabric.internal.connect.FabricState;
import io.jfabric.internal.connect.Naming;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.info.Constants;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Opening;
import io.jfabric.internal.life.Turn;
import io.jfabric.internal.memory.MemoryRegionImpl;
import io.jfabric.internal.memory.Registration;
import io.jfabric.internal.memory.RetiredBlocks;
import io.jfabric.internal.ops.EpOps;
import io.jfabric.internal.ops.FidOps;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Limits;
import io.jfabric.internal.post.MultiReceiveGuard;
import io.jfabric.internal.queue.CompletionQueueImpl;
import io.jfabric.internal.quirk.OverflowTail;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.guard.FetchGuard;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.BindFlag;
import io.jfabric.option.Direction;
import io.jfabric.option.EndpointOption;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Optional;

/** {@link Endpoint}: joins its parts, each of which does one thing. */
public final class EndpointImpl extends FidObject implements Endpoint, Connected, VectorUser {
    private final DomainState domain;
    private final FabricState fabric;
    private final EndpointRole role;
    /** The scalable endpoint that it is a context of, or null. */
    private final ScalableEndpointImpl scalable;
    private final Naming naming;
    private final FabricInfoImpl info;
    private final boolean connected;
    private final Connection connection;
    private final Destinations destinations;
    private final EndpointState state;
    private final Bindings bindings;
    private final DefaultFlags defaults;
    private final Messages messages;
    private final TaggedMessages tagged;
    private final Rma rma;
    private final Atomics atomics;
    private volatile boolean enabled;
    private final Presence presence;
    private boolean isParked;

    public EndpointImpl(DomainState domain, FabricState fabric, long handle, FabricInfoImpl own) {
        this(domain.object(), domain, fabric, handle, own, EndpointRole.ENDPOINT);
    }

    EndpointImpl(FidObject parent, DomainState domain, FabricState fabric, long handle, FabricInfoImpl own,
            EndpointRole role) {
        super(parent, handle);
        boolean whole = role == EndpointRole.ENDPOINT;
        this.domain = domain;
        this.fabric = fabric;
        this.role = role;
        this.scalable = parent instanceof ScalableEndpointImpl whose ? whose : null;
        this.naming = new Naming(this, own);
        this.info = naming.info();
        this.connected = info.endpoint().type() == EndpointType.MSG;
        this.connection = new Connection(info, whole && fabric.connectionRequests().isRequest(own),
                () -> DirectedCancel.cancelReceives(this), () -> Destinations.checkAgain(this));
        Contexts contexts = new Contexts(domain.contexts(), EndpointOpening.writesContexts(domain, info),
                whole && Readiness.needsQueues(info), DirectedCancel.crashes(domain.info()),
                OverflowTail.isForAll(domain.quirks()), EndpointOpening.reportsUnasked(domain, info),
                EndpointOpening.mostReceives(domain, info));
        contexts.of(this);
        this.destinations = new Destinations(this, whole ? this : parent, domain.info(),
                FetchGuard.of(info, contexts.transmits()));
        this.state = new EndpointState(this, domain, info, contexts, destinations);
        this.bindings = new Bindings(this, state, role);
        this.defaults = new DefaultFlags(this, state);
        this.presence = new Presence(domain, info, whole);
        boolean prepared = state.localBuffers() != null;
        this.messages = prepared ? new PreparedMessages(state) : new PlainMessages(state);
        this.tagged = prepared ? new PreparedTaggedMessages(state) : new PlainTaggedMessages(state);
        this.rma = state.describes() ? new PreparedRma(state) : new PlainRma(state);
        this.atomics = state.describes() || destinations.fetchGuard() != null ? new PreparedAtomics(state)
                : new PlainAtomics(state);
        takeRole();
    }

    private void takeRole() {
        state.rights().directions(role.transmits, role.receives);
        enabled = role.isEnabledAlready();
        if (role == EndpointRole.SHARED_RECEIVE_CONTEXT) {
            state.contexts().reportsReceives();
            state.shared();
        } else if (!enabled) {
            takeOutOfService();
        }
    }

    @Override
    public Domain domain() {
        return domain.domain();
    }

    @Override
    public Endpoint endpoint() {
        return this;
    }

    /** What its operations share. */
    public EndpointState state() {
        return state;
    }

    /** What the objects of its fabric share. */
    public FabricState fabricState() {
        return fabric;
    }

    Destinations destinations() {
        return destinations;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    /** Whether it is of the type that has one peer. */
    boolean isConnected() {
        return connected;
    }

    @Override
    public FabricInfoImpl info() {
        return info;
    }

    @Override
    public Address address() {
        return naming.address();
    }

    @Override
    public EndpointImpl setAddress(Address address) {
        Turn.locked(this, () -> naming.setAddress(address, bindings::checkUnnamed));
        return this;
    }

    @Override
    public <V> V option(EndpointOption<V> option) {
        MultiReceiveGuard.checkWhose("fi_getopt", option, role.receives);
        return naming.option(option);
    }

    @Override
    public <V> EndpointImpl setOption(EndpointOption<V> option, V value) {
        MultiReceiveGuard.checkWhose("fi_setopt", option, role.receives);
        Turn.locked(this, () -> state.multiReceives()
                .set(option, value, enabled, () -> naming.setOption(option, value)));
        return this;
    }

    @Override
    public EndpointImpl bind(CompletionQueue queue, BindFlag first, BindFlag... others) {
        Turn.locked(this, () -> bindings.bind(queue, first, others));
        return this;
    }

    @Override
    public EndpointImpl bind(AddressVector vector) {
        Turn.locked(this, () -> bindings.bind(vector));
        return this;
    }

    @Override
    public EndpointImpl bind(EventQueue queue) {
        Turn.locked(this, () -> bindings.bind(queue));
        return this;
    }

    @Override
    public EndpointImpl bind(SharedTransmitContext context) {
        Turn.locked(this, () -> bindings.bind(context));
        return this;
    }

    @Override
    public EndpointImpl bind(SharedReceiveContext context) {
        Turn.locked(this, () -> bindings.bind(context));
        return this;
    }

    @Override
    public EndpointImpl bind(Counter counter, BindFlag first, BindFlag... others) {
        Turn.locked(this, () -> bindings.bind(counter, first, others));
        return this;
    }

    @Override
    public EndpointImpl rawContexts() {
        locked(() -> state.contexts().raw(isOpen() && !enabled));
        return this;
    }

    @Override
    public EndpointImpl enable() {
        // one step to others: nobody closes what only a part of the process knows of
        Turn.locked(this, this::enableNow);
        return this;
    }

    private void enableNow() {
        if (enabled && isOpen()) {
            // a provider may start everything once more, and then never let go of its domain
            throw new IllegalStateException("fi_enable: the " + kind() + " is enabled already");
        }
        bindings.checkReady();
        Wildcards.beforeEnabling(this, state);
        presence.beforeEnabling(this::address, used(AddressVectorImpl.class));
        bindings.complete();
        check("fi_enable", bindings.enable(presence, this::breakDown), bindings.whyNot());
        enabled = true;
        // inside, where its queues stay open
        call(fid -> {
            eachUsed(CompletionQueueImpl::lookUp);
            return fid;
        });
        if (domain.quirks().hasAny(Quirk.LEAVES_NAMES, Quirk.LOCK_OUTLIVES_PROCESS, Quirk.PEERS_IN_PROCESS)) {
            // a thread of its own may ask for it, and would keep it from being forgotten
            WeakReference<EndpointImpl> weak = new WeakReference<>(this);
            presence.begin(address(), used(AddressVectorImpl.class),
                    () -> weak.get() instanceof EndpointImpl it && it.isEntered(),
                    why -> Optional.ofNullable(weak.get()).ifPresent(it -> it.breakDown(why)));
        }
        putIntoService();
        naming.takeEarlyOptions();
    }

    @Override
    protected boolean postponesBindings() {
        return role == EndpointRole.ENDPOINT && !enabled
                && domain.quirks().hasAny(Quirk.POLLS_WHAT_IS_BOUND, Quirk.POLLS_WHAT_IS_BOUND_TO_TCP);
    }

    @Override
    protected String bindingFor(FidObject other) {
        return super.bindingFor(other) + (enabled ? "; it is enabled already, bind before that" : "");
    }

    @Override
    public boolean isEnabled() {
        return enabled;
    }

    /** libfabric says that fi_connect and fi_accept enable the endpoint; not all providers do so. */
    private void requireEnabled() {
        Turn.locked(this, () -> {
            if (!enabled) {
                enableNow();
            }
        });
    }

    @Override
    public EndpointImpl alias(Direction direction, Flags<OperationFlag> flags) {
        long given = defaults.given(direction, Known.require(flags, "alias flags").bits());
        Limits.checkDefaults(info, "fi_ep_alias", flags);
        defaults.check(direction, flags.bits());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment argument = Structs.allocate(arena, fi_alias.layout());
            fi_alias.flags(argument, DefaultFlags.bit(direction) | given);
            handle();
            EndpointImpl alias = Opening.of(this, "fi_ep_alias", (ep, result) -> {
                fi_alias.fid(argument, MemorySegment.ofAddress(result));
                return FidOps.control(ep, Libfabric.FI_ALIAS(), argument.address());
            }, made -> new EndpointImpl(this, domain, fabric, made, info.kept(EndpointRole.ALIAS.toString()),
                    EndpointRole.ALIAS), "provider " + info.provider());
            alias.state.contexts().reportAs(state.contexts());
            alias.state.multiReceives().sharesMinimum(state.multiReceives());
            alias.state.transmitFlags(state.transmitFlags());
            alias.state.receiveFlags(state.receiveFlags());
            alias.defaults.note(direction, given);
            return alias;
        }
    }

    @Override
    public Messages messages() {
        return messages;
    }

    @Override
    public TaggedMessages tagged() {
        return tagged;
    }

    @Override
    public Rma rma() {
        return rma;
    }

    @Override
    public Atomics atomics() {
        return atomics;
    }

    @Override
    public MemoryRegionImpl register(MemorySegment memory, MemoryAccess first, MemoryAccess... others) {
        return Registration.of(domain, this, memory, Constants.bits("fi_mr_reg", first, others));
    }

    /** Whether collectives can be started: they report to the transmit queue without looking for it. */
    public boolean readyForCollectives() {
        return state.contexts().hasTransmitQueue() && enabled;
    }

    public boolean hasEventQueue() {
        return bindings.hasEventQueue();
    }

    @Override
    public boolean cancel(long context) {
        handle();
        return call(fid -> DirectedCancel.cancel(state, fid, context,
                role == EndpointRole.SHARED_RECEIVE_CONTEXT));
    }

    @Override
    public void connect(Address peer) {
        connect(peer, new byte[0]);
    }

    @Override
    public void connect(Address peer, byte[] data) {
        connection.connect(this, this::requireEnabled, peer, data);
    }

    @Override
    public void accept() {
        accept(new byte[0]);
    }

    @Override
    public void accept(byte[] data) {
        connection.accept(this, this::requireEnabled, data);
    }

    @Override
    public void shutdown() {
        connection.shutdown(this);
    }

    @Override
    public Address peerAddress() {
        return call(connection::peer);
    }

    @Override
    public MulticastGroupImpl join(Address group, long context) {
        return MulticastGroupImpl.join(this, domain.quirks(), group, 0, context);
    }

    @Override
    public MulticastGroupImpl join(Address group, long context, Direction only) {
        return MulticastGroupImpl.join(this, domain.quirks(), group, DefaultFlags.bit(only), context);
    }

    @Override
    public Flags<OperationFlag> operationFlags(Direction direction) {
        return defaults.read(direction);
    }

    @Override
    public EndpointImpl setOperationFlags(Direction direction, Flags<OperationFlag> flags) {
        defaults.set(direction, flags);
        return this;
    }

    /** Tables of functions are replaced when something is bound, enabled or set. */
    @Override
    protected void called(long fid) {
        state.lookUp(fid);
    }

    @Override
    @Deprecated
    public long transmitSizeLeft() {
        handle();
        long result = call(EpOps::txSizeLeft);
        check("fi_tx_size_left", result, "provider " + info.provider());
        return result;
    }

    @Override
    @Deprecated
    public long receiveSizeLeft() {
        handle();
        long result = call(EpOps::rxSizeLeft);
        check("fi_rx_size_left", result, "provider " + info.provider());
        return result;
    }

    @Override
    public OperationStatistics statistics() {
        return state.contexts().statistics();
    }

    @Override
    public void addressRemoved(long address) {
        state.checkPeersAgain();
        destinations.removed(address);
    }

    @Override
    public String kind() {
        return role.toString();
    }

    @Override
    protected int closeRank() {
        return role.closeRank;
    }

    @Override
    protected void closing() {
        if (scalable != null) {
            scalable.checkContextClosable();
        }
        domain.pendingTriggers().checkClosable(this);
        bindings.closing();
        connection.closing();
        if (!bindings.mayClose(enabled)) {
            presence.keep();
        }
        if (enabled && domain.quirks().has(Quirk.PEERS_IN_PROCESS)) {
            presence.leave(address());
        }
        presence.endWatch();
    }

    @Override
    protected Presence neighbours() {
        return presence;
    }

    /** Polls by others must not fill freed buffers of a closed endpoint: operations under way keep theirs. */
    @Override
    protected boolean parked(long fid) {
        isParked = DirectedCancel.cancelReceives(state, fid, presence, role == EndpointRole.SHARED_RECEIVE_CONTEXT);
        state.contexts().parked(isParked);
        if (isParked) {
            state.close();
        }
        return isParked;
    }

    @Override
    protected void closed() {
        if (!isParked) {
            state.close();
        }
        state.contexts().over();
        RetiredBlocks.closed(state.contexts());
        presence.end();
        bindings.closed();
        naming.close();
    }
}
