// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricArena;
import io.jfabric.async.Group;
import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.node.Unwatched;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Seconds;
import io.jfabric.internal.life.Leftover;
import io.jfabric.internal.memory.FabricArenaImpl;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** {@link KeepAlive}. Asks by the clock, and answers in the thread that makes progress. */
public final class KeepAliveImpl implements KeepAlive {
    private static final Map<Node, KeepAliveImpl> ALL = new ConcurrentHashMap<>();

    /** After how many milliseconds a refused message is sent again. */
    private static final long RETRY = 5;

    private final NodeImpl node;
    private final Pace pace;
    private final FabricArena arena;
    private final Listening listening;
    private final Receiving receiving;
    /** Null if there is no side way. */
    private final Receiving sideReceiving;
    private final Sending sending;
    private final Answering answering;
    private final Watching watching;
    private final PeerFailures failures = new PeerFailures();
    private final AtomicBoolean retrying = new AtomicBoolean();
    private volatile boolean closed;
    private volatile Future<?> ticking;

    private KeepAliveImpl(NodeImpl node, Pace pace) {
        this.node = node;
        this.pace = pace;
        this.arena = FabricArenaImpl.openBorrowed(node.domain());
        try {
            this.listening = node.options().callerProgress() ? new Poller(node) : new EngineListening(node.drive());
            SideWay side = SideWay.of(node);
            this.sending = new Sending(node, side, arena, pace.interval());
            this.answering = new Answering(node, sending, pace.interval(), failures, this::retry);
            this.watching = new Watching(node, sending, answering, listening, pace, failures, this::hearNow,
                    this::retry);
            this.receiving = new Receiving(node, node.endpoint(), this::handle, this::close);
            this.sideReceiving = side == null ? null
                    : new Receiving(node, side.endpoint(), this::handle, this::close);
        } catch (RuntimeException | Error e) {
            arena.tryClose();
            throw e;
        }
    }

    public static KeepAliveImpl open(Node node, Duration interval, int messages) {
        Arguments.given(node, "KeepAlive.open", "the node");
        Arguments.given(interval, "KeepAlive.open", "the interval");
        if (interval.compareTo(Duration.ofMillis(10)) < 0 || interval.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("KeepAlive.open: the interval " + Seconds.text(interval)
                    + " is not between 10 ms and a day");
        }
        if (messages < 1 || messages > 100) {
            throw new IllegalArgumentException("KeepAlive.open: messages: " + messages + " is not between 1 and 100");
        }
        ((NodeImpl) node).requireTagged("KeepAlive.open");
        // the first loads classes, which may take long: not in the engine's thread, when a peer has ended
        Aside.start(() -> { });
        KeepAliveImpl made = new KeepAliveImpl((NodeImpl) node, Pace.of(interval, messages));
        if (ALL.putIfAbsent(node, made) != null) {
            made.arena.tryClose();
            throw new IllegalStateException("KeepAlive.open: the node has one already");
        }
        try {
            made.receiving.start(made.arena);
            if (made.sideReceiving != null) {
                made.sideReceiving.start(made.arena);
            }
            made.listening.start();
            made.node.lastWord(KeepAliveImpl::sayGoodbye);
            made.ticking = Ticks.every(made.pace.periodMillis(), made::tickSoon);
            if (made.closed) {
                // whoever closed it did not see that
                made.ticking.cancel(false);
            }
            return made;
        } catch (RuntimeException | Error e) {
            // or the node could never have another one
            made.close();
            throw e;
        }
    }

    /**
     * If the keep-alive is closed already, as try-with-resources closes it before the node, another one tells those
     * that asked it.
     */
    private static CompletableFuture<Void> sayGoodbye(NodeImpl node) {
        KeepAliveImpl last = ALL.get(node);
        return last == null && Askers.of(node).latestFirst().isEmpty() ? CompletableFuture.completedFuture(null)
                : (last != null ? last : open(node, Duration.ofSeconds(1), 1)).answering.goodbye().say();
    }

    private boolean hearNow() {
        return receiving.hearNow() | (sideReceiving != null && sideReceiving.hearNow());
    }

    private void handle(MemorySegment beat) {
        long key = Beat.key(beat);
        switch (Beat.type(beat)) {
            case Beat.PING, Beat.WHO -> answering.answer(beat);
            case Beat.PONG -> heard(beat, key, Beat.incarnation(beat));
            case Beat.GIVEN_UP -> watching.isGivenUp(key);
            case Beat.GOODBYE -> watching.saysGoodbye(beat, key, Beat.incarnation(beat));
            case Beat.HEARD -> answering.goodbye().heard(key);
            default -> { }
        }
    }

    private void heard(MemorySegment beat, long key, long incarnation) {
        boolean bySide = Beat.isForSide(beat);
        PeerImpl peer = watching.heard(key, incarnation, bySide);
        if (peer == null) {
            peer = answering.heard(key, incarnation);
            if (peer != null) {
                // or it might be given up, and told so, right after it has said that it is there
                watching.heard(peer, incarnation, bySide);
            }
        }
        if (peer != null) {
            sending.learn(beat, peer);
        }
    }

    /** What has come must be read before it is decided who is silent. */
    private void tickSoon() {
        listening.begin();
        Ticks.once(Math.clamp(pace.periodMillis() / 4, 1, Watching.LONGEST_POLL), this::tick);
    }

    private void tick() {
        if (!node.isOpen()) {
            close();
            return;
        }
        answering.forgetClosed();
        watching.tick();
    }

    /** Soon: while a peer is being reached, the provider refuses messages that somebody may wait for. */
    private void retry() {
        if (!closed && retrying.compareAndSet(false, true)) {
            Ticks.once(RETRY, this::tryAgain);
        }
    }

    private void tryAgain() {
        retrying.set(false);
        if (closed || !node.isOpen()) {
            return;
        }
        listening.progress();
        if (answering.tryAgain() | watching.tryAgain()) {
            retry();
        }
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public CompletableFuture<Void> watch(Peer peer) {
        PeerImpl known = requireOwn(Arguments.given(peer, "KeepAlive.watch", "the peer"));
        if (closed) {
            throw new IllegalStateException("KeepAlive.watch: this is closed");
        }
        watching.add(known);
        if (closed) {
            forget(peer);
            throw new IllegalStateException("KeepAlive.watch: this is closed");
        }
        return peer.ended();
    }

    @Override
    public void watch(Group group) {
        List<Peer> members = Arguments.given(group, "KeepAlive.watch", "the group").members();
        members.forEach(this::requireOwn);
        for (int i = 0; i < members.size(); i++) {
            if (i != group.rank()) {
                watch(members.get(i));
            }
        }
    }

    private PeerImpl requireOwn(Peer peer) {
        PeerImpl known = (PeerImpl) peer;
        if (known.node() != node) {
            throw new IllegalArgumentException("KeepAlive.watch: the peer " + peer + " is another node's");
        }
        return known;
    }

    @Override
    public void forget(Peer peer) {
        watching.forget(Arguments.given(peer, "KeepAlive.forget", "the peer"));
    }

    @Override
    public Optional<Duration> sinceLastAnswer(Peer peer) {
        Watched watched = watching.find(Arguments.given(peer, "KeepAlive.sinceLastAnswer", "the peer"));
        return watched == null || !watched.hasAnswered() ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, watched.heardAgo(System.nanoTime()))));
    }

    @Override
    public int watched() {
        return watching.count();
    }

    @Override
    public long ended() {
        return failures.count();
    }

    @Override
    public boolean isOpen() {
        return !closed && node.isOpen();
    }

    @Override
    public String toString() {
        return "keep-alive of " + node + ", " + watching.count() + " peers" + (closed ? " (closed)" : "");
    }

    @Override
    public void close() {
        closed = true;
        if (!ALL.remove(node, this)) {
            // each receive calls this when the node is closed
            return;
        }
        if (ticking != null) {
            ticking.cancel(false);
        }
        listening.stop();
        watching.close();
        answering.close();
        receiving.close();
        if (sideReceiving != null) {
            sideReceiving.close();
        }
        Leftover.close(arena::tryClose);
        Unwatched.of(node).tell();
    }
}
