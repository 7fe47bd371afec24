// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * The keys of regions for which the program asks for none: the upper half of what fits into the provider's keys, or
 * into four bytes, over and over again. That is out of the way of programs that number theirs from 0; one that is in
 * use all the same is left out. They begin anywhere: what peers know of a process that was started again must not be
 * keys of what it has registered since.
 */
final class OwnKeys {
    /** So many keys of the program's may follow each other there; fewer where there are not as many. */
    private static final long TRIES = 1 << 16;

    /** A power of two: the first of them, and how many there are. */
    private final long first;
    private final AtomicLong count;

    OwnKeys(long keySize) {
        first = keySize > 0 && keySize < 4 ? 1L << keySize * 8 - 1 : 1L << 31;
        count = new AtomicLong(ThreadLocalRandom.current().nextLong(first));
    }

    long next() {
        return first | count.getAndIncrement() & first - 1;
    }

    <T> T register(LongFunction<T> registration) {
        for (long left = Math.min(TRIES, first); ; left--) {
            try {
                return registration.apply(next());
            } catch (FabricException e) {
                if (e.error() != FabricError.ENOKEY || left == 1) {
                    throw e;
                }
            }
        }
    }
}
