// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.idle;

import io.jfabric.internal.life.GivingWay;
import java.util.concurrent.locks.LockSupport;

/** How long a thread has had nothing to do, and what it does in the meantime. */
public final class Idling {
    /** How long a virtual thread may keep its carrier, which the threads that it waits for may need. */
    private static final long CARRIED = 1_000_000;
    /** From here on it gives way for some 100 us at a time. */
    private static final int MOST_WAYS = 21;

    private final IdleTimes times;
    /** When it became idle; 0 if it is not. */
    private long since;
    private long sleep;
    /** How often a virtual thread has given way since then. */
    private int ways;

    public Idling(IdleTimes times) {
        this.times = times;
        reset();
    }

    public void reset() {
        since = 0;
        ways = 0;
        sleep = times.shortest();
    }

    /** Spins or yields; false once it is time to sleep. */
    public boolean stayedAwake() {
        long now = System.nanoTime();
        if (since == 0) {
            since = now == 0 ? 1 : now;
        }
        long idle = now - since;
        boolean spins = idle < times.spin();
        if (!spins && idle - times.spin() >= times.yield()) {
            return false;
        }
        if (idle > CARRIED && Thread.currentThread().isVirtual()) {
            ways = Math.min(ways + 1, MOST_WAYS);
            GivingWay.giveWay(ways);
        } else if (spins) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        return true;
    }

    /** How long to sleep this time; the next time is longer. */
    public long nextSleep() {
        long now = sleep;
        sleep = Math.min(times.longest(), 2 * sleep);
        return now;
    }

    /** Spins, yields or sleeps, not longer than this. */
    public void idle(long most) {
        if (!stayedAwake()) {
            LockSupport.parkNanos(Math.max(1, Math.min(nextSleep(), most)));
        }
    }
}
