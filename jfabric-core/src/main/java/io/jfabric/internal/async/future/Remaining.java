// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import io.jfabric.internal.clock.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * What a thread is still to complete of what it has found over. What follows on the first of it may wait for the rest,
 * which nobody else knows of: then another thread completes that. Not this one, inside: what follows on the rest may
 * itself wait for what this one has to go back to.
 */
public final class Remaining {
    /** For how long a thread that waits in what follows on one of these keeps the others. */
    private static final long PATIENCE = 5_000_000;
    /** How long a wait between two questions is at most: else it was none. */
    public static final long STEP = 1_000_000;
    private static final ThreadLocal<Remaining> INNERMOST = new ThreadLocal<>();

    private final BooleanSupplier next;
    /** What was handed to this thread, if that is what {@link #next} takes from; else null. */
    private final Queue<Remaining> parts;
    /** Found before, and not finished, as this is inside of what followed on something there. */
    private final Remaining outer;
    private boolean isOthers;
    /** For how long what follows on one of these has waited, and when it was asked last, or never. */
    private long waited;
    private long asked = Clock.NEVER;

    private Remaining(BooleanSupplier next, Queue<Remaining> parts, Remaining outer) {
        this.next = next;
        this.parts = parts;
        this.outer = outer;
    }

    /** Completes all of it. Each call takes one out and completes it; false if there is none left. */
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
     * For a thread that waits, and says so again and again, also in one short wait after the other: when it has kept
     * the rest for long, another one completes that. Whether it has any still.
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

    /** For a thread that waits: another one completes all of it, if there is any. */
    public static void handOver() {
        List<Remaining> all = new ArrayList<>();
        // what is another's has only such outside
        for (Remaining one = INNERMOST.get(); one != null && !one.isOthers; one = one.outer) {
            all.add(one);
        }
        if (!all.isEmpty()) {
            Queue<Remaining> left = new ConcurrentLinkedQueue<>();
            // what was handed to this thread as it is: wrapped each time, it would be too deep for a stack one day
            all.forEach(one -> left.addAll(one.parts == null ? List.of(one) : one.parts));
            Completing.startAside(Completing.likeHere(() -> completeAll(() -> completeFirst(left), left)));
            all.forEach(one -> one.isOthers = true);
        }
    }

    /**
     * The innermost first, as this thread would have gone on. They are that thread's now, or of the one to which it
     * hands over in its turn.
     */
    private static boolean completeFirst(Queue<Remaining> all) {
        Remaining first = all.peek();
        if (first != null && !first.next.getAsBoolean()) {
            all.remove(first);
        }
        return first != null;
    }
}
