// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.memory;

import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.post.DomainState;
import io.jfabric.internal.post.LocalRegion;
import io.jfabric.internal.post.OpenArenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory of an arena that was allocated, and registered where needed, at once. */
final class ArenaBlock {
    private final DomainState domain;
    private final long heap;
    private final OpenArenas.Block block;
    /** Null where the provider demands none. */
    private LocalRegion region;

    private ArenaBlock(DomainState domain, long heap, OpenArenas.Block block) {
        this.domain = domain;
        this.heap = heap;
        this.block = block;
    }

    /** With addresses that are multiples of the alignment. */
    static ArenaBlock allocate(DomainState domain, OpenArenas.Owner owner, long size, long alignment) {
        // malloc aligns to 16 itself
        long room = size + alignment - 16;
        long heap = room < size ? 0 : LibC.calloc(room);
        if (heap == 0) {
            throw new OutOfMemoryError("FabricArena: " + size + " bytes with alignment " + alignment
                    + " cannot be allocated");
        }
        long start = heap + alignment - 1 & -alignment;
        ArenaBlock block = new ArenaBlock(domain, heap, new OpenArenas.Block(start, start + size, owner));
        try {
            block.register();
        } catch (Throwable e) {
            LibC.free(heap);
            throw e;
        }
        domain.arenas().add(block.block);
        return block;
    }

    private void register() {
        if (domain.registersLocally()) {
            region = LocalRegion.alone(domain, block.start(), size());
            domain.localRegions().add(memory(), region.descriptor());
        }
    }

    private long size() {
        return block.end() - block.start();
    }

    private MemorySegment memory() {
        return Memory.segment(block.start(), size());
    }

    MemorySegment memory(Arena arena) {
        return Memory.segment(block.start(), size(), arena);
    }

    /** Nothing uses it any more. If it cannot be deregistered it stays allocated: the device may have it. */
    void free() {
        domain.arenas().remove(block);
        if (region != null) {
            domain.localRegions().remove(memory(), region.descriptor());
            region.closeAlone();
        }
        LibC.free(heap);
    }
}
