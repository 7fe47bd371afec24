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

    private static final class Region {
        private final long descriptor;
        private final boolean fillable;
        private final MemorySegment.Scope scope;
        /** Whether any operation was given the descriptor. */
        private boolean found;

        private Region(long descriptor, boolean fillable, MemorySegment.Scope scope) {
            this.descriptor = descriptor;
            this.fillable = fillable;
            this.scope = scope;
        }
    }

    /** Regions by address; reach[i] is the highest end of all regions up to i. */
    private record Table(long[] starts, long[] ends, Region[] regions, long[] reach) {
        static Table of(long[] starts, long[] ends, Region[] regions) {
            long[] reach = ends.clone();
            for (int i = 1; i < reach.length; i++) {
                reach[i] = Math.max(reach[i], reach[i - 1]);
            }
            return new Table(starts, ends, regions, reach);
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

        /** Index of the region of that memory; -1 if there is none. */
        int indexOf(MemorySegment memory, long descriptor) {
            long address = memory.address();
            for (int i = floor(address); i >= 0 && starts[i] == address; i--) {
                if (ends[i] == address + memory.byteSize() && regions[i].descriptor == descriptor) {
                    return i;
                }
            }
            return -1;
        }
    }

    private static final Table EMPTY = Table.of(new long[0], new long[0], new Region[0]);

    /** Whether a region serves only buffers at its start. */
    private final boolean fromStart;
    private volatile Table blocks = EMPTY;
    private volatile Table table = EMPTY;

    /** How many regions were removed. */
    private volatile int removals;

    public LocalRegions(boolean fromStart) {
        this.fromStart = fromStart;
    }

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
                inserted(t.regions, at, new Region(descriptor, fillable, memory.scope())));
    }

    /** Whether any operation may have been given the descriptor. To be asked while no thread is in an operation. */
    public boolean wasFound(MemorySegment memory, long descriptor) {
        Table t = table;
        int at = t.indexOf(memory, descriptor);
        return at < 0 || t.regions[at].found;
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
        int at = t.indexOf(memory, descriptor);
        return at < 0 ? t : Table.of(removed(t.starts, at), removed(t.ends, at), removed(t.regions, at));
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

    private long find(Table t, long address, long end, boolean filled) {
        for (int i = t.floor(address); i >= 0 && t.reach[i] >= end; i--) {
            if (t.ends[i] >= end && (!fromStart || t.starts[i] == address)) {
                Region region = t.regions[i];
                if ((!filled || region.fillable) && region.scope.isAlive()) {
                    if (!region.found) {
                        region.found = true;
                    }
                    return region.descriptor;
                }
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
