// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Arguments;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Tries something again and again, if nothing tells when it will work. */
public final class Attempts {
    private static final long FIRST_PAUSE = 100_000;
    private static final long LONGEST_PAUSE = 10_000_000;

    private Attempts() {
    }

    /**
     * Tries at least once; returns whether it worked in time.
     *
     * @throws FabricException {@code FI_EINTR} with this detail if the thread is interrupted, which it stays
     */
    public static boolean within(Duration timeout, BooleanSupplier attempt, String operation, String ifInterrupted) {
        long end = Clock.after(Arguments.notNegative(timeout, operation, "the timeout"));
        long pause = FIRST_PAUSE;
        while (!attempt.getAsBoolean()) {
            long left = Clock.left(end);
            if (left <= 0) {
                return false;
            }
            try {
                TimeUnit.NANOSECONDS.sleep(Math.min(pause, left));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw FabricException.of(operation, FabricError.EINTR.code(), ifInterrupted);
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
        return true;
    }
}
