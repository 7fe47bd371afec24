// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory for each slot of a window, on cache lines of its own. The segments are made when they are first used: the
 * slots used last are used first, so that most callers need only a few of them.
 */
final class SlotMemory {
    private final int size;
    private final int stride;
    private final MemorySegment all;
    /** By slot. Only whoever has the slot reads or writes there. */
    private final MemorySegment[] made;

    /** So many bytes for each slot. */
    SlotMemory(Arena arena, int size, int slots) {
        this.size = size;
        this.stride = size + 63 & -64;
        this.all = arena.allocate((long) stride * slots, 64);
        this.made = new MemorySegment[slots];
    }

    MemorySegment of(int slot) {
        MemorySegment memory = made[slot];
        if (memory == null) {
            memory = all.asSlice((long) slot * stride, size);
            made[slot] = memory;
        }
        return memory;
    }
}
