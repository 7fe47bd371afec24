// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.FabricException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Who is left of a group. Whom one member has lost all go on without: else that one and those that still hear from the
 * lost one would wait for each other. By ranks in that group. The lock of {@link Shrinking} guards it.
 */
final class Left {
    private final Core group;
    /** By the rank of a lost member, the one that has said so first. */
    private final Map<Integer, Integer> said = new HashMap<>();

    Left(Core group) {
        this.group = group;
    }

    boolean has(int rank) {
        return group.whyGone(rank) == null && !said.containsKey(rank);
    }

    /** Why a member is not left, for people; null if it is. */
    String whyNot(int rank) {
        FabricException gone = group.whyGone(rank);
        Integer by = said.get(rank);
        return gone != null ? gone.getMessage() : by == null ? null
                : "rank " + by + " of the group that was shrunk first has lost it";
    }

    /** Whether a member goes on without this one. */
    boolean isLostTo(int rank) {
        return group.whyGone(rank) != null && group.transport.hasGivenUp(rank)
                || Integer.valueOf(rank).equals(said.get(group.transport.rank()));
    }

    /** Another member has lost some. Returns whether anybody is not left any more who was. */
    boolean hear(int from, List<Integer> lost) {
        boolean isNews = false;
        // those that are lost themselves have no say
        if (from >= 0 && from < group.transport.size() && has(from)) {
            for (int rank : lost) {
                if (rank >= 0 && rank < group.transport.size() && rank != from && has(rank)) {
                    said.put(rank, from);
                    isNews = true;
                }
            }
        }
        return isNews;
    }

    /** Those who are not. */
    List<Integer> lost() {
        return IntStream.range(0, group.transport.size()).filter(rank -> !has(rank)).boxed().toList();
    }

    /** Those who can be told so: also those that others have lost. */
    int[] inReach() {
        return IntStream.range(0, group.transport.size())
                .filter(rank -> rank != group.transport.rank() && group.whyGone(rank) == null).toArray();
    }
}
