// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.Node;
import io.jfabric.internal.clock.Ticks;
import java.util.concurrent.TimeUnit;

/** A hub whose receivers are gone, and which stays for what is still on its way: until nothing comes any more. */
final class Lingering {
    /** Nothing for so many milliseconds; or for so long at most. */
    private static final long QUIET = 1000;
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(30);

    private final Node node;
    private final Runnable over;
    /** When something came last that is nobody's. */
    private volatile long heard;
    /** Guarded by this, as what follows. */
    private boolean underWay;
    private long end;

    /** With what runs, in another thread than the clock's, when it is over. */
    Lingering(Node node, Runnable over) {
        this.node = node;
        this.over = over;
    }

    synchronized boolean isUnderWay() {
        return underWay;
    }

    /** Something has come that is nobody's. */
    void heard() {
        heard = System.nanoTime();
    }

    /** Begins, or goes on from now. */
    synchronized void begin() {
        long now = System.nanoTime();
        heard = now;
        end = now + LONGEST;
        if (!underWay) {
            underWay = true;
            Ticks.once(QUIET, this::look);
        }
    }

    private void look() {
        synchronized (this) {
            long now = System.nanoTime();
            underWay = node.isOpen() && now - end < 0 && now - heard < TimeUnit.MILLISECONDS.toNanos(QUIET);
            if (underWay) {
                Ticks.once(QUIET, this::look);
                return;
            }
        }
        // not here, as the provider may take its time
        Thread.ofVirtual().name("jfabric-hub").start(over);
    }
}
