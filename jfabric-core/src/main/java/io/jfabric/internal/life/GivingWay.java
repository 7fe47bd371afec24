// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.concurrent.locks.LockSupport;

/**
 * Waiting for a thread that will be done in a moment, once it gets to run. Virtual threads that only yield can starve
 * one that has lost its carrier: it is in the queue for tasks from outside, where carriers do not look while yielding
 * threads fill their own queues.
 */
public final class GivingWay {
    /** How often a waiting thread only yields. */
    private static final int YIELDS = 16;
    private static final long PAUSE_NANOS = 20_000;
    /** Pauses grow up to this many times the first: otherwise many waiting threads would leave no carrier idle. */
    private static final int LONGEST = 50;

    private GivingWay() {
    }

    /** Gives way for the nth time in a wait, from 1. An interrupt does not end it, and is kept. */
    public static void giveWay(int times) {
        if (times >= 0 && times <= YIELDS) {
            Thread.yield();
            return;
        }
        boolean interrupted = Thread.interrupted();
        // when the count has overflowed, pauses stay as long as they can be
        int pauses = times < 0 ? LONGEST : Math.min(times - YIELDS, LONGEST);
        LockSupport.parkNanos(PAUSE_NANOS * pauses);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
