// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.internal.async.operation.Unguessable;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The numbers in the tags of payloads, of 48 bits. Whoever knows that of a payload which is to come can send another in
 * its place: so each is told to nobody but who sends it, and cannot be told from others. None is used twice for long,
 * nor one of the process that was there before.
 */
final class PayloadTags {
    /** A payload of several messages has a block of these for them, from somewhere in it. */
    private static final int BLOCK_BITS = 20;
    private static final long BLOCK = 1L << BLOCK_BITS;
    private static final int BITS = 46;
    private static final long OF_BLOCKS = 1L << BITS;
    private static final Unguessable ONES = new Unguessable(BITS);
    private static final Unguessable BLOCKS = new Unguessable(BITS - BLOCK_BITS);
    private static final Unguessable STARTS = new Unguessable(BITS);
    private static final Unguessable SEQUENCES = new Unguessable(Wire.SEQUENCE_BITS);
    /** What a count begins with does not matter. */
    private static final AtomicLong COUNT = new AtomicLong();

    private PayloadTags() {
    }

    static long next() {
        return ONES.of(COUNT.getAndIncrement());
    }

    /** The first of so many that follow each other. */
    static long next(long messages) {
        if (messages == 1) {
            return next();
        }
        long count = COUNT.getAndIncrement();
        long places = Math.max(1, BLOCK - messages + 1);
        return OF_BLOCKS | BLOCKS.of(count) << BLOCK_BITS | STARTS.of(count) % places;
    }

    /** Of fewer bits, for a payload that follows its call at once. */
    static int sequence(int count) {
        return (int) SEQUENCES.of(count);
    }
}
