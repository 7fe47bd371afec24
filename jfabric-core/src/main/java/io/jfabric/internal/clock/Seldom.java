// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

/** Something that is worth a line in the log the first time, and then once a minute with a count. Any thread. */
public final class Seldom {
    private static final long MINUTE = 60_000_000_000L;

    private long silentUntil;
    private int times;

    /** It has happened. Returns how often since it was last logged if it is to be logged now, else 0. */
    public synchronized int happened() {
        times++;
        long now = Clock.now();
        if (now < silentUntil) {
            return 0;
        }
        silentUntil = now + MINUTE;
        int told = times;
        times = 0;
        return told;
    }

    /** What to add to such a line. */
    public static String since(int times) {
        return times > 1 ? " (" + times + " times since this was told last)" : "";
    }
}
