// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import java.util.Queue;
import java.util.function.Consumer;

/** Lanes that have something, in turn. One thread at a time takes them; none gets lost, whatever fails meanwhile. */
final class LaneList {
    private final Queue<Lane> queue;
    /** Taken, and not dealt with yet: it stays the next if that fails. Written by the thread that takes. */
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

    /** One that is not in the list; any thread. */
    void add(Lane lane) {
        queue.add(lane);
    }

    /** The next, until it is {@link #dealtWith dealt with}; null if there is none. */
    Lane take() {
        Lane next = taken;
        if (next == null) {
            next = queue.poll();
            taken = next;
        }
        return next;
    }

    /** The one that was taken is the last now if it still has something, else it is out. */
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
