// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Records in memory, in the order of their keys, of which a long each is kept: bits of the key, then the place. */
public final class Order {
    private final MemorySegment records;
    private final long[] order;
    private final int placeBits;

    private Order(MemorySegment records, int count) {
        this.records = records;
        order = new long[count];
        placeBits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, count - 1)));
    }

    /** Sorts so many records. The records themselves stay where they are. */
    public static Order of(MemorySegment records, int count) {
        Order sorted = new Order(records, count);
        sorted.sort();
        return sorted;
    }

    private void sort() {
        for (int place = 0; place < order.length; place++) {
            long key = Records.prefix(records, (long) place * Records.BYTES) >>> placeBits;
            // longs are sorted as signed ones
            order[place] = (key << placeBits | place) ^ Long.MIN_VALUE;
        }
        Arrays.sort(order);
        // where the bits that were kept are the same, the whole key decides
        for (int i = 1; i < order.length; i++) {
            long moved = order[i];
            int to = i;
            while (to > 0 && order[to - 1] >>> placeBits == moved >>> placeBits
                    && Records.compare(records, at(order[to - 1]), records, at(moved)) > 0) {
                order[to] = order[to - 1];
                to--;
            }
            order[to] = moved;
        }
    }

    private long at(long entry) {
        return (entry & (1L << placeBits) - 1) * Records.BYTES;
    }

    /** How many records. */
    public int size() {
        return order.length;
    }

    /** Where the record is that has this place in the order, in bytes. */
    public long offset(int index) {
        return at(order[index]);
    }
}
