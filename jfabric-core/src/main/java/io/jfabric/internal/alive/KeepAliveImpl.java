// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricArena;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.node.Strangers;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Seconds;
import io.jfabric.internal.life.Leftover;
import io.jfabric.internal.memory.FabricArenaImpl;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * {@link KeepAlive}. Asks by the clock, and answers in the thread that makes progress. Messages are injected past all
 * that waits for a peer: one that the provider does not take is as good as one that is lost.
 */
public final class KeepAliveImpl implements KeepAlive {
    private static final Map<Node, KeepAliveImpl> ALL = new ConcurrentHashMap<>();
    private static final int RECEIVES = 16;
    private static final long MILLI = 1_000_000;

    /** After what time a message that was refused is tried again, in milliseconds. */
    private static final long RETRY = 5;
    /** How long who polls may take at most, in milliseconds, to be heard in the same tick. */
    private static final long LONGEST_POLL = 10;

    private final NodeImpl node;
    private final long interval;
    /** Between two messages. */
    private final long period;
    /** The interval, or so many whole periods: else it would be over a moment after a tick. */
    private final long patience;
    private final long incarnation;
    private final FabricArena arena;
    /** Both of the thread of the clock. */
    private final MemorySegment ping;
    private final MemorySegment pong;
    private final Listening listening;
    /** Where the provider injects less than these; else null. */
    private final Letters letters;
    private final byte[] address;
    private final Map<Long, Watched> byKey = new ConcurrentHashMap<>();
    private final Map<Peer, Watched> byPeer = new ConcurrentHashMap<>();
    /** What is to be answered, as the provider has refused it: the last question of each who asked. */
    private final Map<PeerImpl, Owed> owed = new ConcurrentHashMap<>();
    private final AtomicBoolean retrying = new AtomicBoolean();
    private final Askers askers = new Askers();
    private final GivenUp givenUp;
    private final AtomicReferenceArray<CompletableFuture<Received>> posted = new AtomicReferenceArray<>(RECEIVES);
    private volatile boolean closed;
    private volatile Future<?> ticking;
    private long lastTick = System.nanoTime();
    /** Of the thread of the clock: how often it has ticked. */
    private int rounds;

    private KeepAliveImpl(NodeImpl node, long interval, long period, int messages) {
        this.node = node;
        this.incarnation = node.attached(Incarnation.class, opened -> Incarnation.create()).number();
        this.givenUp = node.attached(GivenUp.class, opened -> new GivenUp());
        this.interval = interval;
        this.period = period;
        this.patience = Math.min(interval, period * messages);
        this.address = node.address().bytes();
        this.arena = ((FabricArenaImpl) node.domain().openArena()).borrowed();
        try {
            this.ping = arena.allocate(Beat.HEADER + address.length);
            this.pong = arena.allocate(Beat.HEADER);
            MemorySegment.copy(address, 0, ping, ValueLayout.JAVA_BYTE, Beat.HEADER, address.length);
            this.listening = node.options().callerProgress() ? new Poller(node) : new EngineListening(node.drive());
            long inject = node.info().tx().injectSize();
            this.letters = inject < ping.byteSize() ? new Letters(node, arena, interval) : null;
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
        long period = Math.max(1, interval.toMillis() / messages);
        KeepAliveImpl made = new KeepAliveImpl((NodeImpl) node, interval.toNanos(), period * MILLI, messages);
        if (ALL.putIfAbsent(node, made) != null) {
            made.arena.tryClose();
            throw new IllegalStateException("KeepAlive.open: the node has one already");
        }
        try {
            MemorySegment memory = made.arena.allocate((long) RECEIVES * Beat.LARGEST);
            for (int i = 0; i < RECEIVES; i++) {
                made.receive(i, memory.asSlice((long) i * Beat.LARGEST, Beat.LARGEST));
            }
            made.listening.start();
            made.ticking = Ticks.every(period, made::tickSoon);
            if (made.closed) {
                // who closed it did not see that
                made.ticking.cancel(false);
            }
            return made;
        } catch (RuntimeException | Error e) {
            // or the node could never have another one
            made.close();
            throw e;
        }
    }

    private void receive(int index, MemorySegment buffer) {
        if (closed) {
            return;
        }
        CompletableFuture<Received> receive;
        try {
            receive = node.internal().receive(buffer, OwnTags.ALIVE);
        } catch (RuntimeException refused) {
            if (node.isOpen()) {
                Ticks.once(1, () -> receive(index, buffer));
            } else {
                close();
            }
            return;
        }
        posted.set(index, receive);
        if (closed) {
            // who closed it did not see this one, which would take a message that is for the next
            receive.cancel(true);
        }
        receive.whenComplete((received, failure) -> {
            if (failure == null) {
                try {
                    if (Beat.isSound(buffer, received.length())) {
                        handle(buffer);
                    }
                } finally {
                    receive(index, buffer);
                }
            } else if (!node.isOpen()) {
                close();
            } else if (!closed) {
                Ticks.once(1, () -> receive(index, buffer));
            }
        });
    }

    private void handle(MemorySegment beat) {
        switch (Beat.type(beat)) {
            case Beat.PING -> answer(beat);
            case Beat.PONG -> answered(Beat.key(beat), Beat.incarnation(beat));
            case Beat.GIVEN_UP -> {
                Watched watched = byKey.get(Beat.key(beat));
                if (watched != null) {
                    end(watched, FabricError.ECONNRESET, "it has given this process up, which had not answered it");
                }
            }
            default -> { }
        }
    }

    private void answered(long key, long from) {
        Watched watched = byKey.get(key);
        if (watched != null) {
            if (!watched.heard(from, System.nanoTime())) {
                end(watched, FabricError.ECONNRESET, "its process was started anew");
            }
            return;
        }
        Askers.Asker asker = askers.find(key);
        if (asker != null && !asker.answered(from)) {
            end(asker);
        }
    }

    private void end(Askers.Asker asker) {
        if (askers.forget(asker)) {
            fail(asker.peer, FabricError.ECONNRESET, "its process was started anew");
        }
    }

    /** Out of the same buffer: who asks says where he is. */
    private void answer(MemorySegment beat) {
        PeerImpl peer = Strangers.peer(node, Beat.address(beat));
        if (peer == null) {
            return;
        }
        Askers.Asker asker = askers.at(peer);
        long stated = Beat.incarnation(beat);
        if (asker.isGone(stated, System.nanoTime(), interval)) {
            end(asker);
            return;
        }
        long key = Beat.key(beat);
        asker.asksWith(key, stated);
        Beat.write(beat, answerTo(key), key, incarnation, 0);
        if (!inject(beat, Beat.HEADER, peer)) {
            owed.put(peer, new Owed(key, System.nanoTime()));
            retry();
        }
        if (asker.isDoubtful(stated, System.nanoTime())) {
            // if that is refused: when it asks next
            Beat.write(beat, Beat.PING, asker.key, incarnation, address.length);
            MemorySegment.copy(address, 0, beat, ValueLayout.JAVA_BYTE, Beat.HEADER, address.length);
            inject(beat, Beat.HEADER + address.length, peer);
        }
    }

    private int answerTo(long key) {
        return givenUp.contains(key) ? Beat.GIVEN_UP : Beat.PONG;
    }

    /** Whether the provider has taken it. */
    private boolean inject(MemorySegment beat, long length, PeerImpl to) {
        try {
            if (letters != null) {
                return to.isOpen() && letters.send(beat.asSlice(0, length), to);
            }
            if (to.isOpen() && to.endpoint().tagged().inject(beat, 0, length, to.fabricAddress(), OwnTags.ALIVE)) {
                node.drive().nudge();
                return true;
            }
        } catch (FabricException | IllegalStateException | IllegalArgumentException unreachable) {
            // its silence will tell; or it is gone from the address vector, with the node as a rule
        }
        return false;
    }

    /** Soon: while a peer is being reached the provider refuses what others may wait for. */
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
        boolean again = false;
        for (Map.Entry<PeerImpl, Owed> answer : owed.entrySet()) {
            long key = answer.getValue().key;
            Beat.write(pong, answerTo(key), key, incarnation, 0);
            if (!answer.getKey().isOpen() || System.nanoTime() - answer.getValue().since > interval
                    || inject(pong, Beat.HEADER, answer.getKey())) {
                owed.remove(answer.getKey(), answer.getValue());
            } else {
                again = true;
            }
        }
        for (Watched watched : byKey.values()) {
            again |= watched.isRefused() && !ask(watched);
        }
        if (again) {
            retry();
        }
    }

    private boolean ask(Watched watched) {
        watched.trying(System.nanoTime());
        Beat.write(ping, Beat.PING, watched.key, incarnation, address.length);
        boolean taken = inject(ping, ping.byteSize(), watched.peer);
        watched.asked(taken, System.nanoTime());
        return taken;
    }

    /** What has come is to be known before it is asked who is silent. */
    private void tickSoon() {
        listening.begin();
        Ticks.once(Math.clamp(period / MILLI / 4, 1, LONGEST_POLL), this::tick);
    }

    /** Up to when whatever has come is known. */
    private long knownUntil(long now) {
        return listening.isDone() ? now : listening.readUntil();
    }

    private void tick() {
        if (!node.isOpen()) {
            close();
            return;
        }
        long now = System.nanoTime();
        boolean wasAway = now - lastTick > period + interval;
        lastTick = now;
        askers.forgetClosed();
        long known = knownUntil(now);
        boolean refused = false;
        for (Watched watched : byKey.values()) {
            if (!watched.peer.isOpen()) {
                remove(watched);
                continue;
            }
            if (wasAway) {
                watched.startAnew();
            }
            if (!endIfSilent(watched, known)) {
                refused |= !ask(watched);
            }
        }
        if (refused) {
            retry();
        }
        int round = ++rounds;
        if (!listening.isDone()) {
            Ticks.once(1, () -> lookAgain(round, 1));
        }
    }

    private boolean endIfSilent(Watched watched, long known) {
        boolean isSilent = watched.isSilent(known, patience, patience + interval - period);
        if (isSilent) {
            long key = askers.asksWith(watched.peer);
            if (key != 0) {
                givenUp.add(key);
            }
            end(watched, FabricError.EHOSTDOWN, (watched.hasAnswered() ? "it has not answered for "
                    : "it has never answered, for ") + Seconds.text(Duration.ofNanos(interval)) + ": it died, "
                    + "stopped or cannot be reached" + (watched.hasAnswered() ? "" : ", or has no KeepAlive"));
        }
        return isSilent;
    }

    /** Until who polls has done, which what follows on futures may keep for long, and in each period again. */
    private void lookAgain(int round, long delay) {
        long now = System.nanoTime();
        // after a stop of this process the next tick begins anew
        if (closed || !node.isOpen() || round != rounds || now - lastTick > period + interval) {
            return;
        }
        if (listening.isDone()) {
            byKey.values().forEach(watched -> endIfSilent(watched, now));
        } else {
            long next = Math.min(2 * delay, LONGEST_POLL);
            Ticks.once(next, () -> lookAgain(round, next));
        }
    }

    /** The first question, which need not wait for the next tick. */
    private void begin(Watched watched) {
        if (!closed && node.isOpen() && byKey.containsKey(watched.key) && !ask(watched)) {
            retry();
        }
    }

    private void end(Watched watched, FabricError error, String detail) {
        if (remove(watched)) {
            fail(watched.peer, error, detail);
        }
    }

    /** In a thread of its own: what the program has appended may do anything, and others must not wait for it. */
    private static void fail(PeerImpl peer, FabricError error, String detail) {
        FabricException why = FabricException.of("keep-alive of peer " + peer.address(), error.code(), detail);
        Thread.ofVirtual().name("jfabric-alive").start(() -> peer.fail(why));
    }

    private boolean remove(Watched watched) {
        byPeer.remove(watched.peer, watched);
        return byKey.remove(watched.key, watched);
    }

    @Override
    public Node node() {
        return node;
    }

    @Override
    public CompletableFuture<Void> watch(Peer peer) {
        PeerImpl known = (PeerImpl) Arguments.given(peer, "KeepAlive.watch", "the peer");
        if (known.node() != node) {
            throw new IllegalArgumentException("KeepAlive.watch: the peer " + peer + " is another node's");
        }
        if (closed) {
            throw new IllegalStateException("KeepAlive.watch: this is closed");
        }
        byPeer.computeIfAbsent(peer, key -> {
            Watched made = new Watched(known);
            byKey.put(made.key, made);
            Ticks.once(0, () -> begin(made));
            return made;
        });
        if (closed) {
            forget(peer);
            throw new IllegalStateException("KeepAlive.watch: this is closed");
        }
        return peer.ended();
    }

    @Override
    public void forget(Peer peer) {
        Watched watched = byPeer.get(Arguments.given(peer, "KeepAlive.forget", "the peer"));
        if (watched != null) {
            remove(watched);
        }
    }

    @Override
    public Optional<Duration> sinceLastAnswer(Peer peer) {
        Watched watched = byPeer.get(Arguments.given(peer, "KeepAlive.sinceLastAnswer", "the peer"));
        return watched == null || !watched.hasAnswered() ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, watched.heardAgo(System.nanoTime()))));
    }

    @Override
    public String toString() {
        return "keep-alive of " + node + ", " + byKey.size() + " peers" + (closed ? " (closed)" : "");
    }

    @Override
    public void close() {
        closed = true;
        if (!ALL.remove(node, this)) {
            // each of the receives comes here when the node is closed
            return;
        }
        if (ticking != null) {
            ticking.cancel(false);
        }
        listening.stop();
        byKey.clear();
        byPeer.clear();
        owed.clear();
        for (int i = 0; node.isOpen() && i < RECEIVES; i++) {
            CompletableFuture<Received> receive = posted.get(i);
            if (receive != null) {
                receive.cancel(true);
            }
        }
        Leftover.close(arena::tryClose);
    }

    /** An answer, and since when it is wanted: after an interval nobody waits for it, and who asked has asked again. */
    private record Owed(long key, long since) {
    }
}
