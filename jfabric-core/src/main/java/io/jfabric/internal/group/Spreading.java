// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import java.lang.foreign.MemorySegment;

/** Barrier, broadcast and scatter. */
final class Spreading {
    /** From this many bytes on a broadcast goes in parts, if there are at least this many members. */
    private static final long LONG = 128 << 10;
    private static final int MANY = 4;
    /** From this many bytes on, each member gets its block directly from the root. */
    private static final long DIRECT = 4 << 10;
    /** How many of these messages are under way at once. */
    private static final int WINDOW = 16;

    private Spreading() {
    }

    /** In each round a member hears of twice as many others. */
    static void barrier(Schedule s) {
        if (s.size() == 1) {
            return;
        }
        MemorySegment word = s.scratch(2 * Long.BYTES);
        for (int distance = 1; distance < s.size(); distance *= 2) {
            s.send(word.asSlice(0, 1), s.neighbour(distance));
            s.receive(word.asSlice(Long.BYTES, 1), s.neighbour(-distance));
            s.end();
        }
    }

    static void broadcast(Schedule s, MemorySegment buffer, int root) {
        if (buffer.byteSize() < LONG || s.size() < MANY) {
            tree(s, buffer, root);
            return;
        }
        // each part belongs to a place; the root's place is 0
        int place = Math.floorMod(s.rank() - root, s.size());
        Parts parts = new Parts(buffer, s.size(), 1);
        int mask = climb(s, place, parts);
        descend(s, place, mask, parts);
        around(s, place, parts);
    }

    /** As {@link Ring#gather}, but sends nothing to the root: it has all, perhaps in read-only memory. */
    private static void around(Schedule s, int place, Parts parts) {
        int n = s.size();
        for (int step = 0; step < n - 1; step++) {
            if (place < n - 1) {
                s.send(parts.part(Math.floorMod(place - step, n)), s.neighbour(1));
            }
            if (place > 0) {
                s.receive(parts.part(Math.floorMod(place - step - 1, n)), s.neighbour(-1));
            }
            s.end();
        }
    }

    /** Receives from the member above. */
    private static int climb(Schedule s, int place, Parts parts) {
        int mask = 1;
        while (mask < s.size()) {
            if ((place & mask) != 0) {
                s.receive(parts.range(place, Math.min(place + mask, s.size())), s.neighbour(-mask));
                s.end();
                break;
            }
            mask *= 2;
        }
        return mask;
    }

    /** Sends to the members below, the farthest first. */
    private static void descend(Schedule s, int place, int mask, Parts parts) {
        for (int distance = mask / 2; distance > 0; distance /= 2) {
            if (place + distance < s.size()) {
                s.send(parts.range(place + distance, Math.min(place + 2 * distance, s.size())),
                        s.neighbour(distance));
            }
        }
        s.end();
    }

    private static void tree(Schedule s, MemorySegment buffer, int root) {
        int place = Math.floorMod(s.rank() - root, s.size());
        int mask = 1;
        while (mask < s.size() && (place & mask) == 0) {
            mask *= 2;
        }
        if (mask < s.size()) {
            s.receive(buffer, s.neighbour(-mask));
            s.end();
        }
        for (int distance = mask / 2; distance > 0; distance /= 2) {
            if (place + distance < s.size()) {
                s.send(buffer, s.neighbour(distance));
            }
        }
    }

    /** From the root; the buffer is null elsewhere. */
    static void scatter(Schedule s, MemorySegment buffer, MemorySegment result, int root) {
        long block = result.byteSize();
        int n = s.size();
        if (block >= DIRECT || n <= MANY) {
            directly(s, buffer, result, root);
            return;
        }
        int place = Math.floorMod(s.rank() - root, n);
        int blocks = subtree(place, n);
        if (blocks == 1) {
            s.receive(result, s.neighbour(-Integer.lowestOneBit(place)));
            return;
        }
        MemorySegment all = place == 0 && root == 0 ? buffer : s.scratch(block * blocks);
        if (place != 0) {
            s.receive(all, s.neighbour(-Integer.lowestOneBit(place)));
            s.end();
        } else if (root != 0) {
            s.copy(buffer.asSlice(block * root), all.asSlice(0, block * (n - root)));
            s.copy(buffer.asSlice(0, block * root), all.asSlice(block * (n - root)));
            s.end();
        }
        for (int distance = Integer.highestOneBit(blocks - 1); distance > 0; distance /= 2) {
            s.send(all.asSlice(distance * block, subtree(place + distance, n) * block), s.neighbour(distance));
        }
        s.end();
        s.copy(all.asSlice(0, block), result);
    }

    /** How many members, itself included, get their blocks by way of this place. */
    static int subtree(int place, int n) {
        return place == 0 ? n : Math.min(Integer.lowestOneBit(place), n - place);
    }

    private static void directly(Schedule s, MemorySegment buffer, MemorySegment result, int root) {
        long block = result.byteSize();
        if (s.rank() != root) {
            s.receive(result, root);
            return;
        }
        for (int other = 1; other < s.size(); other++) {
            int rank = (root + other) % s.size();
            s.send(buffer.asSlice(rank * block, block), rank);
            if (other % WINDOW == 0) {
                s.end();
            }
        }
        s.end();
        s.copy(buffer.asSlice(root * block, block), result);
    }
}
