// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import java.util.function.BooleanSupplier;

/**
 * What a thread is still to complete of what it has found over. What follows on the first of it may wait for the rest,
 * which nobody else knows of: then it is completed there.
 */
public final class Remaining {
    private static final ThreadLocal<Remaining> INNERMOST = new ThreadLocal<>();

    private final BooleanSupplier next;
    /** Found before, and not finished, as this is inside of what followed on something there. */
    private final Remaining outer;

    private Remaining(BooleanSupplier next, Remaining outer) {
        this.next = next;
        this.outer = outer;
    }

    /** Completes all of it. Each call takes one out and completes it; false if there is none left. */
    public static void completeAll(BooleanSupplier next) {
        Remaining outer = INNERMOST.get();
        INNERMOST.set(new Remaining(next, outer));
        try {
            while (next.getAsBoolean()) {
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

    /** For a thread that waits: completes one of those, the oldest first; false if there is none. */
    public static boolean completeOne() {
        return completeOne(INNERMOST.get());
    }

    private static boolean completeOne(Remaining from) {
        return from != null && (completeOne(from.outer) || from.next.getAsBoolean());
    }
}
