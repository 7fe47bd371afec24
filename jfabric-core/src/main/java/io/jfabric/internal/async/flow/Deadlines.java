// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.internal.clock.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** When late operations are looked at, and how those that the provider has are given up. */
final class Deadlines {
    /** How soon a late operation is looked at again, in nanoseconds. */
    private static final long AGAIN = 1_000_000;
    /** One look cancels at most this many, or one in PART of all if that is more; the next SOON nanoseconds later. */
    private static final int CANCELS = 16;
    private static final int PART = 64;
    private static final long SOON = 100_000;
    /**
     * The longest from the beginning of one look to the next, in nanoseconds. Usually that is twice what a look takes,
     * as each goes through everything; but the looking thread may lose its processor.
     */
    private static final long MOST_REST = 10_000_000;

    /** No operation that waits or is under way has an earlier deadline. */
    private final AtomicLong earliest = new AtomicLong(Clock.NEVER);
    /** Used by the looking thread only, like the fields below. */
    private int cancels;
    private int mostCancels = CANCELS;
    private int looks;
    /** From the beginning of a look to that of the next, in nanoseconds. */
    private long rest;

    long earliest() {
        return earliest.get();
    }

    void note(long deadline) {
        long now = earliest.get();
        while (deadline < now && !earliest.compareAndSet(now, deadline)) {
            now = earliest.get();
        }
    }

    /** A look at all operations begins. */
    void begin() {
        earliest.set(Clock.NEVER);
        cancels = 0;
        looks = 0;
    }

    /** The look is over, after so many nanoseconds. */
    void end(long taken) {
        mostCancels = Math.max(CANCELS, looks / PART);
        rest = Math.min(MOST_REST, 2 * taken);
    }

    /** Looks at an operation that has a slot. */
    void look(Operation<?> operation, long now, Consumer<Operation<?>> abandoned) {
        looks++;
        long due = operation.due();
        if (due > now) {
            note(due);
        } else if (!operation.isDone() && !operation.abandoned) {
            giveUp(operation, now, abandoned);
        }
    }

    private void giveUp(Operation<?> operation, long now, Consumer<Operation<?>> abandoned) {
        boolean isPosted = operation.phase() == Operation.POSTED;
        if (isPosted && operation.givenUp == null && ++cancels > mostCancels) {
            // cancelling many takes long, and operations that are not late must go on meanwhile
            note(now + Math.max(SOON, rest));
            return;
        }
        note(now + Math.max(AGAIN, rest));
        if (isPosted && GivingUp.isAbandoned(operation)) {
            abandoned.accept(operation);
            // once: it may take a while until its future is done
            operation.abandoned = true;
        }
    }
}
