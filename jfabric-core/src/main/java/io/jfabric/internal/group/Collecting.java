// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;

/** Gather, allgather and all-to-all. */
final class Collecting {
    /** From this many bytes on, the root gets each block directly from its member. */
    private static final long DIRECT = 4 << 10;
    /** Up to this many members that always pays. */
    private static final int FEW = 4;
    /** From a result of this many bytes on, blocks go round in a ring. */
    private static final long LONG = 64 << 10;
    /** Below this many bytes in a block, several go in one message. */
    private static final long TINY = 256;
    /** How many direct messages are under way at once. */
    private static final int WINDOW = 16;

    private Collecting() {
    }

    /** The result goes to the root, and is null elsewhere. */
    static void gather(Schedule s, MemorySegment mine, MemorySegment result, int root) {
        long block = mine.byteSize();
        int n = s.size();
        if (block >= DIRECT || n <= FEW) {
            directly(s, mine, result, root);
            return;
        }
        int place = Math.floorMod(s.rank() - root, n);
        int blocks = Spreading.subtree(place, n);
        if (blocks == 1) {
            s.send(mine, s.neighbour(-Integer.lowestOneBit(place)));
            return;
        }
        MemorySegment all = place == 0 && root == 0 ? result : s.scratch(block * blocks);
        s.copy(mine, all.asSlice(0, block));
        s.end();
        for (int distance = 1; distance < n; distance *= 2) {
            if ((place & distance) != 0) {
                s.send(all, s.neighbour(-distance));
                return;
            }
            if (place + distance < n) {
                s.receive(all.asSlice(distance * block, Spreading.subtree(place + distance, n) * block),
                        s.neighbour(distance));
                s.end();
            }
        }
        if (root != 0) {
            s.copy(all.asSlice(0, block * (n - root)), result.asSlice(block * root, block * (n - root)));
            s.copy(all.asSlice(block * (n - root), block * root), result.asSlice(0, block * root));
        }
    }

    private static void directly(Schedule s, MemorySegment mine, MemorySegment result, int root) {
        long block = mine.byteSize();
        if (s.rank() != root) {
            s.send(mine, root);
            return;
        }
        s.copy(mine, result.asSlice(root * block, block));
        for (int other = 1; other < s.size(); other++) {
            int rank = (root + other) % s.size();
            s.receive(result.asSlice(rank * block, block), rank);
            if (other % WINDOW == 0) {
                s.end();
            }
        }
    }

    static void all(Schedule s, MemorySegment mine, MemorySegment result) {
        long block = mine.byteSize();
        int n = s.size();
        Parts parts = new Parts(result, n, Math.max(1, block));
        if (result.byteSize() >= LONG || n <= 2) {
            s.copy(mine, parts.part(s.rank()));
            s.end();
            Ring.gather(s, parts, 0, s.rank());
        } else if (Integer.bitCount(n) == 1) {
            s.copy(mine, parts.part(s.rank()));
            s.end();
            Halving.gather(s, new Fold(s), parts);
        } else {
            // Bruck: block i is that of the i-th neighbour
            MemorySegment near = s.scratch(result.byteSize());
            s.copy(mine, near.asSlice(0, block));
            s.end();
            for (int distance = 1; distance < n; distance *= 2) {
                long size = Math.min(distance, n - distance) * block;
                s.send(near.asSlice(0, size), s.neighbour(-distance));
                s.receive(near.asSlice(distance * block, size), s.neighbour(distance));
                s.end();
            }
            long before = s.rank() * block;
            s.copy(near.asSlice(0, result.byteSize() - before), result.asSlice(before));
            s.copy(near.asSlice(result.byteSize() - before, before), result.asSlice(0, before));
        }
    }

    static void exchange(Schedule s, MemorySegment mine, MemorySegment result) {
        int n = s.size();
        long block = mine.byteSize() / n;
        MemorySegment from = mine;
        if (mine.address() == result.address()) {
            from = s.scratch(mine.byteSize());
            s.copy(mine, from);
            s.end();
        }
        if (block < TINY && n > FEW) {
            together(s, from, result, block);
            return;
        }
        long[] places = LongStream.rangeClosed(0, n).map(i -> i * block).toArray();
        exchange(s, from, places, result, places);
    }

    /** With blocks of any sizes: each from one of the places to the next. */
    static void exchange(Schedule s, MemorySegment mine, long[] from, MemorySegment result, long[] into) {
        s.copy(block(mine, from, s.rank()), block(result, into, s.rank()));
        for (int distance = 1; distance < s.size(); distance++) {
            int to = s.neighbour(distance);
            int source = s.neighbour(-distance);
            s.send(block(mine, from, to), to);
            s.receive(block(result, into, source), source);
            if (distance % FEW == 0) {
                s.end();
            }
        }
    }

    private static MemorySegment block(MemorySegment all, long[] places, int rank) {
        return all.asSlice(places[rank], places[rank + 1] - places[rank]);
    }

    /** Bruck: block i goes to the i-th neighbour; the round of each distance moves those with that bit in i. */
    private static void together(Schedule s, MemorySegment from, MemorySegment result, long block) {
        int n = s.size();
        MemorySegment here = s.scratch(block * n);
        MemorySegment outgoing = s.scratch(block * n);
        MemorySegment incoming = s.scratch(block * n);
        for (int i = 0; i < n; i++) {
            s.copy(from.asSlice(s.neighbour(i) * block, block), here.asSlice(i * block, block));
        }
        s.end();
        for (int distance = 1; distance < n; distance *= 2) {
            long packed = 0;
            for (int i = distance; i < n; i++) {
                if ((i & distance) != 0) {
                    s.copy(here.asSlice(i * block, block), outgoing.asSlice(packed, block));
                    packed += block;
                }
            }
            s.end();
            s.send(outgoing.asSlice(0, packed), s.neighbour(distance));
            s.receive(incoming.asSlice(0, packed), s.neighbour(-distance));
            long unpacked = 0;
            for (int i = distance; i < n; i++) {
                if ((i & distance) != 0) {
                    s.copy(incoming.asSlice(unpacked, block), here.asSlice(i * block, block));
                    unpacked += block;
                }
            }
            s.end();
        }
        for (int i = 0; i < n; i++) {
            s.copy(here.asSlice(i * block, block), result.asSlice(s.neighbour(-i) * block, block));
        }
    }
}
