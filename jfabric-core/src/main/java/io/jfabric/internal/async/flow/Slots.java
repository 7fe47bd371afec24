// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * Numbers for operations with the provider: a context has the index of a slot, two bits that tell this table from its
 * siblings, and how often the slot was used, so that a late completion finds nothing. Allocates nothing; any thread.
 */
final class Slots {
    private static final int INDEX_BITS = 30;
    /** Bits that mark the tables of receives, and the tables of the node's own messages. */
    private static final long RECEIVES = 1L << INDEX_BITS + 1;
    private static final long OWN = 1L << INDEX_BITS;
    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;
    private static final long NONE = INDEX_MASK;

    private final long kind;
    private final AtomicReferenceArray<Operation<?>> table;
    private final int[] uses;
    private final int[] below;
    /** The top of the stack of free slots: a version that counts up, and the slot's index. */
    private final AtomicLong free;
    /** Slots from here on were never used. */
    private volatile int used;

    /** One of four tables: transmits and receives, of the program and of the node's own messages. */
    Slots(int size, boolean receives, boolean own) {
        kind = (receives ? RECEIVES : 0) | (own ? OWN : 0);
        table = new AtomicReferenceArray<>(size);
        uses = new int[size];
        below = new int[size];
        for (int i = 0; i < size; i++) {
            below[i] = i + 1 < size ? i + 1 : (int) NONE;
        }
        free = new AtomicLong();
    }

    /** Whether a context is of a receive. */
    static boolean isReceive(long context) {
        return (context & RECEIVES) != 0;
    }

    /** Whether it is of a table of the node's own messages. */
    static boolean isOwn(long context) {
        return (context & OWN) != 0;
    }

    /** Gives an operation a context; false if there is no slot. */
    boolean take(Operation<?> operation) {
        int index;
        while (true) {
            long top = free.get();
            index = (int) (top & INDEX_MASK);
            if (index == NONE) {
                return false;
            }
            if (free.compareAndSet(top, ((top >>> INDEX_BITS) + 1) << INDEX_BITS | below[index])) {
                break;
            }
        }
        if (index >= used) {
            widen(index + 1);
        }
        int use = uses[index] + 1;
        // never 0, which is the context of no operation
        uses[index] = use == 0 ? 1 : use;
        operation.context = Integer.toUnsignedLong(uses[index]) << 32 | kind | index;
        table.setRelease(index, operation);
        return true;
    }

    private synchronized void widen(int to) {
        used = Math.max(used, to);
    }

    /** The operation with this context, which keeps its slot; null if there is none. */
    Operation<?> get(long context) {
        int index = (int) (context & INDEX_MASK);
        Operation<?> operation = index < table.length() ? table.getAcquire(index) : null;
        return operation != null && operation.context == context ? operation : null;
    }

    /** Takes the operation with this context out of its slot; null if somebody else already has. */
    Operation<?> remove(long context) {
        int index = (int) (context & INDEX_MASK);
        Operation<?> operation = get(context);
        if (operation == null || !table.compareAndSet(index, operation, null)) {
            return null;
        }
        while (true) {
            long top = free.get();
            below[index] = (int) (top & INDEX_MASK);
            if (free.compareAndSet(top, ((top >>> INDEX_BITS) + 1) << INDEX_BITS | index)) {
                return operation;
            }
        }
    }

    /** How many slots are taken. */
    int count() {
        int count = 0;
        for (int i = 0, end = used; i < end; i++) {
            count += table.getAcquire(i) == null ? 0 : 1;
        }
        return count;
    }

    /** Visits all operations that have slots now; some may leave meanwhile. */
    void each(Consumer<Operation<?>> action) {
        int end = used;
        for (int i = 0; i < end; i++) {
            Operation<?> operation = table.getAcquire(i);
            if (operation != null) {
                action.accept(operation);
            }
        }
    }
}
