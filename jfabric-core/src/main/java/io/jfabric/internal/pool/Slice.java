// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.pool;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One buffer of a pool. Its state is one number: how often it was taken, how many have retained it, and whether it is
 * taken. As each change is a compare-and-set of all three, an object of an old turn changes nothing.
 *
 * <p>Each turn has an object of its own, out of a few: an object is valid again only after that many turns.
 */
final class Slice {
    static final int TURNS = 4;
    private static final int TAKEN = 1;
    private static final int USER = 2;
    private static final int USERS = 0xFFFE;
    private static final int TURN = 0x10000;

    final BufferPoolImpl pool;
    final int index;
    final MemorySegment segment;
    private final PooledBufferImpl[] objects = new PooledBufferImpl[TURNS];
    private final AtomicInteger state = new AtomicInteger();
    /** Where it was taken; only if leaks are reported with stack traces. */
    private volatile Throwable place;

    Slice(BufferPoolImpl pool, int index, MemorySegment segment) {
        this.pool = pool;
        this.index = index;
        this.segment = segment;
        for (int turn = 0; turn < TURNS; turn++) {
            objects[turn] = new PooledBufferImpl(this, turn);
        }
    }

    private static boolean isOf(int state, int turn) {
        return (state & TAKEN) != 0 && (state >>> 16) % TURNS == turn;
    }

    /** For the thread that has taken its number from the free list. */
    PooledBufferImpl take(Throwable where) {
        int now = (state.getPlain() & -TURN) + TURN | TAKEN;
        place = where;
        state.set(now);
        return objects[(now >>> 16) % TURNS];
    }

    boolean isTaken(int turn) {
        return isOf(state.get(), turn);
    }

    Throwable place() {
        return place;
    }

    boolean isFree() {
        return (state.get() & (TAKEN | USERS)) == 0;
    }

    void giveBack(int turn) {
        int seen = state.get();
        while (true) {
            if (!isOf(seen, turn)) {
                throw new IllegalStateException("PooledBuffer.close: the buffer was given back before");
            }
            int was = state.compareAndExchange(seen, seen & ~TAKEN);
            if (was == seen) {
                freeIfUnused(seen & ~TAKEN);
                return;
            }
            seen = was;
        }
    }

    void retain(int turn) {
        int seen = state.get();
        while (true) {
            if (!isOf(seen, turn)) {
                throw new IllegalStateException("PooledBuffer.retain: the buffer was given back");
            }
            if ((seen & USERS) == USERS) {
                throw new IllegalStateException("PooledBuffer.retain: it was retained " + USERS / USER + " times");
            }
            int was = state.compareAndExchange(seen, seen + USER);
            if (was == seen) {
                return;
            }
            seen = was;
        }
    }

    void release(int turn) {
        int seen = state.get();
        while (true) {
            if ((seen & USERS) == 0 || (seen >>> 16) % TURNS != turn) {
                throw new IllegalStateException("PooledBuffer.release: nobody has retained the buffer");
            }
            int was = state.compareAndExchange(seen, seen - USER);
            if (was == seen) {
                freeIfUnused(seen - USER);
                return;
            }
            seen = was;
        }
    }

    private void freeIfUnused(int now) {
        if ((now & (TAKEN | USERS)) == 0) {
            pool.free(this);
        }
    }
}
