// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.internal.async.operation.Unguessable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The numbers in the tags of payloads, of 48 bits. Whoever knows the number of a payload that is still to come can send
 * another in its place: so a number is told only to the sender, and cannot be derived from others. None is used again
 * for a long time, nor is one of an earlier process.
 */
final class PayloadTags {
    /** A payload of several messages gets a block of so many numbers, and uses some in a row from somewhere in it. */
    private static final int BLOCK_BITS = 20;
    private static final long BLOCK = 1L << BLOCK_BITS;
    private static final int BITS = 46;
    private static final long OF_BLOCKS = 1L << BITS;
    private static final Unguessable ONES = new Unguessable(BITS);
    private static final Unguessable BLOCKS = new Unguessable(BITS - BLOCK_BITS);
    private static final Unguessable STARTS = new Unguessable(BITS);
    private static final Unguessable SEQUENCES = new Unguessable(Wire.SEQUENCE_BITS);
    /** Where the count begins does not matter. */
    private static final AtomicLong COUNT = new AtomicLong();

    private PayloadTags() {
    }

    static long next() {
        return ONES.of(COUNT.getAndIncrement());
    }

    /** The first of so many consecutive numbers. */
    static long next(long messages) {
        if (messages == 1) {
            return next();
        }
        long count = COUNT.getAndIncrement();
        long places = Math.max(1, BLOCK - messages + 1);
        return OF_BLOCKS | BLOCKS.of(count) << BLOCK_BITS | STARTS.of(count) % places;
    }

    /** A number of fewer bits, for a payload that follows its call at once. */
    static int sequence(int count) {
        return (int) SEQUENCES.of(count);
    }
}
