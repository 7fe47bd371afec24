// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.ffi.Arguments;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits by polling, for a limited time: first spinning, then giving up the CPU. */
public final class Idle {
    /** For waits that another thread can end, in milliseconds. */
    public static final int SLICE = 100;
    /** For waits that nothing else ends: a closer may have to wait this long. */
    public static final int SHORT_SLICE = 20;

    private static final int SPINS = 256;
    private static final int YIELDS = 1024;
    private static final long PARK_NANOS = 50_000;

    private final long end;
    private int turns;

    public Idle(Duration timeout) {
        end = Clock.after(Arguments.notNegative(timeout, "wait", "the timeout"));
    }

    public boolean isOver() {
        return Clock.isPast(end);
    }

    /** As {@link #millisLeft}, but at most so many: in between, closers come in and interrupts are seen. */
    public int slice(int millis) {
        return Thread.currentThread().isInterrupted() ? 0 : Math.min(millis, millisLeft());
    }

    /** The time left, for a C function that takes milliseconds; at least 1, so that it is no busy loop. */
    public int millisLeft() {
        return Math.max(1, Timeouts.millis(Duration.ofNanos(Math.max(0, Clock.left(end)))));
    }

    /** Pauses where the provider cannot be asked whether to wait: callers try again at once. */
    public static void rest() {
        LockSupport.parkNanos(PARK_NANOS);
    }

    /** As above, within a wait: no longer than what is left. */
    public void restWithin() {
        long left = Clock.left(end);
        if (left > 0) {
            LockSupport.parkNanos(Math.min(PARK_NANOS, left));
        }
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
