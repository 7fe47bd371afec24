// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The memory regions of a domain, by address: their descriptors serve local operations. Blocks of arenas come first, as
 * they stay registered for as long as anything uses the memory; the user's regions may be closed at any time. What an
 * operation fills is looked for among those that a device may write to.
 *
 * <p>Looking one up allocates nothing and takes no lock: the table is replaced whole when a region comes or goes,
 * which costs little beside a registration.
 */
public final class LocalRegions {
    public static final long NONE = Long.MIN_VALUE;

    /** Regions by address; reach[i] is the highest end of all regions up to i. */
    private record Table(long[] starts, long[] ends, long[] descriptors, Boolean[] fillable,
            MemorySegment.Scope[] scopes, long[] reach) {
        static Table of(long[] starts, long[] ends, long[] descriptors, Boolean[] fillable,
                MemorySegment.Scope[] scopes) {
            long[] reach = ends.clone();
            for (int i = 1; i < reach.length; i++) {
                reach[i] = Math.max(reach[i], reach[i - 1]);
            }
            return new Table(starts, ends, descriptors, fillable, scopes, reach);
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

    private static final Table EMPTY = Table.of(new long[0], new long[0], new long[0], new Boolean[0],
            new MemorySegment.Scope[0]);

    private volatile Table blocks = EMPTY;
    private volatile Table table = EMPTY;

    /** How many regions were removed. */
    private volatile int removals;

    /** @param fillable whether a device may write to it */
    public synchronized void add(MemorySegment memory, long descriptor, boolean fillable) {
        table = with(table, memory, descriptor, fillable);
    }

    /** As {@link #add}, for memory of all rights that nothing uses any more when it is removed. */
    public synchronized void addBlock(MemorySegment memory, long descriptor) {
        blocks = with(blocks, memory, descriptor, true);
    }

    private static Table with(Table t, MemorySegment memory, long descriptor, boolean fillable) {
        long address = memory.address();
        int at = t.floor(address) + 1;
        return Table.of(inserted(t.starts, at, address), inserted(t.ends, at, address + memory.byteSize()),
                inserted(t.descriptors, at, descriptor), inserted(t.fillable, at, fillable),
                inserted(t.scopes, at, memory.scope()));
    }

    public synchronized void remove(MemorySegment memory, long descriptor) {
        Table left = without(table, memory, descriptor);
        if (left != table) {
            table = left;
            // last: a thread that has seen the new number finds nothing of the old table
            removals++;
        }
    }

    public synchronized void removeBlock(MemorySegment memory, long descriptor) {
        Table left = without(blocks, memory, descriptor);
        if (left != blocks) {
            blocks = left;
            removals++;
        }
    }

    private static Table without(Table t, MemorySegment memory, long descriptor) {
        long address = memory.address();
        for (int i = t.floor(address); i >= 0 && t.starts[i] == address; i--) {
            if (t.ends[i] == address + memory.byteSize() && t.descriptors[i] == descriptor) {
                return Table.of(removed(t.starts, i), removed(t.ends, i), removed(t.descriptors, i),
                        removed(t.fillable, i), removed(t.scopes, i));
            }
        }
        return t;
    }

    /** Whether operations on that memory use the descriptor of an arena's block. */
    public boolean isInBlock(MemorySegment memory) {
        return find(blocks, memory.address(), memory.address() + memory.byteSize(), true) != NONE;
    }

    /** If this has changed since before a lookup, the descriptor that was found may be that of a closed region. */
    public int removals() {
        return removals;
    }

    /**
     * The descriptor of a region that covers the buffer; {@link #NONE} if there is none. A region whose memory was
     * freed does not count: the pages at the address now are not those that the device knows.
     *
     * @param filled whether the operation writes to the buffer
     */
    public long descriptor(long address, long length, boolean filled) {
        long end = address + length;
        long descriptor = find(blocks, address, end, filled);
        return descriptor != NONE ? descriptor : find(table, address, end, filled);
    }

    private static long find(Table t, long address, long end, boolean filled) {
        for (int i = t.floor(address); i >= 0 && t.reach[i] >= end; i--) {
            if (t.ends[i] >= end && (!filled || t.fillable[i]) && t.scopes[i].isAlive()) {
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

    private static <T> T[] inserted(T[] array, int at, T value) {
        T[] copy = Arrays.copyOf(array, array.length + 1);
        System.arraycopy(array, at, copy, at + 1, array.length - at);
        copy[at] = value;
        return copy;
    }

    private static long[] removed(long[] array, int at) {
        long[] copy = Arrays.copyOf(array, array.length - 1);
        System.arraycopy(array, at + 1, copy, at, copy.length - at);
        return copy;
    }

    private static <T> T[] removed(T[] array, int at) {
        T[] copy = Arrays.copyOf(array, array.length - 1);
        System.arraycopy(array, at + 1, copy, at, copy.length - at);
        return copy;
    }
}
