// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricError;
import io.jfabric.async.Peer;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.ffi.Seconds;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** Asks the watched peers by the clock, and ends those that are silent for too long. */
final class Watching {
    /** How many milliseconds a poll may take at most for what it reads to count in the same tick. */
    static final long LONGEST_POLL = 10;
    private static final String CLOSED = "it has closed its node";

    private final NodeImpl node;
    private final Sending sending;
    private final Answering answering;
    private final Listening listening;
    private final Pace pace;
    private final PeerFailures failures;
    private final BooleanSupplier hearNow;
    private final Runnable retry;
    /** For the clock thread only. */
    private final MemorySegment ping;
    private final Map<Long, Watched> byKey = new ConcurrentHashMap<>();
    private final Map<Peer, Watched> byPeer = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private long lastTick = System.nanoTime();
    /** Whether this look has found answers that were read before it, but not heard. For the clock thread only. */
    private boolean heardLate;
    /** How often it has ticked. For the clock thread only. */
    private int rounds;

    /**
     * {@code hearNow} takes what was read already, and returns whether there was any; {@code retry} is run when
     * {@link #tryAgain} is to be called.
     */
    Watching(NodeImpl node, Sending sending, Answering answering, Listening listening, Pace pace,
            PeerFailures failures, BooleanSupplier hearNow, Runnable retry) {
        this.node = node;
        this.sending = sending;
        this.answering = answering;
        this.listening = listening;
        this.pace = pace;
        this.failures = failures;
        this.hearNow = hearNow;
        this.retry = retry;
        this.ping = sending.room();
    }

    /** From now on; nothing if it is watched already. */
    void add(PeerImpl peer) {
        byPeer.computeIfAbsent(peer, key -> {
            Watched made = new Watched(peer);
            byKey.put(made.key, made);
            Ticks.once(0, () -> begin(made));
            return made;
        });
    }

    /** Null if it is not watched. */
    Watched find(Peer peer) {
        return byPeer.get(peer);
    }

    void forget(Peer peer) {
        Watched watched = byPeer.get(peer);
        if (watched != null) {
            remove(watched);
        }
    }

    private boolean remove(Watched watched) {
        byPeer.remove(watched.peer, watched);
        return byKey.remove(watched.key, watched);
    }

    /** Without those that were closed since the last tick. */
    int count() {
        return (int) byKey.values().stream().filter(watched -> watched.peer.isOpen()).count();
    }

    /** The first question, which need not wait for the next tick. */
    private void begin(Watched watched) {
        if (!closed && watched.peer.isOpen() && byKey.containsKey(watched.key) && !ask(watched)) {
            retry.run();
        }
    }

    private boolean ask(Watched watched) {
        watched.trying(System.nanoTime());
        boolean bySide = watched.doubt.is(System.nanoTime(), pace.patience());
        boolean byMain = watched.doubt.asksMain(System.nanoTime()) || sending.sideWay(watched.peer) == null;
        return ask(watched, byMain, bySide);
    }

    /** Over the side way only if there is one. */
    private boolean ask(Watched watched, boolean byMain, boolean bySide) {
        Way side = bySide ? sending.sideWay(watched.peer) : null;
        boolean bySideTaken = side != null && sending.ask(ping, Beat.PING, watched.key, side);
        boolean byMainTaken = byMain && sending.ask(ping, Beat.PING, watched.key, Way.main(watched.peer));
        // one that is taken is enough until the next tick, except that the side way takes time to connect
        boolean mainRefused = byMain && !byMainTaken && !bySideTaken;
        boolean sideRefused = side != null && !bySideTaken;
        watched.asked(byMainTaken || bySideTaken, mainRefused, sideRefused, System.nanoTime());
        return !mainRefused && !sideRefused;
    }

    /** A peer has answered: returns which one; null if none was asked with that key. */
    PeerImpl heard(long key, long incarnation, boolean bySide) {
        Watched watched = byKey.get(key);
        if (watched == null) {
            return null;
        }
        heard(watched, incarnation, bySide);
        return watched.peer;
    }

    /** A peer has answered another kind of question. Does nothing if it is not watched. */
    void heard(PeerImpl peer, long incarnation, boolean bySide) {
        Watched watched = byPeer.get(peer);
        if (watched != null) {
            heard(watched, incarnation, bySide);
        }
    }

    private void heard(Watched watched, long incarnation, boolean bySide) {
        if (!bySide) {
            watched.doubt.answered();
        }
        if (!watched.heard(incarnation, System.nanoTime())) {
            end(watched, FabricError.ECONNRESET, "its process was started anew");
        }
    }

    /** The peer that was asked with that key says that it has given this node up. */
    void isGivenUp(long key) {
        Watched watched = byKey.get(key);
        if (watched != null && remove(watched)) {
            watched.peer.givesUp();
            failures.report(watched.peer, FabricError.ECONNRESET,
                    "it has given this process up, which had not answered it");
        }
    }

    /**
     * The peer that was asked with that key is closed. If what it has sent is still needed, it ends only when it has
     * been silent for as long as others, unless another process answers at its address.
     */
    void saysGoodbye(MemorySegment beat, long key, long incarnation) {
        Watched watched = byKey.get(key);
        if (watched == null) {
            return;
        }
        boolean bySide = Beat.isForSide(beat);
        heard(watched, incarnation, bySide);
        PeerImpl peer = watched.peer;
        Way side = bySide ? sending.sideWay(peer) : null;
        Way back = side == null ? Way.main(peer) : side;
        if (peer.isNeeded()) {
            watched.saysGoodbye();
            sending.answer(beat, Beat.HEARD, key, back);
        } else if (remove(watched)) {
            sending.answer(beat, Beat.HEARD, key, back);
            // a node that is its own peer ends with itself
            if (!closed && !peer.address().equals(node.address())) {
                failures.report(peer, FabricError.ECONNRESET, CLOSED);
            }
        }
    }

    private void end(Watched watched, FabricError error, String detail) {
        if (remove(watched)) {
            failures.report(watched.peer, error, detail);
        }
    }

    /** Called in each period by the clock thread. */
    void tick() {
        long now = System.nanoTime();
        boolean wasAway = pace.isStop(now - lastTick);
        lastTick = now;
        heardLate = false;
        long known = knownUntil(now);
        boolean refused = false;
        for (Watched watched : byKey.values()) {
            if (!watched.peer.isOpen()) {
                remove(watched);
                continue;
            }
            if (wasAway) {
                watched.startAnew();
                watched.doubt.startAnew();
            }
            if (!endIfSilent(watched, known)) {
                refused |= !ask(watched);
            }
        }
        if (refused) {
            retry.run();
        }
        int round = ++rounds;
        if (pace.isSlow()) {
            // rounded up, or it would find no doubt yet
            Ticks.once(pace.periodMillis() / 4 + 1, () -> askDoubted(round));
        }
        if (!listening.isDone()) {
            Ticks.once(1, () -> lookAgain(round, 1));
        }
    }

    /** Asks doubtful peers over the side way, where the next tick would be too late for that. */
    private void askDoubted(int round) {
        if (closed || !node.isOpen() || round != rounds) {
            return;
        }
        boolean refused = false;
        for (Watched watched : byKey.values()) {
            refused |= watched.doubt.is(System.nanoTime(), pace.patience())
                    && !ask(watched, watched.isRefused(), true);
        }
        if (refused) {
            retry.run();
        }
    }

    /** The time up to which all that has come is known. */
    private long knownUntil(long now) {
        return listening.isDone() ? now : listening.readUntil();
    }

    private boolean endIfSilent(Watched watched, long known) {
        boolean isSilent = isSilent(watched, known) && !isSpared(watched, known);
        if (isSilent && watched.hasSaidGoodbye()) {
            end(watched, FabricError.ECONNRESET, CLOSED);
        } else if (isSilent) {
            answering.givesUp(watched.peer);
            end(watched, FabricError.EHOSTDOWN, (watched.hasAnswered() ? "it has not answered for "
                    : "it has never answered since Node.peer made it, for ")
                    + Seconds.text(Duration.ofNanos(pace.interval()))
                    + ": it has died or stopped, cannot be reached, or was too busy"
                    + (watched.hasAnswered() ? "" : ", or has no KeepAlive")
                    + Quirks.of(node.info().provider()).whySilent(sending.sideWay(watched.peer) != null));
        }
        return isSilent;
    }

    private boolean isSilent(Watched watched, long known) {
        return watched.isSilent(known, pace.patience(), pace.patience() + pace.interval() - pace.period());
    }

    /**
     * Takes what was read already and not heard. There may be more, for which no receive was free: until the next look.
     */
    private boolean isSpared(Watched watched, long known) {
        heardLate |= hearNow.getAsBoolean();
        return heardLate && (!isSilent(watched, known) || watched.spare());
    }

    /** Until the poll is done, which a callback may hold up for long; it begins anew in each period. */
    private void lookAgain(int round, long delay) {
        long now = System.nanoTime();
        // after a stop of this process the next tick begins anew
        if (closed || !node.isOpen() || round != rounds || pace.isStop(now - lastTick)) {
            return;
        }
        if (listening.isDone()) {
            heardLate = false;
            byKey.values().forEach(watched -> endIfSilent(watched, now));
        } else {
            long next = Math.min(2 * delay, LONGEST_POLL);
            Ticks.once(next, () -> lookAgain(round, next));
        }
    }

    /** Sends refused questions again; returns whether any was refused once more. Clock thread only. */
    boolean tryAgain() {
        boolean again = false;
        for (Watched watched : byKey.values()) {
            again |= watched.peer.isOpen() && (watched.isRefused() || watched.isSideRefused())
                    && !ask(watched, watched.isRefused(), watched.isSideRefused());
        }
        return again;
    }

    void close() {
        closed = true;
        byKey.clear();
        byPeer.clear();
    }
}
