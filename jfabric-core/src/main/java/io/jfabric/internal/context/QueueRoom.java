// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.util.Map;
import java.util.WeakHashMap;

/** What is left of a queue for the reports of endpoints, where the provider writes over those that nobody has read. */
public final class QueueRoom {
    /** The queues are not kept. */
    private static final Map<ContextReader, QueueRoom> ALL = new WeakHashMap<>();

    private long left;
    /** Of closed endpoints, until the queue has been read to its end. */
    private long unread;

    private QueueRoom(long size) {
        left = size;
    }

    /** For an endpoint that may have so many unread in a queue of that size; false if less is left. */
    public static boolean take(ContextReader queue, long size, long reports) {
        synchronized (ALL) {
            QueueRoom room = ALL.computeIfAbsent(queue, any -> new QueueRoom(size));
            if (room.left < reports) {
                return false;
            }
            room.left -= reports;
            return true;
        }
    }

    /** What is left of a queue of that size. */
    public static long left(ContextReader queue, long size) {
        synchronized (ALL) {
            QueueRoom room = ALL.get(queue);
            return room == null ? size : room.left;
        }
    }

    /** The endpoint that took so many is closed, or was not bound after all, and may have left so many unread. */
    public static void giveBack(ContextReader queue, long reports, long unread) {
        synchronized (ALL) {
            QueueRoom room = ALL.get(queue);
            room.left += reports - unread;
            room.unread += unread;
        }
        if (unread > 0) {
            queue.sayWhenEmpty();
        }
    }

    /** The queue has nothing more to tell of endpoints that were closed before. */
    static void emptied(ContextReader queue) {
        synchronized (ALL) {
            QueueRoom room = ALL.get(queue);
            if (room != null) {
                room.left += room.unread;
                room.unread = 0;
            }
        }
    }
}
