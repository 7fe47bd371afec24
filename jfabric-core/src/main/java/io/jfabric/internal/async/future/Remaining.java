// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * What a thread is still to complete of what it has found over. What follows on the first of it may wait for the rest,
 * which nobody else knows of: then another thread completes that. Not this one, inside: what follows on the rest may
 * itself wait for what this one has to go back to.
 */
public final class Remaining {
    private static final ThreadLocal<Remaining> INNERMOST = new ThreadLocal<>();

    private final BooleanSupplier next;
    /** Found before, and not finished, as this is inside of what followed on something there. */
    private final Remaining outer;
    private boolean isOthers;

    private Remaining(BooleanSupplier next, Remaining outer) {
        this.next = next;
        this.outer = outer;
    }

    /** Completes all of it. Each call takes one out and completes it; false if there is none left. */
    public static void completeAll(BooleanSupplier next) {
        Remaining outer = INNERMOST.get();
        Remaining all = new Remaining(next, outer);
        INNERMOST.set(all);
        try {
            while (!all.isOthers && next.getAsBoolean()) {
                Thread.onSpinWait();
            }
        } finally {
            if (outer == null) {
                INNERMOST.remove();
            } else {
                INNERMOST.set(outer);
            }
        }
    }

    /** Whether this thread may have such. */
    public static boolean isAny() {
        Remaining one = INNERMOST.get();
        while (one != null && one.isOthers) {
            one = one.outer;
        }
        return one != null;
    }

    /** For a thread that waits: another one completes all of it, if there is any. */
    public static void handOver() {
        Deque<Remaining> all = new ArrayDeque<>();
        for (Remaining one = INNERMOST.get(); one != null; one = one.outer) {
            if (!one.isOthers) {
                one.isOthers = true;
                all.addFirst(one);
            }
        }
        if (!all.isEmpty()) {
            Completing.startAside(() -> completeAll(() -> completeFirst(all)));
        }
    }

    /** The oldest first; these are that thread's now. */
    private static boolean completeFirst(Deque<Remaining> all) {
        Remaining first = all.peek();
        if (first != null && !first.next.getAsBoolean()) {
            all.remove(first);
        }
        return first != null;
    }
}
