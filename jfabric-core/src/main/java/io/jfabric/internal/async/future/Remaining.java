// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * What a thread has found over and has still to complete. A callback of the first may wait for the rest, which nobody
 * else knows of: then another thread completes that. Not this thread, inside of the callback: callbacks of the rest may
 * in turn wait for what it has to go back to.
 */
public final class Remaining {
    /** How long a thread that waits in one of these callbacks keeps the others, in nanoseconds. */
    private static final long PATIENCE = 5_000_000;
    /** More time than this between two calls of {@link #waits} was not spent waiting, and does not count. */
    public static final long STEP = 1_000_000;
    private static final ThreadLocal<Remaining> INNERMOST = new ThreadLocal<>();

    private final BooleanSupplier next;
    /** What was handed to this thread, if {@link #next} takes from that; else null. */
    private final Queue<Remaining> parts;
    /** Found before and not finished, as this is inside of one of its callbacks. */
    private final Remaining outer;
    private boolean isOthers;
    /** How long the callback at hand has waited, and when that was asked last, or never. */
    private long waited;
    private long asked = Clock.NEVER;

    private Remaining(BooleanSupplier next, Queue<Remaining> parts, Remaining outer) {
        this.next = next;
        this.parts = parts;
        this.outer = outer;
    }

    /** Completes everything: each call of {@code next} completes one more, or returns false if none is left. */
    public static void completeAll(BooleanSupplier next) {
        completeAll(next, null);
    }

    private static void completeAll(BooleanSupplier next, Queue<Remaining> parts) {
        Remaining outer = INNERMOST.get();
        Remaining all = new Remaining(next, parts, outer);
        INNERMOST.set(all);
        try {
            while (!all.isOthers && next.getAsBoolean()) {
                all.waited = 0;
                all.asked = Clock.NEVER;
            }
        } finally {
            if (outer == null) {
                INNERMOST.remove();
            } else {
                INNERMOST.set(outer);
            }
        }
    }

    /**
     * To be called by a thread that waits, again and again, also in a series of short waits: once it has kept the rest
     * for long, another thread completes that. Returns whether it still has any.
     */
    public static boolean waits() {
        Remaining innermost = INNERMOST.get();
        if (innermost == null || innermost.isOthers) {
            return false;
        }
        long now = Clock.now();
        if (innermost.asked != Clock.NEVER) {
            innermost.waited += Math.min(now - innermost.asked, STEP);
        }
        innermost.asked = now;
        if (innermost.waited < PATIENCE) {
            return true;
        }
        handOver();
        return false;
    }

    /** To be called by a thread that waits: another thread completes all of it, if there is any. */
    public static void handOver() {
        List<Remaining> all = new ArrayList<>();
        // if one is another thread's, all around it are
        for (Remaining one = INNERMOST.get(); one != null && !one.isOthers; one = one.outer) {
            all.add(one);
        }
        if (!all.isEmpty()) {
            Queue<Remaining> left = new ConcurrentLinkedQueue<>();
            // what was handed to this thread goes on as it is: wrapped each time, it would in the end overflow a stack
            all.forEach(one -> left.addAll(one.parts == null ? List.of(one) : one.parts));
            Aside.start(Completing.likeHere(() -> completeAll(() -> completeFirst(left), left)));
            all.forEach(one -> one.isOthers = true);
        }
    }

    /**
     * The innermost first, as this thread would have gone on. They belong to the other thread now, or to one to which
     * that hands them over.
     */
    private static boolean completeFirst(Queue<Remaining> all) {
        Remaining first = all.peek();
        if (first != null && !first.next.getAsBoolean()) {
            all.remove(first);
        }
        return first != null;
    }
}
