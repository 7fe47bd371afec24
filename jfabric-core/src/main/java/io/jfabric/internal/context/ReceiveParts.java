// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

/**
 * A buffer for several messages, where an earlier message may be read after the one with which the provider gives the
 * buffer back: it may still be arriving, or be in another queue of a shared receive context. The messages lie one
 * behind the other, so all of them were read when their lengths add up to the end of the furthest. Any thread.
 */
final class ReceiveParts implements Kept {
    /**
     * What is known of a provider.
     *
     * @param endsTruncated whether a message that is too long for the rest ends the buffer without the provider saying
     *     so
     * @param mostLeft no more than that is left behind the furthest message
     */
    record Rules(boolean endsTruncated, long mostLeft) {
    }

    private final Object buffers;
    /** Where the first message is; 0 if unknown. */
    private final long start;
    private final long size;
    private final Rules rules;
    private long done;
    /** The end of the furthest message that was read. */
    private long end;
    private boolean unsure;
    /** Whether the provider has given the buffer back. */
    private boolean given;
    private boolean over;

    /** {@code whole} says whether it is a whole buffer, or only some part. */
    ReceiveParts(Object buffers, boolean whole, Rules rules) {
        this.rules = rules;
        this.buffers = KeptMemory.withoutThreads(buffers);
        long[] first = new long[2];
        if (whole) {
            KeptMemory.forEach(buffers, segment -> {
                first[0] = segment.address();
                first[1] = segment.byteSize();
            });
        }
        this.start = first[0];
        this.size = first[1];
    }

    /**
     * A message has arrived. Returns whether all have, as far as is known, and the buffer is given back; true only
     * once.
     *
     * @param last whether the provider gives the buffer back with it
     * @param address where the message is; 0 if unknown
     */
    synchronized boolean completed(boolean last, long address, long length) {
        done += length;
        if (start != 0 && address != 0) {
            end = Math.max(end, address + length - start);
        } else if (last || length != 0) {
            unsure = true;
        }
        given |= last;
        return given && (unsure || done == end && size - end <= rules.mostLeft) && ends();
    }

    /** A message has failed: how long it was to be is not known. Returns as {@link #completed}. */
    synchronized boolean failed(boolean last) {
        unsure = true;
        given |= last;
        return given && ends();
    }

    /** True only once: two threads may have found the slot in two queues. */
    private boolean ends() {
        boolean first = !over;
        over = true;
        return first;
    }

    boolean endsTruncated() {
        return rules.endsTruncated;
    }

    /** Whether all messages are accounted for. */
    synchronized boolean isSure() {
        return !unsure;
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
