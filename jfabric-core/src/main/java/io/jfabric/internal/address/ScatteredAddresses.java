// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.info.Address;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongPredicate;

/**
 * A set of addresses that are not counted up, such as pointers. Any thread may ask what is in it, for each operation:
 * that waits for nobody and allocates nothing. One at a time may change it.
 */
final class ScatteredAddresses implements LongPredicate {
    private static final long NONE = Address.NOT_AVAILABLE;
    private static final int LEAST = 16;
    /** Spreads neighbouring addresses. */
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /** Always at least half free. Replaced when it is too small, or an address is removed. */
    private volatile AtomicLongArray table = empty(LEAST);
    private int count;

    private static AtomicLongArray empty(int size) {
        AtomicLongArray empty = new AtomicLongArray(size);
        for (int i = 0; i < size; i++) {
            empty.setPlain(i, NONE);
        }
        return empty;
    }

    @Override
    public boolean test(long address) {
        AtomicLongArray all = table;
        long found = all.getOpaque(place(all, address));
        return found == address && found != NONE;
    }

    /** Where it is, or would be. */
    private static int place(AtomicLongArray all, long address) {
        int mask = all.length() - 1;
        int at = (int) (address * MIX >>> Integer.SIZE) & mask;
        for (long one = all.getOpaque(at); one != address && one != NONE; one = all.getOpaque(at)) {
            at = at + 1 & mask;
        }
        return at;
    }

    /** False if it is there already. */
    boolean add(long address) {
        if (test(address)) {
            return false;
        }
        count++;
        if (2 * count > table.length()) {
            table = copy(2 * table.length(), NONE);
        }
        put(table, address);
        return true;
    }

    void remove(long address) {
        if (test(address)) {
            count--;
            table = copy(table.length(), address);
        }
    }

    private static void put(AtomicLongArray all, long address) {
        all.setOpaque(place(all, address), address);
    }

    private AtomicLongArray copy(int size, long without) {
        AtomicLongArray old = table;
        AtomicLongArray copy = empty(size);
        for (int i = 0; i < old.length(); i++) {
            long one = old.getPlain(i);
            if (one != NONE && one != without) {
                put(copy, one);
            }
        }
        return copy;
    }
}
