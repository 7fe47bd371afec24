// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongPredicate;

/**
 * A set of addresses that are counted up: all below an end, but for those that were removed or left out. Any thread may
 * ask what is in it, for each operation: that waits for nobody and allocates nothing. One at a time may change it.
 */
final class CountedAddresses implements LongPredicate {
    private static final AtomicLongArray NOTHING = new AtomicLongArray(0);

    /** One for each address that is in. Replaced when there are too few. */
    private volatile AtomicLongArray bits = NOTHING;
    /** The bits while one is missing. Else nothing, so that who asks looks at the limit again, which is quicker. */
    private volatile AtomicLongArray told = NOTHING;
    /** One more than the largest that was ever in. */
    private long end;
    /** The lowest that is not in. */
    private long missing;

    /** Whether it is in; false for all if none below the end is missing, or others are told instead. */
    @Override
    public boolean test(long address) {
        return isSet(told, address);
    }

    boolean isIn(long address) {
        return isSet(bits, address);
    }

    private static boolean isSet(AtomicLongArray all, long address) {
        long word = address >>> 6;
        return word < all.length() && (all.getOpaque((int) word) >>> address & 1) != 0;
    }

    /** False if it is there already. */
    boolean add(long address) {
        if (isIn(address)) {
            return false;
        }
        int word = Math.toIntExact(address >>> 6);
        AtomicLongArray all = bits;
        if (word >= all.length()) {
            all = copy(Math.max(word + 1, 2 * all.length()));
            bits = all;
        }
        all.setOpaque(word, all.getPlain(word) | 1L << address);
        end = Math.max(end, address + 1);
        missing = missingFrom(missing);
        tell();
        return true;
    }

    void remove(long address) {
        if (isIn(address)) {
            int word = (int) (address >>> 6);
            bits.setOpaque(word, bits.getPlain(word) & ~(1L << address));
            missing = Math.min(missing, address);
            tell();
        }
    }

    private void tell() {
        told = hasAll() ? NOTHING : bits;
    }

    /** From now on others tell what is in; this stays as it is. */
    void retire() {
        told = NOTHING;
    }

    /** Whether all below the end are in. */
    boolean hasAll() {
        return missing == end;
    }

    /** All below this are in. */
    long limit() {
        return missing;
    }

    private long missingFrom(long start) {
        long at = start;
        while (at < end) {
            long not = ~bits.getPlain((int) (at >>> 6)) >>> at;
            if (not != 0) {
                return Math.min(end, at + Long.numberOfTrailingZeros(not));
            }
            at = (at | Long.SIZE - 1) + 1;
        }
        return end;
    }

    private AtomicLongArray copy(int size) {
        AtomicLongArray old = bits;
        AtomicLongArray copy = new AtomicLongArray(size);
        for (int i = 0; i < old.length(); i++) {
            copy.setPlain(i, old.getPlain(i));
        }
        return copy;
    }
}
