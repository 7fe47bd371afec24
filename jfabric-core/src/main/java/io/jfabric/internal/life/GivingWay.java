// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.concurrent.locks.LockSupport;

/**
 * Waiting for a thread that will be done in a moment, if it gets to run. Virtual threads that only yield keep all
 * carriers from one that has lost its own: it was made ready from outside, and carriers do not look there while those
 * that yield fill their own queues.
 */
public final class GivingWay {
    /** So often a thread that waits only yields. */
    private static final int YIELDS = 16;
    private static final long PAUSE_NANOS = 20_000;
    /** Each pause is longer than the one before, up to so many: many that wait would not leave a carrier idle else. */
    private static final int LONGEST = 50;

    private GivingWay() {
    }

    /** For the nth time, from 1, in this wait. An interrupt does not end it, and is kept. */
    public static void giveWay(int times) {
        if (times >= 0 && times <= YIELDS) {
            Thread.yield();
            return;
        }
        boolean interrupted = Thread.interrupted();
        // one that has counted beyond the last number waits no shorter
        int pauses = times < 0 ? LONGEST : Math.min(times - YIELDS, LONGEST);
        LockSupport.parkNanos(PAUSE_NANOS * pauses);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
