// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.Domain;
import io.jfabric.FabricArena;
import io.jfabric.FabricException;
import io.jfabric.async.OverloadException;
import io.jfabric.internal.async.future.NodeFuture;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.internal.life.Leftover;
import io.jfabric.internal.memory.FabricArenaImpl;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * Receives payloads that nobody wants any more, all into the same memory: what nobody receives stays with the provider,
 * keeps its sender waiting, and with some providers all that comes after it.
 */
public final class Discards {
    /** As long as a sender may still be about to send. */
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    /** After so many milliseconds it probably does not come, and others go first. */
    private static final long ENOUGH = 2000;
    /** So that no peer can fill the provider's queue with them. */
    private static final int MOST = 1024;
    /** So much of what a node may receive at once is for others. */
    private static final int SHARE = 4;
    /** Until one that the node had no place for is tried again, in milliseconds: at first, and later. */
    static final long PAUSE = 5;
    static final long MOST_PAUSE = 500;
    private static final int MOST_WAITING = 1 << 16;

    private final Wire wire;
    private final Domain domain;
    private final int most;
    /** Guarded by this, as all that follows. */
    private final Set<Receiving> underWay = new LinkedHashSet<>();
    private final Queue<Payload> waiting = new ArrayDeque<>();
    /** Places that are taken. */
    private int taken;
    private boolean hurrying;
    private boolean closed;
    /** How many receives may write to the memory. */
    private int writers;
    private FabricArena arena;
    private MemorySegment memory;

    private record Payload(long size, long tag, long since) {
    }

    /** Each is itself only. */
    private static final class Receiving {
        private final long since = System.nanoTime();
        private final Wire.Incoming incoming;

        Receiving(Wire.Incoming incoming) {
            this.incoming = incoming;
        }
    }

    Discards(Wire wire) {
        this.wire = wire;
        this.domain = wire.node.domain();
        this.most = Math.clamp(wire.receives() / SHARE, 1, MOST);
    }

    /** What is longer is cut off: it has come nevertheless. */
    public void add(long size, long tag) {
        Payload payload = new Payload(size, tag, System.nanoTime());
        boolean starts;
        boolean hurries = false;
        synchronized (this) {
            if (closed) {
                return;
            }
            starts = taken < most;
            if (starts) {
                taken++;
            } else if (waiting.size() < MOST_WAITING) {
                waiting.add(payload);
                hurries = !hurrying;
                hurrying = true;
            }
        }
        if (starts) {
            run(payload);
        } else if (hurries) {
            Ticks.once(ENOUGH, this::hurry);
        }
    }

    /** All the pieces of a long payload. */
    public void add(long size, List<Long> tags) {
        tags.forEach(tag -> add(size, tag));
    }

    /** In a place that was taken for it; those that wait follow in the same. */
    private void run(Payload first) {
        Payload payload = first;
        while (payload != null && !start(payload)) {
            payload = next();
        }
    }

    private synchronized Payload next() {
        Payload next = waiting.poll();
        if (next == null) {
            taken--;
        }
        return next;
    }

    /** False if it was over at once. */
    private boolean start(Payload payload) {
        Wire.Incoming incoming = receive(payload.size, payload.tag, PATIENCE);
        if (incoming == null) {
            return false;
        }
        if (isRefused(incoming) && System.nanoTime() - payload.since < PATIENCE.toNanos()) {
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
            run(next());
        });
        return true;
    }

    /** Null if there is no memory for it, or what it would have come from has ended. */
    Wire.Incoming receive(long size, long tag, Duration patience) {
        Wire.Incoming incoming;
        try {
            incoming = wire.receivePayload(memory().asSlice(0, Math.min(size, Wire.EAGER)), tag, patience);
        } catch (IllegalStateException | FabricException | OutOfMemoryError none) {
            // who drops it has more to do, such as to say so
            return null;
        }
        synchronized (this) {
            writers++;
        }
        incoming.received().whenComplete((done, failure) -> closeAfterLast());
        return incoming;
    }

    private synchronized void closeAfterLast() {
        if (--writers == 0 && closed) {
            Leftover.close(arena::tryClose);
        }
    }

    /** Whether the node had no place for it, which may be over soon. */
    static boolean isRefused(Wire.Incoming incoming) {
        return incoming.received().isCompletedExceptionally()
                && NodeFuture.cause(incoming.received().exceptionNow()) instanceof OverloadException;
    }

    /** Others wait: what has not come for long gives up its place. */
    private void hurry() {
        List<Receiving> old;
        synchronized (this) {
            if (waiting.isEmpty()) {
                hurrying = false;
                return;
            }
            long now = System.nanoTime();
            old = underWay.stream().filter(one -> now - one.since >= ENOUGH * 1_000_000).toList();
        }
        // not here, as the provider may take its time
        Thread.ofVirtual().name("jfabric-discards").start(() -> {
            old.forEach(one -> one.incoming.cancel());
            Ticks.once(ENOUGH, this::hurry);
        });
    }

    private synchronized MemorySegment memory() {
        if (closed) {
            throw new IllegalStateException("nothing is received any more");
        }
        if (memory == null) {
            if (arena == null) {
                arena = FabricArenaImpl.openBorrowed(domain);
            }
            memory = arena.allocate(Wire.EAGER, 64);
        }
        return memory;
    }

    synchronized void close() {
        closed = true;
        waiting.clear();
        if (arena != null && writers == 0) {
            Leftover.close(arena::tryClose);
        }
    }
}
