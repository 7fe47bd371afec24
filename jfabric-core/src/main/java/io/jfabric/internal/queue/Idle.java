// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits by polling, for a time: first without, then with giving up the CPU. */
public final class Idle {
    private static final int SPINS = 256;
    private static final int YIELDS = 1024;
    private static final long PARK_NANOS = 50_000;
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 2);

    private final long end;
    private int turns;

    public Idle(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: " + timeout + " is negative");
        }
        end = System.nanoTime() + (timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST).toNanos();
    }

    public boolean isOver() {
        return System.nanoTime() - end >= 0;
    }

    /** What is left, for a C function that takes milliseconds; at least 1, so that it is no busy loop. */
    public int millisLeft() {
        return Math.max(1, Timeouts.millis(Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
    }

    /** Between two polls. */
    public void pause() {
        if (turns < SPINS) {
            turns++;
            Thread.onSpinWait();
        } else if (turns < YIELDS) {
            turns++;
            Thread.yield();
        } else {
            LockSupport.parkNanos(PARK_NANOS);
        }
    }
}
