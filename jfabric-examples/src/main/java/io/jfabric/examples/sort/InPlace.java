// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Sorts records where they are: first into parts by the range of their keys, then each part, of which a long is kept
 * for each record meanwhile. Keys that are not spread over their range would make large parts.
 */
public final class InPlace {
    private static final int PART_BITS = 9;
    private static final int PARTS = 1 << PART_BITS;
    /** Of a long that is not negative. */
    private static final int BITS = Long.SIZE - 1;

    private final MemorySegment records;
    private final MemorySegment spare = MemorySegment.ofArray(new byte[Records.BYTES]);
    private final int count;
    private final long low;
    private final int shift;
    private long[] entries = {};

    private InPlace(MemorySegment records, int count) {
        this.records = records;
        this.count = count;
        long least = -1;
        long most = 0;
        for (int i = 0; i < count; i++) {
            long key = key(i);
            least = Long.compareUnsigned(key, least) < 0 ? key : least;
            most = Long.compareUnsigned(key, most) > 0 ? key : most;
        }
        low = least;
        shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(most - least) - PART_BITS);
    }

    /** Sorts so many records. */
    public static void sort(MemorySegment records, int count) {
        if (count > 1) {
            new InPlace(records, count).sort();
        }
    }

    private void sort() {
        int[] ends = new int[PARTS];
        for (int i = 0; i < count; i++) {
            ends[part(i)]++;
        }
        int[] next = new int[PARTS];
        for (int part = 1; part < PARTS; part++) {
            next[part] = ends[part - 1];
            ends[part] += ends[part - 1];
        }
        for (int part = 0; part < PARTS; part++) {
            while (next[part] < ends[part]) {
                int other = part(next[part]);
                if (other == part) {
                    next[part]++;
                } else {
                    swap(next[part], next[other]++);
                }
            }
            int first = part == 0 ? 0 : ends[part - 1];
            sort(first, ends[part] - first);
        }
    }

    private void sort(int first, int size) {
        if (size < 2) {
            return;
        }
        int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
        int drop = Math.max(0, shift + placeBits - BITS);
        long[] order = entries.length < size ? entries = new long[size] : entries;
        long within = (1L << shift) - 1;
        for (int place = 0; place < size; place++) {
            order[place] = (key(first + place) - low & within) >>> drop << placeBits | place;
        }
        Arrays.sort(order, 0, size);
        long places = (1L << placeBits) - 1;
        // where the bits that were kept are the same, the whole key decides
        for (int i = 1; i < size; i++) {
            long moved = order[i];
            int to = i;
            while (to > 0 && order[to - 1] >>> placeBits == moved >>> placeBits
                    && compare(first + (int) (order[to - 1] & places), first + (int) (moved & places)) > 0) {
                order[to] = order[to - 1];
                to--;
            }
            order[to] = moved;
        }
        for (int i = 0; i < size; i++) {
            order[i] &= places;
        }
        move(first, size, order);
    }

    /** Each record to its place, a cycle at a time. */
    private void move(int first, int size, long... from) {
        for (int i = 0; i < size; i++) {
            if (from[i] == i) {
                continue;
            }
            copy(records, first + i, spare, 0);
            int to = i;
            while (from[to] != i) {
                int source = (int) from[to];
                copy(records, first + source, records, first + to);
                from[to] = to;
                to = source;
            }
            copy(spare, 0, records, first + to);
            from[to] = to;
        }
    }

    private long key(int index) {
        return Records.prefix(records, (long) index * Records.BYTES);
    }

    private int part(int index) {
        return (int) (key(index) - low >>> shift);
    }

    private int compare(int one, int other) {
        return Records.compare(records, (long) one * Records.BYTES, records, (long) other * Records.BYTES);
    }

    private void swap(int one, int other) {
        copy(records, one, spare, 0);
        copy(records, other, records, one);
        copy(spare, 0, records, other);
    }

    private static void copy(MemorySegment from, int source, MemorySegment to, int target) {
        MemorySegment.copy(from, (long) source * Records.BYTES, to, (long) target * Records.BYTES, Records.BYTES);
    }
}
