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

    private GivingWay() {
    }

    /** For the nth time, from 1, in this wait. An interrupt does not end it, and is kept. */
    public static void giveWay(int times) {
        if (times <= YIELDS) {
            Thread.yield();
            return;
        }
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(PAUSE_NANOS);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
