// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import java.util.Queue;
import java.util.function.Consumer;

/** Lanes with waiting operations, in turn. One thread at a time takes them; no failure loses one. */
final class LaneList {
    private final Queue<Lane> queue;
    /** Taken, and not dealt with yet: if that fails it stays the next one. Written by the thread that takes. */
    private volatile Lane taken;

    LaneList(Queue<Lane> queue) {
        this.queue = queue;
    }

    boolean isEmpty() {
        return taken == null && queue.isEmpty();
    }

    int size() {
        return queue.size() + (taken == null ? 0 : 1);
    }

    /** Adds a lane that is not in the list; any thread. */
    void add(Lane lane) {
        queue.add(lane);
    }

    /** The next lane, which stays the next until it is {@link #dealtWith dealt with}; null if there is none. */
    Lane take() {
        Lane next = taken;
        if (next == null) {
            next = queue.poll();
            taken = next;
        }
        return next;
    }

    /** Puts the lane that was taken at the end if it still has something, else leaves it out. */
    void dealtWith(boolean hasMore) {
        if (hasMore) {
            queue.add(taken);
        }
        taken = null;
    }

    void forEach(Consumer<Lane> action) {
        Lane first = taken;
        if (first != null) {
            action.accept(first);
        }
        queue.forEach(action);
    }
}
