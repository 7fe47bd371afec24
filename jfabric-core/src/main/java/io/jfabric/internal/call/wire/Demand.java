// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

/**
 * How many receives there should be, going by how many messages are found by one poll. More than needed are no use:
 * many providers look through them all for each message to somebody else. Any thread; what is counted by several at
 * once may be lost, which does not matter.
 */
final class Demand {
    /** The fewest, if it may be so few. */
    static final int FEW = 16;
    /** After this many messages, none of which needed many, fewer receives will do. */
    static final int LONG = 1 << 14;

    private volatile int least;
    private final int most;
    private volatile int wanted;
    /** The last poll that has found any, and how many it has found. */
    private int poll;
    private int found;
    /** The most that a poll has found lately, and how many have come since then. */
    private int mostFound;
    private int come;

    Demand(int least, int most) {
        this.least = least;
        this.most = most;
        this.wanted = least;
    }

    int wanted() {
        return wanted;
    }

    /** From now on, as many as there can be. */
    void all() {
        if (least < most) {
            least = most;
            wanted = most;
        }
    }

    /** A message has come, found by the poll of this number. */
    void came(int number) {
        found = number == poll ? found + 1 : 1;
        poll = number;
        int now = wanted;
        if (2 * found >= now && now < most) {
            wanted = Math.min(most, 2 * now);
            begin();
            return;
        }
        mostFound = Math.max(mostFound, found);
        come++;
        if (come >= LONG) {
            if (8 * mostFound < now) {
                wanted = Math.max(least, now / 2);
            }
            begin();
        }
    }

    private void begin() {
        mostFound = 0;
        come = 0;
    }
}
