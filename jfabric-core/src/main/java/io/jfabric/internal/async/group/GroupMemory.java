// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Memory for collective operations to compute in: blocks of powers of two, reused until the node is closed. */
final class GroupMemory {
    private static final int SMALLEST = 6;

    private final SegmentAllocator memory;
    @SuppressWarnings({"unchecked", "rawtypes"})
    private final Queue<MemorySegment>[] free = new Queue[Long.SIZE];

    GroupMemory(SegmentAllocator memory) {
        this.memory = memory;
        for (int i = 0; i < free.length; i++) {
            free[i] = new ConcurrentLinkedQueue<>();
        }
    }

    private static int power(long size) {
        return Math.max(SMALLEST, Long.SIZE - Long.numberOfLeadingZeros(size - 1));
    }

    /** A block of at least this size. */
    MemorySegment take(long size) {
        MemorySegment block = free[power(size)].poll();
        return block != null ? block : memory.allocate(1L << power(size), 1L << SMALLEST);
    }

    void give(MemorySegment block) {
        free[power(block.byteSize())].add(block);
    }
}
