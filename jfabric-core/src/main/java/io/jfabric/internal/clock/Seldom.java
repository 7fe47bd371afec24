// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

/** What is worth a line of log the first time, and then once a minute with how often it was. Any thread. */
public final class Seldom {
    private static final long MINUTE = 60_000_000_000L;

    private long silentUntil;
    private int times;

    /** It has happened: how often since it was told last if it is to be told now, else 0. */
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

    /** For the end of such a line. */
    public static String since(int times) {
        return times > 1 ? " (" + times + " times since this was told last)" : "";
    }
}
