// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.node;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.NodeStatistics;
import io.jfabric.async.Operations;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.internal.async.connect.Connections;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.drive.NodeParts;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.future.Following;
import io.jfabric.internal.async.future.Lending;
import io.jfabric.internal.async.future.Remaining;
import io.jfabric.internal.async.operation.BufferList;
import io.jfabric.internal.async.operation.Common;
import io.jfabric.internal.async.operation.Masks;
import io.jfabric.internal.async.operation.OperationsImpl;
import io.jfabric.internal.async.operation.Scratch;
import io.jfabric.internal.async.operation.StandingReceive;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.async.peer.Peers;
import io.jfabric.internal.async.peer.Requests;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Log;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.life.Leaks;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** {@link Node}: joins its parts, each of which does one thing. */
public final class NodeImpl extends NodeOperations {
    private static final Log LOG = Log.of(Node.class);
    private static final AtomicLong OPENED = new AtomicLong();
    /** How long a closing node waits for its farewell to be heard, as those who should hear it may be dead. */
    public static final Duration FAREWELL = Duration.ofMillis(200);
    /** The same for those that would otherwise find out by themselves. */
    public static final Duration LAST_WORD = Duration.ofMillis(10);

    private final NodeParts parts;
    private final NodeOptions options;
    private final Address address;
    private final Flow flow;
    private final Drive drive;
    private final Peers peers;
    private final Connections connections;
    private final Common common;
    private final Operations operations;
    private final OperationsImpl internal;
    private final NodeClosing closing;
    private final Leaks.Tracker tracker;
    private final long number = OPENED.incrementAndGet();
    private final Map<Class<?>, Object> attachments = new ConcurrentHashMap<>();
    private final Set<Supplier<CompletableFuture<Void>>> farewells = ConcurrentHashMap.newKeySet();
    private volatile Function<NodeImpl, CompletableFuture<Void>> lastWord;
    private final Queue<Runnable> atEnd = new ConcurrentLinkedQueue<>();

    NodeImpl(NodeParts parts, NodeOptions options) {
        this.parts = parts;
        this.options = options;
        this.address = parts.endpoint() == null ? null : parts.endpoint().address();
        this.flow = new Flow(options.withPeerLimit(
                Math.min(options.peerLimit(), Quirks.of(parts.info().provider()).mostForOnePeer())));
        this.drive = new Drive(parts, flow, options);
        ((DomainImpl) parts.domain()).state().driver(drive);
        Lane receives = flow.receiveLane();
        this.peers = new Peers(this, parts, flow, drive, receives);
        this.connections = new Connections(parts, flow, drive, peers, Clock.nanos(options.deadline()));
        boolean directed = mayHave(info(), Capability.DIRECTED_RECV);
        FabricInfo opened = parts.endpoint() == null ? info() : parts.endpoint().info();
        this.common = new Common(this, parts.endpoint(), directed, BufferList.mostSent(opened),
                BufferList.mostReceived(opened), BufferList.mostTransferred(opened), new Requests(parts.endpoint()),
                drive, peers, receives, flow.internalReceiveLane(), flow.manyReceivesLane(),
                new Scratch(parts.memory()), new Masks());
        this.operations = new OperationsImpl(common, Clock.nanos(options.deadline()),
                Clock.nanos(options.receiveDeadline()));
        this.internal = OperationsImpl.reserved(common, Clock.nanos(options.deadline()), Clock.NEVER,
                common.ownReceives());
        this.closing = new NodeClosing(this, parts, flow);
        this.tracker = Leaks.trackOwner(this, "Node", Leaks.Often.SELDOM, ((FidObject) parts.fabric()).tracker());
    }

    /** Starts to make progress. */
    NodeImpl begin() {
        try {
            if (parts.events() != null) {
                connections.begin();
            }
            closing.begin();
        } catch (RuntimeException | Error e) {
            tracker.closed();
            throw e;
        }
        return this;
    }

    /** Returns a part that only connectionless nodes have. */
    private <T> T own(T part, String what, String instead) {
        if (part == null) {
            throw new IllegalStateException("Node." + what + ": this node is connection-oriented (Hints.msg()); see "
                    + instead);
        }
        return part;
    }

    private Connections toConnect(String what) {
        if (parts.events() == null) {
            throw new IllegalStateException("Node." + what + ": this node has no connections; see Node.peer, or open "
                    + "it with Hints.msg()");
        }
        if (flow.isClosed()) {
            throw new IllegalStateException("Node." + what + ": the node is closed");
        }
        return connections;
    }

    public Drive drive() {
        return drive;
    }

    Peers peers() {
        return peers;
    }

    Connections connections() {
        return connections;
    }

    /** Its number among the nodes that this process has opened, from 1. */
    public long number() {
        return number;
    }

    /** Its entry among what is open in the process. */
    public Leaks.Tracker tracker() {
        return tracker;
    }

    /** For operations that {@link Operations} does not have. */
    public Common common() {
        return common;
    }

    /** An object kept for each node, one of its class; made when it is first asked for. */
    public <T> T attached(Class<T> kind, Function<NodeImpl, T> make) {
        return kind.cast(attachments.computeIfAbsent(kind, key -> make.apply(this)));
    }

    /**
     * Adds a farewell, which is said when the node is to be closed and can still send, to those who would wait for it.
     * It must not wait itself: its future is done when they have heard it.
     */
    public void farewell(Supplier<CompletableFuture<Void>> action) {
        farewells.add(action);
    }

    /** Takes a farewell back. */
    public void noFarewell(Supplier<CompletableFuture<Void>> action) {
        farewells.remove(action);
    }

    /** Sets what to say after all farewells, to those who no longer count on the node then. It must not wait either. */
    public void lastWord(Function<NodeImpl, CompletableFuture<Void>> action) {
        lastWord = action;
    }

    void sayLastWord() {
        if (lastWord != null) {
            try {
                await(lastWord.apply(this), LAST_WORD);
            } catch (RuntimeException | Error notAll) {
                LOG.debug("{} is closed although not all who watch it have heard of it", this, notAll);
            }
        }
    }

    void sayFarewells() {
        List<CompletableFuture<Void>> heard = new ArrayList<>();
        for (Supplier<CompletableFuture<Void>> farewell : farewells) {
            try {
                heard.add(farewell.get());
            } catch (RuntimeException | Error e) {
                LOG.debug("{} is closed without a word to callers of a service", this, e);
            }
        }
        try {
            // some providers lose what was not read yet when something is sent to a closed peer
            await(CompletableFuture.allOf(heard.toArray(CompletableFuture[]::new)), FAREWELL);
        } catch (RuntimeException | Error notAll) {
            LOG.debug("{} is closed although not all callers of its services have heard of it", this, notAll);
        }
    }

    /** Runs something once all is closed, so that the provider uses no memory any more. */
    public void atEnd(Runnable action) {
        atEnd.add(action);
        if (!parts.fabric().isOpen()) {
            runAtEnd();
        }
    }

    /** Runs what was to be run once all is closed. */
    void runAtEnd() {
        for (Runnable action = atEnd.poll(); action != null; action = atEnd.poll()) {
            action.run();
        }
    }

    @Override
    Operations operations() {
        return operations;
    }

    @Override
    public NodeOptions options() {
        return options;
    }

    @Override
    public Address address() {
        return own(address, "address", "NodeListener.address");
    }

    @Override
    public PeerImpl peer(Address peer) {
        return peers.at(Objects.requireNonNull(peer, "Node.peer: the address is null"));
    }

    /** A peer that has ended for that reason, for an address where nobody is yet. */
    public PeerImpl absentPeer(Address address, FabricException why) {
        return peers.absent(address, why);
    }

    @Override
    public PeerImpl peer(byte[] peer) {
        return peers.at(Address.ofCode(address().formatCode(),
                Objects.requireNonNull(peer, "Node.peer: the address is null")));
    }

    @Override
    public NodeListener listen() {
        return toConnect("listen").listen(null);
    }

    @Override
    public NodeListener listen(Address where) {
        return toConnect("listen").listen(Objects.requireNonNull(where, "Node.listen: the address is null"));
    }

    @Override
    public CompletableFuture<Peer> connect(Address listener) {
        return connect(listener, new byte[0]);
    }

    @Override
    public CompletableFuture<Peer> connect(Address listener, byte[] data) {
        return toConnect("connect").connect(listener, data);
    }

    @Override
    public FabricArena memory() {
        return parts.memory();
    }

    @Override
    public MemorySegment allocate(long byteSize) {
        if (!parts.memory().scope().isAlive()) {
            throw new IllegalStateException("Node.allocate: the node is closed");
        }
        return parts.memory().allocate(byteSize, 1);
    }

    @Override
    public MemoryRegion register(MemorySegment memory, MemoryAccess first, MemoryAccess... others) {
        return parts.endpoint() == null ? parts.domain().register(memory, first, others)
                : parts.endpoint().register(memory, first, others);
    }

    @Override
    public void onWritten(LongConsumer handler) {
        drive.written().handler(Objects.requireNonNull(handler, "Node.onWritten: the handler is null"));
    }

    @Override
    public Operations within(Duration deadline) {
        long nanos = Clock.nanos(Arguments.deadline(deadline, "Node.within", "the deadline"));
        return new OperationsImpl(common, nanos, nanos);
    }

    /** Whether it was opened with the capability, or perhaps was: some providers do not say what they can do. */
    public static boolean mayHave(FabricInfo info, Capability capability) {
        return info.capabilities().isEmpty() || info.capabilities().contains(capability);
    }

    /** Throws unless {@link #internal()} can be used now: its messages have tags. */
    public void requireTagged(String operation) {
        OwnMessages.require(operation, this, parts.endpoint() != null);
    }

    /** The node's own messages, with tags that programs cannot use. Receives have no deadline. */
    public OperationsImpl internal() {
        return internal;
    }

    /** A receive of the node's own messages with this tag, from anybody. */
    public StandingReceive receiveAgain(long tag, StandingReceive.Taker taker) {
        return new StandingReceive(common, endpoint(), tag, taker);
    }

    /** As {@link #internal()}, with one deadline for all, and for receives of which there may be many. */
    public Operations payloads(Duration deadline) {
        long nanos = Clock.nanos(deadline);
        return OperationsImpl.reserved(common, nanos, nanos, common.payloads());
    }

    /** Cancels receives of the node's own messages; waits only once for a provider that does not let go at once. */
    public void cancelAll(List<CompletableFuture<Received>> receives) {
        List<Operation<?>> posted = new ArrayList<>();
        for (CompletableFuture<Received> receive : receives) {
            if (receive instanceof Operation<?> operation && operation.isPosted()) {
                posted.add(operation);
            } else {
                receive.cancel(false);
            }
        }
        if (!posted.isEmpty()) {
            flow.giveUp(posted, operation -> new CancellationException(operation.what() + ": cancelled"), drive);
        }
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Duration deadline) {
        return Awaiting.await(future, deadline, drive);
    }

    @Override
    public CompletableFuture<Void> released(CompletableFuture<?> operation) {
        return ((Lending) Lending.operation("Node.released", operation, drive)).released();
    }

    @Override
    public <T, U> CompletableFuture<U> thenApply(CompletableFuture<T> operation,
            Function<? super T, ? extends U> function) {
        return new Following<>(Lending.operation("Node.thenApply", operation, drive),
                Objects.requireNonNull(function, "Node.thenApply: no function"));
    }

    /** Runs something after the end of a send, when the provider does not read its memory any more: mostly at once. */
    public void whenReleased(CompletableFuture<?> sent, Throwable failure, Runnable then) {
        if (failure == null) {
            then.run();
        } else {
            released(sent).thenRun(then);
        }
    }

    @Override
    public int progress() {
        int work = drive.poll();
        if (work == 0) {
            // in a callback this may be how the program waits for another future
            Remaining.waits();
        }
        return work;
    }

    @Override
    public int underWay() {
        return flow.underWay();
    }

    @Override
    public int waiting() {
        return flow.waiting();
    }

    @Override
    public NodeStatistics statistics() {
        return NodeStatisticsImpl.of(parts.domain().statistics(), flow, drive.moved());
    }

    @Override
    public Endpoint endpoint() {
        return own(parts.endpoint(), "endpoint", "Peer.endpoint");
    }

    @Override
    public Domain domain() {
        return parts.domain();
    }

    @Override
    public AddressVector addressVector() {
        return own(parts.vector(), "addressVector", "Peer.endpoint");
    }

    @Override
    public CompletionQueue completionQueue() {
        return parts.queue();
    }

    @Override
    public Fabric fabric() {
        return parts.fabric();
    }

    @Override
    public FabricInfo info() {
        return parts.domain().info();
    }

    @Override
    public boolean isOpen() {
        return !flow.isClosed();
    }

    @Override
    public CompletableFuture<Void> ended() {
        return drive.end.future();
    }

    @Override
    public void close() {
        closing.close();
    }

    @Override
    public String toString() {
        return address == null ? "connection-oriented node" : "node at " + address;
    }
}
