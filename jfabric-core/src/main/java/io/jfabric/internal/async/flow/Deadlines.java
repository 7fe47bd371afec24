// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.internal.clock.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** When something is to be looked at because it is late, and what becomes of it if the provider has it. */
final class Deadlines {
    /** When what is late is looked at once more, in nanoseconds. */
    private static final long AGAIN = 1_000_000;
    /** So many are cancelled at a time, or this part of all, and the next after so long, in nanoseconds. */
    private static final int CANCELS = 16;
    private static final int PART = 64;
    private static final long SOON = 100_000;
    /** Between two looks is as long as one takes, as each is at everything; but who looks may lose its processor. */
    private static final long MOST_REST = 10_000_000;

    /** No deadline of what is under way or waits is before this. */
    private final AtomicLong earliest = new AtomicLong(Clock.NEVER);
    /** Of the thread that looks, as what follows. */
    private int cancels;
    private int mostCancels = CANCELS;
    private int looks;
    /** From the beginning of a look to the next, in nanoseconds. */
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

    /** All are looked at now. */
    void begin() {
        earliest.set(Clock.NEVER);
        cancels = 0;
        looks = 0;
    }

    /** All were looked at, in so many nanoseconds. */
    void end(long taken) {
        mostCancels = Math.max(CANCELS, looks / PART);
        rest = Math.min(MOST_REST, 2 * taken);
    }

    /** One that has a slot. */
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
            // it takes long to cancel many, and what is not late goes on meanwhile
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
