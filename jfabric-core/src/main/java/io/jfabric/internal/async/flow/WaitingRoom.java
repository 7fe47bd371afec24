// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts a node's operations that wait to be started. Beyond the backlog there are some more places, for lanes in which
 * few wait: one peer that takes nothing must not make operations with all the others fail.
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

    /** Takes a place for an operation that is to wait in this lane; false if there is no room. */
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
