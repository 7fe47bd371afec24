// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import java.security.SecureRandom;

/**
 * Numbers that nobody can guess from earlier ones: with such a number one could speak in another's name. They have a
 * given number of bits, and none comes again before all were used. A counter, under a permutation with a secret key:
 * cheap, and good enough against somebody who sees some of them; this is no encryption.
 */
public final class Unguessable {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ROUNDS = 8;

    private final int half;
    private final long mask;
    private final long[] keys = RANDOM.longs(ROUNDS).toArray();

    /** With an even number of bits. */
    public Unguessable(int bits) {
        this.half = bits / 2;
        this.mask = (1L << half) - 1;
    }

    /** A single number; takes longer. */
    public static long number() {
        return RANDOM.nextLong();
    }

    /** The number for this count, of which only that many bits matter. */
    public long of(long count) {
        // a Feistel network
        long left = count >>> half & mask;
        long right = count & mask;
        for (long key : keys) {
            long next = left ^ mixed(right, key) & mask;
            left = right;
            right = next;
        }
        return left << half | right;
    }

    /** The finalizer of MurmurHash3, with the key twice. */
    private static long mixed(long value, long key) {
        long z = (value + key) * 0xff51afd7ed558ccdL;
        z = (z ^ z >>> 33 ^ key) * 0xc4ceb9fe1a85ec53L;
        return z ^ z >>> 33;
    }
}
