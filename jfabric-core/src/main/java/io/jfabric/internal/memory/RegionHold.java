// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.memory;

import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.context.LateAccess;
import io.jfabric.internal.context.OpenArenas;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Keeps the arenas of a region's memory open, from before it is registered. */
final class RegionHold {
    private final Set<OpenArenas.Owner> arenas = Collections.newSetFromMap(new IdentityHashMap<>());
    private volatile Object region = "a memory region that is being registered";

    /** {@code late} is how peers may use the memory longer than the region; null if they cannot. */
    RegionHold(List<MemorySegment> buffers, LateAccess late) {
        OpenArenas.collect(buffers, arenas);
        try {
            arenas.forEach(arena -> arena.hold(this));
            if (late != null) {
                arenas.forEach(arena -> arena.exposedTo(late));
            }
            // an arena that was closed since the memory was looked at is not among those that are held
            buffers.forEach(KeptMemory::checkAlive);
        } catch (RuntimeException | Error e) {
            release();
            throw e;
        }
    }

    void of(MemoryRegionImpl registered) {
        region = registered;
    }

    /** Whether that memory is of an arena that is kept open, or at least its memory, if its domain has closed it. */
    boolean keeps(MemorySegment memory) {
        Set<OpenArenas.Owner> owners = Collections.newSetFromMap(new IdentityHashMap<>());
        OpenArenas.collect(memory, owners);
        return !owners.isEmpty() && arenas.containsAll(owners);
    }

    void release() {
        arenas.forEach(arena -> arena.letGo(this));
    }

    @Override
    public String toString() {
        return region.toString();
    }
}
