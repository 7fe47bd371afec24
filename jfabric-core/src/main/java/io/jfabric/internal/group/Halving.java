// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.lang.foreign.MemorySegment;

/** Combines by halves: each round with a nearer member, and half as much. For powers of two. */
final class Halving {
    private Halving() {
    }

    /** Combines all parts; this member then has the part of its own place. */
    static void reduce(Schedule s, Fold fold, Parts mine, Parts result) {
        int n = fold.members();
        MemorySegment room = s.scratch(n > 1 ? mine.begin(n / 2) : 0);
        Parts begun = mine;
        int first = 0;
        for (int half = n / 2; half > 0; half /= 2) {
            boolean lower = (fold.place() & half) == 0;
            int keep = lower ? first : first + half;
            int give = lower ? first + half : first;
            int partner = fold.rank(fold.place() ^ half);
            MemorySegment own = begun.range(keep, keep + half);
            MemorySegment theirs = room.asSlice(0, own.byteSize());
            s.send(begun.range(give, give + half), partner);
            s.receive(theirs, partner);
            s.combine(theirs, own, result.range(keep, keep + half));
            s.end();
            begun = result;
            first = keep;
        }
    }

    /** The way back: all parts for all. */
    static void gather(Schedule s, Fold fold, Parts result) {
        for (int half = 1; half < fold.members(); half *= 2) {
            int own = fold.place() & -half;
            int other = own ^ half;
            int partner = fold.rank(fold.place() ^ half);
            s.send(result.range(own, own + half), partner);
            s.receive(result.range(other, other + half), partner);
            s.end();
        }
    }
}
