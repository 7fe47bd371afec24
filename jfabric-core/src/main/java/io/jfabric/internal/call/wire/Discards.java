// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.Domain;
import io.jfabric.FabricArena;
import io.jfabric.FabricException;
import io.jfabric.async.OverloadException;
import io.jfabric.async.Received;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.life.Leftover;
import io.jfabric.internal.memory.FabricArenaImpl;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * Receives payloads that nobody wants any more, all into the same memory. A payload that is not received stays with the
 * provider, keeps its sender waiting, and with some providers blocks all that comes after it. So this goes on even when
 * all callers and services are closed. Any thread.
 */
public final class Discards {
    /** How long a sender may still be about to send. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    /** After so many milliseconds a receive makes way for one that waits: what has already come is received at once. */
    private static final long TURN = 50;
    /** The most receives at once, so that no peer can fill the provider's queue with them. */
    private static final int MOST = 1024;
    /** One in so many of the node's receives may be used here. */
    private static final int SHARE = 4;
    /** The shortest and longest pause before a payload that the node had no place for is retried, in milliseconds. */
    static final long PAUSE = 5;
    static final long MOST_PAUSE = 500;
    private static final int MOST_WAITING = 1 << 16;

    private final Wire wire;
    private final Domain domain;
    private final int most;
    /** Guarded by this, as are all fields below. */
    private final Set<Receiving> underWay = new LinkedHashSet<>();
    private final Queue<Payload> waiting = new ArrayDeque<>();
    /** Places that are taken. */
    private int taken;
    private boolean takesTurns;
    private final Runnable turn = this::takeTurns;
    /** How many hubs there are, and receives that may write to the memory: it is kept as long as there are any. */
    private int hubs;
    private int writers;
    private FabricArena arena;
    private MemorySegment memory;

    private record Payload(long size, long tag, long since) {
        Duration left() {
            return PATIENCE.minusNanos(System.nanoTime() - since);
        }

        boolean isYoung() {
            return left().isPositive();
        }
    }

    /** Compared by identity. */
    private static final class Receiving {
        private final long since = System.nanoTime();
        private final Wire.Incoming incoming;

        Receiving(Wire.Incoming incoming) {
            this.incoming = incoming;
        }
    }

    private Discards(Wire wire) {
        this.wire = wire;
        this.domain = wire.node.domain();
        this.most = Math.clamp(wire.receives() / SHARE, 1, MOST);
    }

    /** The discards of a node, which outlive its hubs. */
    static Discards of(Wire wire) {
        return wire.node.attached(Discards.class, node -> new Discards(wire));
    }

    /** Receives a payload and drops it. One that is longer than said is cut off, but is received nevertheless. */
    public void add(long size, long tag) {
        add(new Payload(size, tag, System.nanoTime()));
    }

    private void add(Payload payload) {
        boolean starts;
        boolean begins = false;
        synchronized (this) {
            starts = taken < most;
            if (starts) {
                taken++;
            } else if (waiting.size() < MOST_WAITING) {
                waiting.add(payload);
                begins = !takesTurns;
                takesTurns = true;
            }
        }
        if (starts) {
            run(payload);
        } else if (begins) {
            nextTurn();
        }
    }

    /** Receives and drops all pieces of a long payload. */
    public void add(long size, List<Long> tags) {
        tags.forEach(tag -> add(size, tag));
    }

    /** Runs a payload in a place that was taken for it; those that wait follow in the same place. */
    private void run(Payload first) {
        Payload payload = first;
        while (payload != null && !start(payload)) {
            payload = next();
        }
    }

    private synchronized Payload next() {
        if (!wire.node.isOpen()) {
            waiting.clear();
        }
        Payload next = waiting.poll();
        if (next == null) {
            taken--;
        }
        return next;
    }

    /** False if it was over at once. */
    private boolean start(Payload payload) {
        Wire.Incoming incoming = payload.isYoung() ? receive(payload.size, payload.tag, payload.left()) : null;
        if (incoming == null) {
            return false;
        }
        if (isRefused(incoming) && payload.isYoung()) {
            long age = (System.nanoTime() - payload.since) / 1_000_000;
            Ticks.once(Math.clamp(age, PAUSE, MOST_PAUSE), () -> run(payload));
            return true;
        }
        if (incoming.received().isDone()) {
            return false;
        }
        Receiving one = new Receiving(incoming);
        synchronized (this) {
            underWay.add(one);
        }
        one.incoming.received().whenComplete((done, failure) -> {
            synchronized (this) {
                underWay.remove(one);
            }
            if (failure != null && NodeFuture.cause(failure) instanceof CancellationException) {
                // it had to make way for another; while the provider may still receive it, nobody else has to
                incoming.released().thenRun(() -> add(payload));
            }
            run(next());
        });
        return true;
    }

    /** Null if there is no memory for it, or the node has ended. */
    Wire.Incoming receive(long size, long tag, Duration patience) {
        Wire.Incoming incoming;
        try {
            incoming = wire.receivePayload(take().asSlice(0, Math.min(size, Wire.EAGER)), tag, patience);
        } catch (IllegalStateException | FabricException | OutOfMemoryError none) {
            // whoever drops a payload has more to do, such as saying so
            giveBack();
            return null;
        }
        incoming.received().whenComplete((done, failure) -> giveBack());
        return incoming;
    }

    /** Whether the node had no place for it, which may change soon. */
    static boolean isRefused(Wire.Incoming incoming) {
        return incoming.received().isCompletedExceptionally()
                && NodeFuture.cause(incoming.received().exceptionNow()) instanceof OverloadException;
    }

    private void nextTurn() {
        boolean comes = false;
        try {
            Ticks.once(TURN, turn);
            comes = true;
        } finally {
            if (!comes) {
                noTurns();
            }
        }
    }

    /** Without memory for the next turn; whatever waits next begins anew. */
    private synchronized void noTurns() {
        takesTurns = false;
    }

    private void takeTurns() {
        boolean goesOn = false;
        try {
            makeWay();
            goesOn = true;
        } finally {
            if (!goesOn) {
                noTurns();
            }
        }
    }

    /** Makes way for those that wait: one of them may have come already, and block all that follows it. */
    private void makeWay() {
        List<CompletableFuture<Received>> old = new ArrayList<>();
        synchronized (this) {
            takesTurns = !waiting.isEmpty() && wire.node.isOpen();
            if (!takesTurns) {
                return;
            }
            long now = System.nanoTime();
            for (Receiving one : underWay) {
                if (now - one.since >= TURN * 1_000_000) {
                    old.addAll(one.incoming.pieces());
                }
            }
        }
        // not here, as the provider may take its time
        Aside.start(() -> {
            try {
                wire.node.cancelAll(old);
            } finally {
                nextTurn();
            }
        });
    }

    /** The memory to receive into, until it is {@linkplain #giveBack given back}. */
    private synchronized MemorySegment take() {
        writers++;
        if (memory == null) {
            if (arena == null) {
                arena = FabricArenaImpl.openBorrowed(domain);
            }
            memory = arena.allocate(Wire.EAGER, 64);
        }
        return memory;
    }

    private void giveBack() {
        freeIfUnused(0, 1);
    }

    /** A hub was opened. */
    void begin() {
        freeIfUnused(-1, 0);
    }

    /** A hub was closed. */
    void end() {
        freeIfUnused(1, 0);
    }

    /** Reduces the counts, and frees the memory if nobody needs it any more. */
    private void freeIfUnused(int lessHubs, int lessWriters) {
        FabricArena unused = null;
        synchronized (this) {
            hubs -= lessHubs;
            writers -= lessWriters;
            if (hubs == 0 && writers == 0) {
                unused = arena;
                arena = null;
                memory = null;
            }
        }
        if (unused != null) {
            Leftover.close(unused::tryClose);
        }
    }
}
