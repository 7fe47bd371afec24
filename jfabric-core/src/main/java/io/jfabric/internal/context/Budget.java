// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/**
 * How many more there may be of something. What a closed endpoint may have left unread in a queue is not there again
 * before that was read to its end.
 */
public final class Budget {
    private long left;
    /** Of closed endpoints. */
    private long unread;

    public Budget(long most) {
        left = most;
    }

    /** Of slots, to be taken in chunks. */
    static Budget ofSlots(long most) {
        return new Budget(most / ContextChunk.SLOTS);
    }

    /** False if less is left. */
    public boolean take(long many) {
        return takeBut(0, many);
    }

    /** The same for who may not have the last. */
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

    /** What was taken, of which so much may be unread. */
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
