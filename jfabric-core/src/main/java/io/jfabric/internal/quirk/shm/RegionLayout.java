// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Where {@code struct smr_region} (include/ofi_shm.h, since 1.20 prov/shm/src/smr_util.h) has what is looked at here.
 * The version alone does not say it: 1.17 and 1.18 have the same, and a build may have longer fields. So the size must
 * be that of the file, and the first queue where it is expected, right behind the struct.
 *
 * @param version its first byte
 * @param lock where the spin lock is
 * @param size where the size of all of it is
 * @param queue where the offset of the first queue is
 * @param queueOffset what that is
 * @param peers where the offset of what it notes of its peers is
 * @param peerBytes how long what it notes of one is
 * @param isNamed whether that begins with the name
 */
record RegionLayout(int version, long lock, long size, long queue, long queueOffset, long peers, int peerBytes,
        boolean isNamed) {
    /** As much as is looked at of the longest. */
    static final int HEADER_BYTES = 144;
    static final long PID = 4;
    static final int PEERS = 256;
    private static final long COUNTING = 64;
    private static final int SILENT_SINCE = 5;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    /** Of 1.17; of 1.18; 1.19; 1.20; 1.21 and 1.22; and 2.0 to 2.4. */
    private static final List<RegionLayout> KNOWN = List.of(
            new RegionLayout(4, 24, 40, 64, 128, 96, 272, true),
            new RegionLayout(4, 24, 40, 48, 112, 80, 272, true),
            new RegionLayout(5, 24, 40, 48, 112, 80, 272, true),
            new RegionLayout(6, 64, 80, 88, 192, 120, 296, true),
            new RegionLayout(7, 56, 72, 80, 192, 112, 296, true),
            new RegionLayout(8, 56, 72, 80, 192, 112, 296, false));

    /** Of the file of that size which begins so; null if it is none of them, or not ready. */
    static RegionLayout of(MemorySegment header, long bytes) {
        if (header.get(ValueLayout.JAVA_INT_UNALIGNED, PID) == 0) {
            return null;
        }
        return KNOWN.stream().filter(layout -> layout.fits(header, bytes)).findFirst().orElse(null);
    }

    /** Where it says at which address its process has it: right before the lock in all of them. */
    long base() {
        return lock - Long.BYTES;
    }

    /** Where the address of the map of peers is. */
    long map() {
        return size - Long.BYTES;
    }

    /** Where the offset of the queue of answers is. */
    long answers() {
        return queue + Long.BYTES;
    }

    /** Where the offset of what follows that queue is. */
    long buffers() {
        return queue + 2 * Long.BYTES;
    }

    /** Whether the provider looks at answers only where it was told that there is one: behind the lock, before 1.19. */
    boolean hasSignal() {
        return version < SILENT_SINCE;
    }

    /** Whether what was answered is counted in the receiver's region: in 1.17. */
    boolean countsAnswers() {
        return queue == COUNTING;
    }

    /**
     * Whether the first queue is used under the lock, which was held for whole messages then: in 1.17. It has counters
     * like that of the answers.
     */
    boolean hasLockedQueue() {
        return queue == COUNTING;
    }

    private boolean fits(MemorySegment header, long bytes) {
        long from = header.get(LONG, peers);
        return header.get(ValueLayout.JAVA_BYTE, 0) == version && header.get(LONG, size) == bytes
                && header.get(LONG, queue) == queueOffset
                && from >= queueOffset && from <= bytes - (long) PEERS * peerBytes;
    }
}
