// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.pool;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A stack of numbers, each of which is on it at most once. Lock-free, allocates nothing. The head has a version, so
 * that a number that was taken and came back is not mistaken for one that never left (ABA).
 */
public final class FreeList {
    private static final int EMPTY = -1;
    private static final long VERSION = 1L << 32;

    private final AtomicIntegerArray next;
    private final AtomicLong head = new AtomicLong(pack(0, EMPTY));

    public FreeList(int capacity) {
        this.next = new AtomicIntegerArray(capacity);
    }

    private static long pack(long version, int index) {
        return version & -VERSION | index & 0xFFFFFFFFL;
    }

    public void push(int index) {
        long seen = head.get();
        while (true) {
            next.setPlain(index, (int) seen);
            long was = head.compareAndExchange(seen, pack(seen + VERSION, index));
            if (was == seen) {
                return;
            }
            seen = was;
        }
    }

    /** The number pushed last; -1 if there is none. */
    public int pop() {
        long seen = head.get();
        while ((int) seen != EMPTY) {
            long was = head.compareAndExchange(seen, pack(seen + VERSION, next.getOpaque((int) seen)));
            if (was == seen) {
                return (int) seen;
            }
            seen = was;
        }
        return EMPTY;
    }
}
