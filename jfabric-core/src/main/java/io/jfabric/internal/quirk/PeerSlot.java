// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import io.jfabric.internal.ffi.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A peer as the provider has it, {@code struct smr_peer} in the map of an address vector: what is sent to it goes into
 * its region, which stays mapped whatever becomes of its process and its file.
 */
final class PeerSlot {
    static final int NUMBER = 256;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    /** Of {@code struct smr_map} in builds without debugging; of others nothing is found to be as it must. */
    private static final int FIRST = 88;
    private static final int REGION = 272;
    private static final int BYTES = 280;
    /** Since 2.0, with a descriptor. */
    private static final int LONGER = 288;
    private static final int PATIENCE = 10;

    private final Path file;
    private final long region;
    private final RegionLayout layout;
    /** Whose region it is, and whether that process was seen here. */
    private Owner owner;
    /** Whose it was before, if anybody's. */
    private Owner before;
    /** The first message that may have been for the present owner. */
    private long since;

    /** A process with a region. */
    record Owner(int pid, boolean wasSeen) {
    }

    /** How often in a row its lock was held, and the least that was seen of it: it only falls as more come to wait. */
    private int looksHeld;
    private int lowest;

    private PeerSlot(Path file, long region, RegionLayout layout) {
        this.file = file;
        this.region = region;
        this.layout = layout;
    }

    /** Null if it is not there, or not as it must be: a region at that address whose file has the peer's name. */
    static PeerSlot of(OwnMemory memory, SharedRegion own, int number, Path directory) throws IOException {
        long at = own.map() + FIRST + (long) number * (own.layout().isNamed() ? BYTES : LONGER);
        MemorySegment slot = memory.read(at, BYTES);
        if (slot == null || slot.get(ValueLayout.JAVA_BYTE, NUMBER - 1) != 0) {
            return null;
        }
        String name = SharedRegion.plain(slot.getString(0, StandardCharsets.UTF_8));
        long region = slot.get(LONG, REGION);
        if (name.isEmpty() || name.contains("/")) {
            return null;
        }
        Path file = directory.resolve(name);
        return OwnMemory.maps(region, file) ? new PeerSlot(file, region, own.layout()) : null;
    }

    /**
     * Looks whose it is.
     *
     * @param next the first message that was not posted yet when it was last looked
     * @return whether that is another process than before
     */
    boolean look(OwnMemory memory, long next) {
        MemorySegment header = memory.read(region, RegionLayout.HEADER_BYTES);
        if (header == null) {
            return false;
        }
        int lock = header.get(ValueLayout.JAVA_INT_UNALIGNED, layout.lock());
        looksHeld = !SharedRegion.isHeld(lock) ? 0 : looksHeld > 0 && lock <= lowest ? looksHeld + 1 : 1;
        lowest = lock;
        int pid = header.get(ValueLayout.JAVA_INT_UNALIGNED, RegionLayout.PID);
        if (pid == 0 || owner != null && owner.pid == pid) {
            return false;
        }
        since = owner == null ? 0 : next;
        before = owner;
        owner = new Owner(pid, ProcessState.meet(pid, file));
        return before != null;
    }

    /** Whom a message was for; null if that is not known. */
    Owner owner(long message) {
        return message < since ? before : owner;
    }

    /** Whether another process has its region since. */
    boolean isTaken(Owner from) {
        return owner != from;
    }

    /**
     * Frees the lock of a region whose process is over, once that has surely not been another's, which would only hold
     * it for the copy of a message. Whether it is free.
     */
    boolean unlock() {
        return looksHeld == 0 || looksHeld > PATIENCE
                && SharedRegion.release(Memory.segment(region, RegionLayout.HEADER_BYTES), layout, lowest);
    }
}
