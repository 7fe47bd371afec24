// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

/** The arenas of a domain; and, by address, the memory of the arenas of all domains. Any thread. */
public final class OpenArenas {
    /** An arena, as seen by those who must keep it open. */
    public interface Owner {
        /**
         * Keeps it open until {@link #letGo}; again does nothing.
         *
         * @param user whose {@code toString} will say why the arena cannot be closed
         * @throws IllegalStateException if the arena is closed
         */
        void hold(Object user);

        /** Peers may access the memory through endpoints of that domain, also after the region is closed. */
        void exposedTo(LateAccess domain);

        /** All such domains. */
        List<LateAccess> exposures();

        void letGo(Object user);

        /** Whether somebody keeps it open. */
        boolean isHeld();

        /** Whether endpoints of any domain that have raw contexts may use its memory. */
        boolean mayBeInRawUse();

        /** Closes the arena with its domain. */
        void domainCloses();
    }

    /**
     * A piece of memory that belongs to an arena. Pieces do not overlap.
     *
     * @param owner weak: an arena that is forgotten is warned about with its fabric. Its memory stays
     */
    public record Block(long start, long end, WeakReference<Owner> owner) {
        public Block(long start, long end, Owner owner) {
            this(start, end, new WeakReference<>(owner));
        }

        boolean contains(long address, long size) {
            return address >= start && size <= end - address;
        }
    }

    /** For all domains: operations of one may use the memory of another's arena. */
    private static final NavigableMap<Long, Block> BLOCKS = new ConcurrentSkipListMap<>();


    /** Includes those that have no memory yet. */
    private final Set<Owner> arenas = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    public void add(Owner arena) {
        arenas.add(arena);
    }

    public void remove(Owner arena) {
        arenas.remove(arena);
    }

    public static void add(Block block) {
        BLOCKS.put(block.start, block);
    }

    public static void remove(Block block) {
        BLOCKS.remove(block.start, block);
    }

    /** Adds the arenas whose memory an operation or a region keeps. */
    public static void collect(Object kept, Set<Owner> into) {
        if (!BLOCKS.isEmpty()) {
            KeptMemory.forEach(kept, segment -> collect(segment, into));
        }
    }

    /** Whether it is from that arena, at least in part. */
    public static boolean isFrom(Object kept, Owner arena) {
        Set<Owner> owners = Collections.newSetFromMap(new IdentityHashMap<>());
        collect(kept, owners);
        return owners.contains(arena);
    }

    private static void collect(MemorySegment segment, Set<Owner> into) {
        long size = segment.byteSize();
        if (!segment.isNative() || size == 0) {
            return;
        }
        long start = segment.address();
        Map.Entry<Long, Block> below = BLOCKS.lowerEntry(start + size);
        while (below != null && below.getValue().end > start) {
            Owner owner = below.getValue().owner.get();
            if (owner != null) {
                into.add(owner);
            }
            below = BLOCKS.lowerEntry(below.getKey());
        }
    }

    /** Whether no program can free that memory while an operation uses it. */
    public static boolean isGuarded(MemorySegment segment) {
        return find(segment) != null;
    }

    /** The block that contains the whole segment; null if there is none. */
    static Block find(MemorySegment segment) {
        if (BLOCKS.isEmpty() || !segment.isNative()) {
            return null;
        }
        Map.Entry<Long, Block> below = BLOCKS.floorEntry(segment.address());
        return below != null && below.getValue().contains(segment.address(), segment.byteSize())
                ? below.getValue() : null;
    }

    /** The domain is about to be closed: closes all that was opened from it. */
    public void close() {
        for (Owner arena : arenas.toArray(new Owner[0])) {
            arena.domainCloses();
        }
    }
}
