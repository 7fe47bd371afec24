// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.internal.clock.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** When something is to be looked at because it is late, and what becomes of it if the provider has it. */
final class Deadlines {
    /** When what is late is looked at once more, in nanoseconds. */
    private static final long AGAIN = 1_000_000;
    /** So many are cancelled at a time, and the next after so long, in nanoseconds. */
    private static final int MOST_CANCELS = 16;
    private static final long SOON = 100_000;

    /** No deadline of what is under way or waits is before this. */
    private final AtomicLong earliest = new AtomicLong(Clock.NEVER);
    /** Of the thread that looks. */
    private int cancels;

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
    }

    /** One that has a slot. */
    void look(Operation<?> operation, long now, Consumer<Operation<?>> abandoned) {
        long due = operation.due();
        if (due > now) {
            note(due);
        } else if (!operation.isDone() && !operation.abandoned) {
            giveUp(operation, now, abandoned);
        }
    }

    private void giveUp(Operation<?> operation, long now, Consumer<Operation<?>> abandoned) {
        boolean isPosted = operation.phase() == Operation.POSTED;
        if (isPosted && operation.givenUp == null && ++cancels > MOST_CANCELS) {
            // it takes long to cancel many, and what is not late goes on meanwhile
            note(now + SOON);
            return;
        }
        note(now + AGAIN);
        if (isPosted && GivingUp.isAbandoned(operation)) {
            abandoned.accept(operation);
            // once: it may take a while until its future is done
            operation.abandoned = true;
        }
    }
}
