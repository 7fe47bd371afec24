// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.memory;

import io.jfabric.internal.context.LateAccess;
import io.jfabric.internal.context.OpenArenas;
import io.jfabric.internal.ffi.LibC;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.shared.LocalRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** A block of an arena's memory, allocated as a whole, and registered as a whole where needed. */
final class ArenaBlock {
    /** If the kernel's pages are larger, it refuses to take back a part of one, and only memory is lost. */
    private static final long PAGE = 4096;

    private final DomainState domain;
    private final long heap;
    /** The arena that it is of. */
    private final OpenArenas.Owner owner;
    private final OpenArenas.Block block;
    /** Null where the provider demands none. */
    private LocalRegion region;

    private ArenaBlock(DomainState domain, long heap, OpenArenas.Owner owner, OpenArenas.Block block) {
        this.domain = domain;
        this.heap = heap;
        this.owner = owner;
        this.block = block;
    }

    /** Allocates a block that begins at a multiple of the alignment. */
    static ArenaBlock allocate(DomainState domain, OpenArenas.Owner owner, long size, long alignment) {
        // malloc aligns to 16 itself
        long room = size + alignment - 16;
        long heap = room < size ? 0 : LibC.calloc(room);
        if (heap == 0) {
            throw new OutOfMemoryError("FabricArena: " + size + " bytes with alignment " + alignment
                    + " cannot be allocated; arenas that peers could reach keep their addresses after they are closed, "
                    + "until the endpoints are closed, too");
        }
        long start = heap + alignment - 1 & -alignment;
        ArenaBlock block = new ArenaBlock(domain, heap, owner, new OpenArenas.Block(start, start + size, owner));
        try {
            block.register();
            OpenArenas.add(block.block);
        } catch (Throwable e) {
            block.abandon(e);
            throw e;
        }
        return block;
    }

    /** Frees a block that nobody has got. */
    private void abandon(Throwable why) {
        try {
            deregister(() -> LibC.free(heap));
        } catch (RuntimeException | Error stays) {
            // a device may still have the memory: better lost than another's
            why.addSuppressed(stays);
        }
    }

    private void register() {
        if (domain.registersLocally()) {
            region = LocalRegion.alone(domain, block.start(), size());
            domain.localRegions().addBlock(memory(), region.descriptor());
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

    /**
     * The arena is closed: no operation of its domain uses the memory.
     *
     * @param then runs when no device has it any more: maybe never
     */
    void deregister(Runnable then) {
        if (region == null) {
            then.run();
        } else {
            domain.localRegions().removeBlock(memory(), region.descriptor());
            region.closeAlone(then);
        }
    }

    /**
     * The arena that it is of: an operation may use the block if anything that it keeps is from there. Of an atomic
     * operation whose buffers are of one arena only the result is kept, wherever the others are in it.
     */
    OpenArenas.Owner owner() {
        return owner;
    }

    /** Frees it, as this side does not use it any more. While peers still may, it is address space without memory. */
    void free() {
        List<LateAccess> peers = owner.exposures();
        if (!peers.isEmpty()) {
            long first = block.start() + PAGE - 1 & -PAGE;
            long end = block.end() & -PAGE;
            if (first < end) {
                LibC.forget(first, end - first);
            }
        }
        OpenArenas.remove(block);
        // alone: the arena and all that it leads to should not wait
        long address = heap;
        LateAccess.whenOver(peers, () -> LibC.free(address));
    }
}
