// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.session;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A point in time, and how long it was away at first. */
public record Deadline(Duration total, long end) {
    public static Deadline in(Duration total) {
        return new Deadline(total, System.nanoTime() + total.toNanos());
    }

    /** What is left, in milliseconds; 0 when it has passed. */
    public long millis() {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
    }

    public boolean passed() {
        return end - System.nanoTime() <= 0;
    }

    /** Sleeps, but not beyond the deadline. */
    public void pause(long millis) throws InterruptedException {
        Thread.sleep(Math.min(millis, millis()));
    }

    /** For people. */
    @Override
    public String toString() {
        return total.toMillis() % 1000 == 0 ? total.toSeconds() + " s" : total.toMillis() + " ms";
    }
}
