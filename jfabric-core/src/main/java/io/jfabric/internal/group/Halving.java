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
        MemorySegment begun = mine.range(0, n);
        int first = 0;
        for (int half = n / 2; half > 0; half /= 2) {
            boolean lower = (fold.place() & half) == 0;
            int keep = lower ? first : first + half;
            int give = lower ? first + half : first;
            int partner = fold.rank(fold.place() ^ half);
            MemorySegment own = slice(begun, mine, first, keep, half);
            // of this round alone, and result free until the way back: so that what is received there may be at once
            MemorySegment theirs = s.scratch(own.byteSize());
            s.send(slice(begun, mine, first, give, half), partner);
            s.receive(theirs, partner);
            MemorySegment sum = half == 1 ? result.part(keep) : theirs;
            s.combine(theirs, own, sum);
            s.end();
            begun = sum;
            first = keep;
        }
    }

    /** Parts of a buffer that begins with the first of them. */
    private static MemorySegment slice(MemorySegment buffer, Parts parts, int first, int from, int number) {
        long begin = parts.begin(from);
        return buffer.asSlice(begin - parts.begin(first), parts.begin(from + number) - begin);
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
