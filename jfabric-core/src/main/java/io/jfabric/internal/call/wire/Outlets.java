// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.internal.async.drive.Gathered;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Sweep;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The outlets of a node that have something to send at the next poll, or soon if no poll is due. */
final class Outlets implements Gathered {
    private static final int MOST_FLUSHED = 256;

    private final Queue<Outlet> waiting = new ConcurrentLinkedQueue<>();
    private final Sweep sweep = new Sweep(1, this::lookForLate);
    private volatile long waitingSince;

    /** That outlet has something to send. */
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
        // those who keep adding are not to hold up the polling thread
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
                // another thread is sending from it, and may be held up: other messages do not wait for that
                add(next);
            }
        }
    }

    /** Sends what waits if the polling thread is late, usually held up by what follows on other messages. */
    void sendLate() {
        if (isLate()) {
            send(waiting.size());
        }
    }

    private boolean isLate() {
        return !waiting.isEmpty() && System.nanoTime() - waitingSince > Outlet.PATIENCE;
    }

    /** By the clock, in case what follows on one message takes its time. */
    private boolean lookForLate() {
        if (isLate()) {
            Aside.start(this::sendLate);
        }
        return !waiting.isEmpty();
    }
}
