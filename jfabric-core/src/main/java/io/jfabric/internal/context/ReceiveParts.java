// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/**
 * What came into a buffer for several messages, where the provider gives that back while an earlier message may still
 * be arriving in it. The messages lie one behind the other, so all of them are there when their lengths add up to the
 * end of the last. Any thread: a shared receive context may have several queues.
 */
final class ReceiveParts implements Kept {
    private static final long NOT_YET = -1;
    private static final long UNKNOWN = -2;

    private final Object buffers;
    /** Where the first message is. */
    private final long start;
    private final boolean endsTruncated;
    private long done;
    /** How far the messages go, once the provider has given the buffer back. */
    private long end = NOT_YET;
    private boolean failed;

    /**
     * Of a whole buffer, or else of some part.
     *
     * @param endsTruncated whether a message that is too long for the rest ends it, and the provider does not say so
     */
    ReceiveParts(Object buffers, boolean whole, boolean endsTruncated) {
        this.endsTruncated = endsTruncated;
        this.buffers = KeptMemory.withoutThreads(buffers);
        long[] first = new long[1];
        if (whole) {
            KeptMemory.forEach(buffers, segment -> first[0] = segment.address());
        }
        this.start = first[0];
    }

    /**
     * A message has arrived; returns whether the buffer was given back and, as far as is known, all have.
     *
     * @param last whether the provider gives it back
     * @param address where the message is; 0 where that is not known
     */
    synchronized boolean completed(boolean last, long address, long length) {
        done += length;
        if (last) {
            end = start == 0 || address == 0 ? UNKNOWN : address + length - start;
        }
        return end != NOT_YET && (!isSure() || done == end);
    }

    /** Nobody says how long a message was to be that has failed. Returns whether the buffer was given back. */
    synchronized boolean failed(boolean last) {
        failed = true;
        if (last) {
            end = UNKNOWN;
        }
        return end != NOT_YET;
    }

    boolean endsTruncated() {
        return endsTruncated;
    }

    /** Whether all messages are accounted for. */
    synchronized boolean isSure() {
        return !failed && end != UNKNOWN;
    }

    @Override
    public Object buffers() {
        return buffers;
    }

    @Override
    public void release() {
        Kept.release(buffers);
    }

    @Override
    public long prefix() {
        return buffers instanceof Kept resources ? resources.prefix() : 0;
    }
}
