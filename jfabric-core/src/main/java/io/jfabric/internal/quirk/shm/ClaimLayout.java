// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Where {@code struct smr_region} has the queues whose entries peers take and then fill, since 1.18. As with {@link
 * RegionLayout}, the version alone does not say it: the size must be that of the file, and the first queue must be
 * where it is expected, and as long.
 *
 * @param version its first byte
 * @param pid where the number of its process is
 * @param size where the size of all of it is, right behind the address at which its process has it, since 1.21
 * @param base where that address is
 * @param lock where the spin lock is, which may be waited for while an entry is filled; 0 if there is none
 * @param queue where the offset of the first queue is; that of what follows it comes next
 * @param queueOffset what that is
 * @param entryBytes how long an entry of that queue is
 */
record ClaimLayout(int version, long pid, long size, long base, long lock, long queue, long queueOffset,
        int entryBytes) {
    /** As much as is looked at of the longest. */
    static final int HEADER_BYTES = 192;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int ALIGNED_SINCE = 6;
    private static final int RETURNS_SINCE = 9;
    private static final int RETURN_BYTES = 64;
    /** Of the buffers that 2.6 has behind the first queue, one for each of its entries. */
    private static final long BUFFER_BYTES = 4096;
    /** Of 1.18; 1.19; 1.20; 1.21 and 1.22; 2.0 to 2.4; 2.5.0; 2.6; and 2.5.1. */
    private static final List<ClaimLayout> KNOWN = List.of(
            new ClaimLayout(4, 4, 40, 16, 24, 48, 112, 528),
            new ClaimLayout(5, 4, 40, 16, 24, 48, 112, 528),
            new ClaimLayout(6, 4, 80, 56, 64, 88, 192, 576),
            new ClaimLayout(7, 4, 72, 48, 56, 80, 192, 576),
            new ClaimLayout(8, 4, 72, 48, 56, 80, 192, 576),
            new ClaimLayout(9, 40, 56, 48, 0, 64, 128, 512),
            new ClaimLayout(10, 40, 56, 48, 64, 128, 192, 384),
            new ClaimLayout(10, 40, 56, 48, 0, 128, 192, 384));

    /** Of the file of that size which begins so; null if it is none of them, or not ready. */
    static ClaimLayout of(MemorySegment header, long bytes) {
        return KNOWN.stream().filter(layout -> layout.fits(header, bytes)).findFirst().orElse(null);
    }

    private boolean fits(MemorySegment header, long bytes) {
        long second = header.get(LONG, queue + Long.BYTES);
        long entries = (second - queueOffset - ClaimQueue.HEADER_BYTES) / entryBytes;
        // of the two with one version, 2.6 has the large buffers first
        boolean isOther = version == 10
                && lock != 0 != header.get(LONG, queue + 2 * Long.BYTES) - second >= entries * BUFFER_BYTES;
        return header.get(ValueLayout.JAVA_BYTE, 0) == version && !isOther
                && header.get(ValueLayout.JAVA_INT_UNALIGNED, pid) != 0
                && header.get(LONG, size) == bytes && header.get(LONG, queue) == queueOffset;
    }

    /** Whether somebody has the lock that a header shows. */
    boolean isLocked(MemorySegment header) {
        return lock != 0 && SharedRegion.isHeld(header.get(ValueLayout.JAVA_INT_UNALIGNED, lock));
    }

    /** Whether its lock is one that {@link RegionLayout} does not know. */
    boolean hasBriefLock() {
        return version >= RETURNS_SINCE && lock != 0;
    }

    /** Whether a poll looks at queues only where it was told that there is something: behind the lock, in 1.18. */
    boolean hasSignal() {
        return version == KNOWN.getFirst().version;
    }

    /** Of the sender's endpoint, which it waits for when it has taken an entry; since 2.5 before that. */
    Bystanders.Lock lockOfSender() {
        return version >= RETURNS_SINCE ? Bystanders.Lock.NONE
                : version >= ALIGNED_SINCE ? Bystanders.Lock.MUTEX : Bystanders.Lock.SPINNING;
    }

    /** The queues of a mapped region; none if they are not as they should be. */
    List<ClaimQueue> queues(MemorySegment region) {
        List<ClaimQueue> queues = new ArrayList<>();
        boolean isAligned = version >= ALIGNED_SINCE;
        queues.add(ClaimQueue.of(region, queueOffset, region.get(LONG, queue + Long.BYTES), entryBytes, isAligned));
        if (version >= RETURNS_SINCE) {
            // the last but three of the offsets
            queues.add(ClaimQueue.of(region, region.get(LONG, queue + 3 * Long.BYTES),
                    region.get(LONG, queue + 4 * Long.BYTES), RETURN_BYTES, true));
        }
        return queues.contains(null) ? List.of() : queues;
    }
}
