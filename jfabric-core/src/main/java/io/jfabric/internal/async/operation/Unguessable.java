// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.operation;

import java.security.SecureRandom;

/**
 * Numbers that nobody can tell from those before, as who knows one may speak in another's name: of some bits each, and
 * none twice before all were there. A counter, under a permutation with a secret key: cheap, and good enough against
 * who sees some of them; no encryption.
 */
public final class Unguessable {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int ROUNDS = 8;

    private final int half;
    private final long mask;
    private final long[] keys = RANDOM.longs(ROUNDS).toArray();

    /** Of so many bits, which are even. */
    public Unguessable(int bits) {
        this.half = bits / 2;
        this.mask = (1L << half) - 1;
    }

    /** One by itself: takes longer. */
    public static long number() {
        return RANDOM.nextLong();
    }

    /** That of a count; of which only so many bits matter. */
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
