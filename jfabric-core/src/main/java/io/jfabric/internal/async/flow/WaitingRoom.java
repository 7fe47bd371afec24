// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many operations of a node wait to be started: as many as its backlog has places, and some more for lanes in which
 * few wait, as one peer that takes nothing must not have those to all others refused.
 */
final class WaitingRoom {
    private static final int FEW = 64;
    private static final int RESERVE = 8;

    private final int backlog;
    private final int reserve;
    private final AtomicInteger all = new AtomicInteger();

    WaitingRoom(int backlog) {
        this.backlog = backlog;
        this.reserve = backlog / RESERVE;
    }

    /** For one more in a lane, which is not in it yet; false if there is no room. */
    boolean enter(Lane lane, boolean always) {
        int now = all.incrementAndGet();
        if (now <= backlog || always || now <= backlog + reserve && lane.waiting() < Math.min(FEW, reserve)) {
            return true;
        }
        leave();
        return false;
    }

    void leave() {
        all.decrementAndGet();
    }

    int count() {
        return all.get();
    }
}
