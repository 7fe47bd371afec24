// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import java.util.Arrays;

/**
 * The memory regions the user registered in a domain, by address: their descriptors serve local operations.
 *
 * <p>Looking one up allocates nothing and takes no lock: the table is replaced whole when a region comes or goes,
 * which costs little beside a registration.
 */
public final class LocalRegions {
    public static final long NONE = Long.MIN_VALUE;

    /** Regions by address; reach[i] is the highest end of all regions up to i. */
    private record Table(long[] starts, long[] ends, long[] descriptors, long[] reach) {
        static Table of(long[] starts, long[] ends, long[] descriptors) {
            long[] reach = ends.clone();
            for (int i = 1; i < reach.length; i++) {
                reach[i] = Math.max(reach[i], reach[i - 1]);
            }
            return new Table(starts, ends, descriptors, reach);
        }

        /** Index of the last region that starts at the address or below; -1 for none. */
        int floor(long address) {
            int low = 0;
            int high = starts.length - 1;
            while (low <= high) {
                int middle = low + high >>> 1;
                if (starts[middle] <= address) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return high;
        }
    }

    private volatile Table table = new Table(new long[0], new long[0], new long[0], new long[0]);

    public synchronized void add(long address, long length, long descriptor) {
        Table t = table;
        int at = t.floor(address) + 1;
        table = Table.of(inserted(t.starts, at, address), inserted(t.ends, at, address + length),
                inserted(t.descriptors, at, descriptor));
    }

    public synchronized void remove(long address, long length, long descriptor) {
        Table t = table;
        for (int i = t.floor(address); i >= 0 && t.starts[i] == address; i--) {
            if (t.ends[i] == address + length && t.descriptors[i] == descriptor) {
                table = Table.of(removed(t.starts, i), removed(t.ends, i), removed(t.descriptors, i));
                return;
            }
        }
    }

    /** The descriptor of a region that covers the buffer; {@link #NONE} if there is none. */
    public long descriptor(long address, long length) {
        Table t = table;
        long end = address + length;
        for (int i = t.floor(address); i >= 0 && t.reach[i] >= end; i--) {
            if (t.ends[i] >= end) {
                return t.descriptors[i];
            }
        }
        return NONE;
    }

    private static long[] inserted(long[] array, int at, long value) {
        long[] copy = Arrays.copyOf(array, array.length + 1);
        System.arraycopy(array, at, copy, at + 1, array.length - at);
        copy[at] = value;
        return copy;
    }

    private static long[] removed(long[] array, int at) {
        long[] copy = Arrays.copyOf(array, array.length - 1);
        System.arraycopy(array, at + 1, copy, at, copy.length - at);
        return copy;
    }
}
