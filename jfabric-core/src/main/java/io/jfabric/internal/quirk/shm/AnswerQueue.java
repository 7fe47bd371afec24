// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The answers that an endpoint waits for, {@code struct smr_resp_queue} in its region: who has taken a message writes
 * to its place, and they are looked at in their order. Counted from the first that there ever was.
 */
final class AnswerQueue {
    static final long BUSY = 16;
    private static final int HEADER_BYTES = 32;
    private static final long MASK = 8;
    /** Of the header, which other queues have, too. */
    static final long FIRST = 16;
    static final long END = 24;
    private static final int ANSWER_BYTES = 16;
    private static final long STATUS = 8;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    /** Mapped. */
    private final MemorySegment region;
    private final long offset;
    private final long size;

    private AnswerQueue(MemorySegment region, long offset, long size) {
        this.region = region;
        this.offset = offset;
        this.size = size;
    }

    /**
     * Null if it is not as expected.
     *
     * @param region all of it
     * @param offset where the queue begins
     * @param end where what follows it begins
     */
    static AnswerQueue of(MemorySegment region, long offset, long end) {
        if (offset < 0 || offset % Long.BYTES != 0 || end < offset + HEADER_BYTES || end > region.byteSize()) {
            return null;
        }
        long size = region.get(ValueLayout.JAVA_LONG, offset);
        return Long.bitCount(size) == 1 && region.get(ValueLayout.JAVA_LONG, offset + MASK) == size - 1
                && end - offset == HEADER_BYTES + size * ANSWER_BYTES ? new AnswerQueue(region, offset, size) : null;
    }

    /** The one that all others wait for. */
    long first() {
        return (long) LONG.getVolatile(region, offset + FIRST);
    }

    /** Behind the last. */
    long end() {
        return (long) LONG.getVolatile(region, offset + END);
    }

    /** As peers find it. */
    long place(long answer) {
        return offset + HEADER_BYTES + (answer & size - 1) * ANSWER_BYTES;
    }

    /** Where the provider has noted what it is for, in the memory of the process. */
    long note(long answer) {
        return (long) LONG.getVolatile(region, place(answer));
    }

    long status(long answer) {
        return (long) LONG.getVolatile(region, place(answer) + STATUS);
    }

    boolean setStatus(long answer, long from, long to) {
        return LONG.compareAndSet(region, place(answer) + STATUS, from, to);
    }
}
