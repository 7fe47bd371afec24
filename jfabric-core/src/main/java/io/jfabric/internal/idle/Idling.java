// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.idle;

import java.util.concurrent.locks.LockSupport;

/** One thread's idleness: how long it has had nothing to do, and what it does therefore. */
public final class Idling {
    private final IdleTimes times;
    /** When it began, 0 for not at all. */
    private long since;
    private long sleep;

    public Idling(IdleTimes times) {
        this.times = times;
        reset();
    }

    public void reset() {
        since = 0;
        sleep = times.shortest();
    }

    /** Spins or yields; false once it is time to sleep. */
    public boolean stayedAwake() {
        long now = System.nanoTime();
        if (since == 0) {
            since = now == 0 ? 1 : now;
        }
        long idle = now - since;
        if (idle < times.spin()) {
            Thread.onSpinWait();
            return true;
        }
        if (idle - times.spin() < times.yield()) {
            Thread.yield();
            return true;
        }
        return false;
    }

    /** How long to sleep now; the next time longer. */
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
