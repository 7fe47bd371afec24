// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.lang.foreign.MemorySegment;

/** Reduce, allreduce and reduce-scatter. */
final class Reductions {
    /** From this many bytes on it pays to send in parts. */
    static final long LONG = 16 << 10;

    private Reductions() {
    }

    static void all(Schedule s, MemorySegment mine, MemorySegment result, long elementSize) {
        int n = s.size();
        if (n == 1) {
            s.copy(mine, result);
        } else if (mine.byteSize() < LONG) {
            doubling(s, mine, result);
        } else if (Integer.bitCount(n) == 1) {
            Fold fold = new Fold(s);
            Parts parts = new Parts(result, n, elementSize);
            Halving.reduce(s, fold, parts.of(mine), parts);
            Halving.gather(s, fold, parts);
        } else {
            Parts parts = new Parts(result, n, elementSize);
            Ring.reduce(s, parts.of(mine), parts);
            Ring.gather(s, parts, 1, s.rank());
        }
    }

    /** Exchanges everything with a partner that is twice as far away in each round. */
    private static void doubling(Schedule s, MemorySegment mine, MemorySegment result) {
        Fold fold = new Fold(s);
        MemorySegment begun = fold.in(mine, result);
        if (fold.place() >= 0) {
            for (int distance = 1; distance < fold.members(); distance *= 2) {
                MemorySegment room = s.scratch(mine.byteSize());
                int partner = fold.rank(fold.place() ^ distance);
                s.send(begun, partner);
                s.receive(room, partner);
                s.combine(room, begun, result);
                s.end();
                begun = result;
            }
        }
        fold.out(result);
    }

    /** The result goes to the root, and is null elsewhere. */
    static void one(Schedule s, MemorySegment mine, MemorySegment result, int root, long elementSize) {
        int n = s.size();
        if (n == 1) {
            s.copy(mine, result);
        } else if (mine.byteSize() < LONG || n == 2) {
            tree(s, mine, result, root);
        } else {
            MemorySegment all = result == null ? s.scratch(mine.byteSize()) : result;
            Parts parts = new Parts(all, n, elementSize);
            Ring.reduce(s, parts.of(mine), parts);
            if (s.rank() != root) {
                s.send(parts.part((s.rank() + 1) % n), root);
            } else {
                for (int other = 1; other < n; other++) {
                    int rank = (root + other) % n;
                    s.receive(parts.part((rank + 1) % n), rank);
                }
            }
        }
    }

    private static void tree(Schedule s, MemorySegment mine, MemorySegment result, int root) {
        int n = s.size();
        int place = Math.floorMod(s.rank() - root, n);
        MemorySegment begun = mine;
        MemorySegment sum = result;
        for (int distance = 1; distance < n; distance *= 2) {
            if ((place & distance) != 0) {
                s.send(begun, s.neighbour(-distance));
                return;
            }
            if (place + distance < n) {
                if (sum == null) {
                    sum = s.scratch(mine.byteSize());
                }
                MemorySegment room = s.scratch(mine.byteSize());
                s.receive(room, s.neighbour(distance));
                s.combine(room, begun, sum);
                s.end();
                begun = sum;
            }
        }
    }

    /** Each member gets its part of the result. */
    static void scatter(Schedule s, MemorySegment mine, MemorySegment result, long elementSize) {
        int n = s.size();
        if (n == 1) {
            s.copy(mine, result);
            return;
        }
        Parts parts = new Parts(mine, n, elementSize);
        if (mine.byteSize() < LONG) {
            MemorySegment all = s.scratch(mine.byteSize());
            doubling(s, mine, all);
            s.copy(parts.of(all).part(s.rank()), result);
            return;
        }
        MemorySegment[] rooms = {s.scratch(result.byteSize()), s.scratch(result.byteSize())};
        MemorySegment sum = s.scratch(result.byteSize());
        for (int step = 0; step < n - 1; step++) {
            MemorySegment own = parts.part(Math.floorMod(s.rank() - step - 2, n));
            s.send(step == 0 ? parts.part(s.neighbour(-1)) : sum, s.neighbour(1));
            MemorySegment room = rooms[step & 1];
            s.receive(room, s.neighbour(-1));
            s.combine(room, own, step == n - 2 ? result : sum);
            s.end();
        }
    }
}
