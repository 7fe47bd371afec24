// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.util.List;
import java.util.stream.Stream;

/**
 * A member that shrinks a group says whom it goes on without.
 *
 * @param group the number of the group in its tags
 * @param turn how many groups of that number each member has had before it
 * @param rank the member that says so
 * @param ranks whom it has lost
 */
public record Lost(int group, byte turn, int rank, List<Integer> ranks) {
    public Lost {
        ranks = List.copyOf(ranks);
    }

    /** Both of what a member says, unless that is too much. */
    Lost and(Lost more) {
        return new Lost(group, turn, rank, Stream.concat(ranks.stream(), more.ranks.stream()).distinct()
                .limit(Tags.MEMBERS).toList());
    }
}
