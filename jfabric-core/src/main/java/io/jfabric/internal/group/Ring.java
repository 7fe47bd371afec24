// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.lang.foreign.MemorySegment;

/** Each member sends to its right and receives from its left: for long buffers, each byte crosses each link once. */
final class Ring {
    private Ring() {
    }

    /** Combines all parts; this member then has the result's part {@code rank + 1}. */
    static void reduce(Schedule s, Parts mine, Parts result) {
        int n = s.size();
        // by turns: one receives while the other is combined
        MemorySegment[] rooms = {s.scratch(mine.largest()), s.scratch(mine.largest())};
        for (int step = 0; step < n - 1; step++) {
            Parts complete = step == 0 ? mine : result;
            int outgoing = Math.floorMod(s.rank() - step, n);
            int incoming = Math.floorMod(s.rank() - step - 1, n);
            MemorySegment own = mine.part(incoming);
            MemorySegment theirs = rooms[step & 1].asSlice(0, own.byteSize());
            s.send(complete.part(outgoing), s.neighbour(1));
            s.receive(theirs, s.neighbour(-1));
            s.combine(theirs, own, result.part(incoming));
            s.end();
        }
    }

    /** Passes all parts on; this member begins with the part {@code first + rank}. */
    static void gather(Schedule s, Parts result, int first, int rank) {
        int n = s.size();
        for (int step = 0; step < n - 1; step++) {
            s.send(result.part(Math.floorMod(first + rank - step, n)), s.neighbour(1));
            s.receive(result.part(Math.floorMod(first + rank - step - 1, n)), s.neighbour(-1));
            s.end();
        }
    }
}
