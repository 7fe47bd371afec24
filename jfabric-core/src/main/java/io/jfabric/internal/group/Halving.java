// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.lang.foreign.MemorySegment;

/** Combines by halves, for powers of two: in each round the partner is nearer and the elements are half as many. */
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
            // memory of this round alone: result is unused until the way back, whose receives may be posted at once
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

    /** A range of parts of a buffer that begins with the part {@code first}. */
    private static MemorySegment slice(MemorySegment buffer, Parts parts, int first, int from, int number) {
        long begin = parts.begin(from);
        return buffer.asSlice(begin - parts.begin(first), parts.begin(from + number) - begin);
    }

    /** The way back: gives all parts to all. */
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
