// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.idle;

import java.time.Duration;

/** Moments as nanoseconds since this class was loaded, so that {@link #NEVER} is after all of them. */
public final class Clock {
    public static final long NEVER = Long.MAX_VALUE;
    private static final long START = System.nanoTime();

    private Clock() {
    }

    public static long now() {
        return System.nanoTime() - START;
    }

    /** The moment this many nanoseconds from now. */
    public static long after(long nanos) {
        if (nanos == NEVER) {
            return NEVER;
        }
        long end = now() + nanos;
        return end < 0 ? NEVER : end;
    }

    /** How long until then, negative if it is over. */
    public static long left(long moment) {
        return moment == NEVER ? NEVER : moment - now();
    }

    /** A duration, at most {@link #NEVER}. */
    public static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(NEVER)) >= 0 ? NEVER : duration.toNanos();
    }
}
