// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.internal.async.drive.Gathered;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.clock.Sweep;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The outlets of a node that have something to be sent when it is polled next, or soon where that is not to be. */
final class Outlets implements Gathered {
    private static final int MOST_FLUSHED = 256;

    private final Queue<Outlet> waiting = new ConcurrentLinkedQueue<>();
    private final Sweep sweep = new Sweep(1, this::lookForLate);
    private volatile long waitingSince;

    /** It has something. */
    void add(Outlet outlet) {
        if (waiting.isEmpty()) {
            waitingSince = System.nanoTime();
        }
        waiting.add(outlet);
        sweep.begin();
    }

    @Override
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    @Override
    public void send() {
        // who polls is not to be kept by those who add more
        send(MOST_FLUSHED);
    }

    @Override
    public void sendAll() {
        for (int n = waiting.size(); n > 0; n--) {
            Outlet next = waiting.poll();
            if (next == null) {
                return;
            }
            next.flush();
        }
    }

    private void send(int most) {
        for (int n = Math.min(most, waiting.size()); n > 0; n--) {
            Outlet next = waiting.poll();
            if (next == null) {
                return;
            }
            if (!next.tryFlush()) {
                // somebody sends from it at this moment, and may be kept: others' messages do not wait for that
                add(next);
            }
        }
    }

    /** If who polls is kept from it: by what follows on other messages, as a rule. */
    void sendLate() {
        if (isLate()) {
            send(waiting.size());
        }
    }

    private boolean isLate() {
        return !waiting.isEmpty() && System.nanoTime() - waitingSince > Outlet.PATIENCE;
    }

    /** By the clock, in case that what follows on one message takes its time. */
    private boolean lookForLate() {
        if (isLate()) {
            Completing.startAside(this::sendLate);
        }
        return !waiting.isEmpty();
    }
}
