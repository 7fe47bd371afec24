// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.Node;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Ticks;
import java.util.concurrent.TimeUnit;

/** Keeps a hub without receivers open for what is still on its way, until nothing comes any more. */
final class Lingering {
    /** It is over after so many milliseconds without a message, and after the longest time in any case. */
    private static final long QUIET = 1000;
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(30);

    private final Node node;
    private final Runnable over;
    /** When a message that is nobody's last came. */
    private volatile long heard;
    /** Guarded by this, as what follows. */
    private boolean underWay;
    private long end;

    /** {@code over} runs when it is over, in another thread than the clock's. */
    Lingering(Node node, Runnable over) {
        this.node = node;
        this.over = over;
    }

    synchronized boolean isUnderWay() {
        return underWay;
    }

    /** A message has come that is nobody's. */
    void heard() {
        heard = System.nanoTime();
    }

    /** Begins, or starts again from now. */
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
        Aside.start(over);
    }
}
