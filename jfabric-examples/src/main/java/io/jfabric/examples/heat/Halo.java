// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.heat;

import io.jfabric.async.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Exchanges rows with those above and below. Each two neighbours are a group of their own: so nothing needs a tag, and
 * what is given up takes no message of later.
 */
public final class Halo implements AutoCloseable {
    /** Null at the top, and at the bottom. */
    private final Group above;
    private final Group below;
    private final CompletableFuture<Void> ended;

    /** All members of the group make it. */
    public Halo(Group group) {
        // a neighbour that lives, but has gone to shrink the group, sends nothing any more
        ended = group.ended();
        int rank = group.rank();
        above = rank == 0 ? null : group.subgroup(rank - 1, rank);
        below = rank == group.size() - 1 ? null : group.subgroup(rank, rank + 1);
    }

    /** Sends the outer rows, and waits for those of the neighbours. Fails when the group does. */
    public void exchange(Rows rows) {
        long row = rows.row(0).byteSize();
        List<CompletableFuture<Void>> both = new ArrayList<>();
        if (above != null) {
            long[] sizes = {row, 0};
            both.add(above.allToAll(rows.row(0), sizes, rows.row(-1), sizes));
        }
        if (below != null) {
            long[] sizes = {0, row};
            both.add(below.allToAll(rows.row(rows.count() - 1), sizes, rows.row(rows.count()), sizes));
        }
        CompletableFuture.anyOf(CompletableFuture.allOf(both.toArray(CompletableFuture[]::new)), ended).join();
    }

    @Override
    public void close() {
        Stream.of(above, below).filter(Objects::nonNull).forEach(Group::close);
    }
}
