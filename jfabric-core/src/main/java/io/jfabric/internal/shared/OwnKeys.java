// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Keys for regions for which the program chooses none: the upper half of the provider's key range, or of four bytes,
 * over and over again. That is out of the way of programs that number theirs from 0; a key that is in use all the same
 * is skipped. They begin at random: keys that peers remember of a process before its restart must not be those of its
 * new regions.
 */
final class OwnKeys {
    /** How many keys of the program's may follow each other there; fewer if there are not that many. */
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
