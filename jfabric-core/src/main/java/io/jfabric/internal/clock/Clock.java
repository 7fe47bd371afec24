// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import java.time.Duration;

/** Moments, as nanoseconds since this class was loaded, so that {@link #NEVER} is after all of them. */
public final class Clock {
    public static final long NEVER = Long.MAX_VALUE;
    private static final long START = System.nanoTime();
    private static final Duration LONGEST = Duration.ofNanos(NEVER);

    private Clock() {
    }

    public static long now() {
        return System.nanoTime() - START;
    }

    /** The moment this many nanoseconds from now; if the number is negative, just some moment in the past. */
    public static long after(long nanos) {
        if (nanos == NEVER) {
            return NEVER;
        }
        long now = now();
        if (nanos < 0) {
            return now - 1;
        }
        long end = now + nanos;
        return end < 0 ? NEVER : end;
    }

    /** The moment after this duration; {@link #NEVER} if that takes centuries. */
    public static long after(Duration duration) {
        return after(nanos(duration));
    }

    /** How long it is until then, negative if that is past. */
    public static long left(long moment) {
        return moment == NEVER ? NEVER : moment - now();
    }

    public static boolean isPast(long moment) {
        return left(moment) <= 0;
    }

    /** A duration in nanoseconds, at most {@link #NEVER}; it may be negative. */
    public static long nanos(Duration duration) {
        if (duration.compareTo(LONGEST) >= 0) {
            return NEVER;
        }
        return duration.compareTo(LONGEST.negated()) <= 0 ? -NEVER : duration.toNanos();
    }
}
