// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import java.time.Duration;

/** What strangers can cause as often as they like: a line in the log the first time, then one a minute. */
final class Seldom {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private long last;
    private int times;

    /** It has happened: what to add to the line if it is to be logged now, or null. */
    synchronized String happened() {
        long now = System.nanoTime();
        times++;
        if (last != 0 && now - last < MINUTE) {
            return null;
        }
        String count = times > 1 ? " (" + times + " times since this was told last)" : "";
        last = now;
        times = 0;
        return count;
    }
}
