// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.util.List;
import java.util.stream.Stream;

/**
 * A member that shrinks a group says whom it goes on without.
 *
 * @param group which group, by its name
 * @param turn how many groups of that name each member has had before it; less than 0 if the member does not know
 * @param rank the member that says so
 * @param ranks whom it has lost
 */
public record Lost(long group, int turn, int rank, List<Integer> ranks) {
    public Lost {
        ranks = List.copyOf(ranks);
    }

    /** Whether it is about the group of this turn, as far as is known: whom a member has lost is lost to all. */
    boolean isOf(int other) {
        return turn == other || turn < 0 || other < 0;
    }

    /** Both of what a member says, unless that is too much. */
    Lost and(Lost more) {
        return new Lost(group, turn, rank, Stream.concat(ranks.stream(), more.ranks.stream()).distinct()
                .limit(Tags.MEMBERS).toList());
    }
}
