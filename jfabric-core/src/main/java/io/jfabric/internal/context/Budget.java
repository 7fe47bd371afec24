// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/**
 * How many more of something there may be. What a closed endpoint may have left unread in a queue becomes available
 * again only when the queue has been read to its end.
 */
public final class Budget {
    private long left;
    /** Left unread by closed endpoints. */
    private long unread;

    public Budget(long most) {
        left = most;
    }

    /** A budget of slots, which are taken in chunks. */
    static Budget ofSlots(long most) {
        return new Budget(most / ContextChunk.SLOTS);
    }

    /** Takes that many; false if fewer are left. */
    public boolean take(long many) {
        return takeBut(0, many);
    }

    /** The same, but the last so many are not to be taken. */
    synchronized boolean takeBut(long last, long many) {
        if (left - last < many) {
            return false;
        }
        left -= many;
        return true;
    }

    public synchronized long left() {
        return left;
    }

    /** Gives back what was taken, of which a part may still be unread. */
    public synchronized void giveBack(long many, long stillUnread) {
        left += many - stillUnread;
        unread += stillUnread;
    }

    /** Nothing is unread any more. */
    synchronized void emptied() {
        left += unread;
        unread = 0;
    }
}
