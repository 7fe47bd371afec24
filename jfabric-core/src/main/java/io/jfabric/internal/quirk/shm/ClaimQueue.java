// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A queue in an endpoint's region, declared by {@code OFI_DECLARE_ATOMIC_Q}: who sends takes the next entry, fills it,
 * and then commits it. Entries are read in their order, so one that is taken and not committed holds up all behind it.
 * Counted from the first that there ever was.
 */
final class ClaimQueue {
    static final int HEADER_BYTES = 192;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
    /** In an entry, behind its number: whether it is to be skipped. */
    private static final long SKIPPED = 8;

    /** Mapped. */
    private final MemorySegment region;
    private final long written;
    private final long read;
    private final long entries;
    private final long size;
    private final int entryBytes;

    private ClaimQueue(MemorySegment region, long offset, boolean isAligned, long size, int entryBytes) {
        this.region = region;
        this.written = offset + (isAligned ? 0 : 8);
        this.read = offset + (isAligned ? 64 : 80);
        this.entries = offset + (isAligned ? HEADER_BYTES : 160);
        this.size = size;
        this.entryBytes = entryBytes;
    }

    /**
     * Null if it is not as expected.
     *
     * @param region all of it
     * @param offset where the queue begins
     * @param end where what follows it begins
     * @param isAligned whether its parts are in cache lines of their own, as since 1.20
     */
    static ClaimQueue of(MemorySegment region, long offset, long end, int entryBytes, boolean isAligned) {
        if (offset < 0 || offset % Long.BYTES != 0 || end < offset + HEADER_BYTES || end > region.byteSize()) {
            return null;
        }
        long place = offset + (isAligned ? 128 : 0);
        int size = region.get(ValueLayout.JAVA_INT, place);
        return Integer.bitCount(size) == 1 && region.get(ValueLayout.JAVA_INT, place + Integer.BYTES) == size - 1
                && end - offset == HEADER_BYTES + (long) size * entryBytes
                ? new ClaimQueue(region, offset, isAligned, size, entryBytes) : null;
    }

    /** The one that is to be read next. */
    long first() {
        return (long) LONG.getVolatile(region, read);
    }

    /** Behind the last that was taken. */
    long end() {
        return (long) LONG.getVolatile(region, written);
    }

    /** Whether somebody has taken an entry, and not committed it. */
    boolean isClaimed(long entry) {
        return entry < end() && (long) LONG.getVolatile(region, place(entry)) == entry;
    }

    private long place(long entry) {
        return entries + (entry & size - 1) * entryBytes;
    }

    /** As {@code discard} does it: to be called only if whoever has taken the entry will never commit it. */
    boolean discard(long entry) {
        if (!isClaimed(entry)) {
            return false;
        }
        BYTE.setVolatile(region, place(entry) + SKIPPED, (byte) 1);
        return LONG.compareAndSet(region, place(entry), entry, entry + 1);
    }
}
