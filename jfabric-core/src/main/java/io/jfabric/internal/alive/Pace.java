// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How often a watched peer is asked, and how long its answer is waited for; in nanoseconds.
 *
 * @param interval as the program has said
 * @param period between two messages, a whole number of milliseconds
 * @param patience the interval, rounded down to whole periods: else it would be over a moment after a tick
 */
record Pace(long interval, long period, long patience) {
    static Pace of(Duration interval, int messages) {
        long nanos = interval.toNanos();
        long period = TimeUnit.MILLISECONDS.toNanos(Math.max(1, interval.toMillis() / messages));
        return new Pace(nanos, period, Math.min(nanos, period * messages));
    }

    long periodMillis() {
        return TimeUnit.NANOSECONDS.toMillis(period);
    }

    /** Whether a peer that leaves a question unanswered may be down when the second one after it is due. */
    boolean isSlow() {
        return 3 * period > patience;
    }

    /** Whether so much time since the last tick means that this process was stopped: then silence counts anew. */
    boolean isStop(long sinceLastTick) {
        return sinceLastTick > period + interval;
    }
}
