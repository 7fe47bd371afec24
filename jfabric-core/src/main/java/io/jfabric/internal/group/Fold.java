// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.lang.foreign.MemorySegment;

/**
 * Lets algorithms for powers of two work with any number of members: before, some of the first ones give their elements
 * to a neighbour; afterwards they get the result from it.
 */
final class Fold {
    private final Schedule s;
    private final int surplus;
    private final int members;
    private final int place;

    Fold(Schedule s) {
        this.s = s;
        this.members = Integer.highestOneBit(s.size());
        this.surplus = s.size() - members;
        int rank = s.rank();
        this.place = rank >= 2 * surplus ? rank - surplus : rank % 2 == 0 ? -1 : rank / 2;
    }

    /** How many take part. */
    int members() {
        return members;
    }

    /** This member's place among them; -1 if it does not take part. */
    int place() {
        return place;
    }

    /** The rank of the member at that place. */
    int rank(int otherPlace) {
        return otherPlace < surplus ? 2 * otherPlace + 1 : otherPlace + surplus;
    }

    /** Before: returns the elements with which a member that takes part begins. */
    MemorySegment in(MemorySegment mine, MemorySegment result) {
        if (s.rank() >= 2 * surplus) {
            return mine;
        }
        if (place < 0) {
            s.send(mine, s.rank() + 1);
            s.end();
            return mine;
        }
        MemorySegment room = s.scratch(mine.byteSize());
        s.receive(room, s.rank() - 1);
        s.combine(room, mine, result);
        s.end();
        return result;
    }

    /** Afterwards: hands the result back to those that did not take part. */
    void out(MemorySegment result) {
        if (s.rank() < 2 * surplus) {
            if (place < 0) {
                s.receive(result, s.rank() + 1);
            } else {
                s.send(result, s.rank() - 1);
            }
            s.end();
        }
    }
}
