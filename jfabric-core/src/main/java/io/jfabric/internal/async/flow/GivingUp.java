// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.FabricException;
import io.jfabric.internal.async.future.Progress;
import io.jfabric.internal.clock.Clock;

/** Ends operations before their provider does: what the program wants no more, and what is late. */
final class GivingUp {
    /** For how long the thread that gives an operation up waits for the provider to say so, in nanoseconds. */
    private static final long GRACE = 5_000_000;

    private GivingUp() {
    }

    /** By the program. When this returns the operation is over, or will never be heard of again. */
    static void giveUp(Operation<?> operation, Throwable why, Progress progress) {
        while (!operation.isDone()) {
            switch (operation.phase()) {
                case Operation.QUEUED -> {
                    if (operation.lane.flow.drop(operation, why)) {
                        return;
                    }
                }
                case Operation.POSTED -> {
                    operation.givenUpAt = Clock.now();
                    operation.givenUp = why;
                    if (cancel(operation)) {
                        awaitEnd(operation, progress);
                    }
                    return;
                }
                case Operation.OVER, Operation.REFUSED -> {
                    awaitEnd(operation, progress);
                    return;
                }
                default -> Thread.onSpinWait();
            }
        }
    }

    /** The deadline is over; in the thread that polls. Whether the provider keeps it, but nobody waits for it more. */
    static boolean isAbandoned(Operation<?> operation) {
        if (operation.givenUp == null) {
            operation.givenUpAt = Clock.now();
            operation.givenUp = operation.late();
            return !cancel(operation);
        }
        return Clock.now() - operation.givenUpAt >= GRACE;
    }

    private static boolean cancel(Operation<?> operation) {
        try {
            return operation.endpoint().cancel(operation.context);
        } catch (FabricException | IllegalStateException cannot) {
            return false;
        }
    }

    private static void awaitEnd(Operation<?> operation, Progress progress) {
        long end = Clock.after(GRACE);
        while (!operation.isDone() && Clock.left(end) > 0) {
            if (progress.poll() == 0) {
                Thread.yield();
            }
        }
    }
}
