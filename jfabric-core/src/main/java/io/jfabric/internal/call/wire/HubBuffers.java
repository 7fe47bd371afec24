// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.Domain;
import io.jfabric.FabricException;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.pool.BufferPoolImpl;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** The buffers of a hub: for what is received, and for answers until they are sent. Some are for receives only. */
final class HubBuffers {
    static final int COUNT = 1 << 16;
    /** Without these nothing would be heard any more, not even what gives others back. */
    private static final int SPARE = 1 << 12;
    /** Between two looks for memory, in milliseconds. */
    private static final long LONGEST_PAUSE = 64;

    private final BufferPoolImpl pool;
    private final BufferPoolImpl spare;
    /** Whether the hub has ended: who waits for a buffer gets none. */
    private final BooleanSupplier isOver;

    HubBuffers(Domain domain, long size, BooleanSupplier isOver) {
        this.isOver = isOver;
        pool = BufferPoolImpl.openBorrowed(domain, size, COUNT - SPARE);
        try {
            spare = BufferPoolImpl.openBorrowed(domain, size, SPARE);
        } catch (RuntimeException | Error e) {
            pool.closeOrAbandon();
            throw e;
        }
    }

    /** One, where memory for it is part of opening the hub. */
    PooledBuffer takeFirst() {
        return pool.tryTake().orElseThrow();
    }

    /** One; null if there is none, also for want of memory for more of them, or if this is closed. */
    PooledBuffer take() {
        return take(pool);
    }

    /** The same to receive into. */
    PooledBuffer takeToReceive() {
        PooledBuffer one = take(pool);
        return one != null ? one : take(spare);
    }

    private static PooledBuffer take(BufferPoolImpl from) {
        try {
            return from.tryTake().orElse(null);
        } catch (FabricException | IllegalStateException | OutOfMemoryError none) {
            return null;
        }
    }

    /** One as soon as there is one, also where there is no memory for more now; fails if this is closed. */
    CompletableFuture<PooledBuffer> takeLater() {
        CompletableFuture<PooledBuffer> later = new CompletableFuture<>();
        takeLater(later, 1);
        return later;
    }

    private void takeLater(CompletableFuture<PooledBuffer> later, long pause) {
        try {
            pool.takeLater().whenComplete((buffer, failure) -> {
                if (buffer != null) {
                    later.complete(buffer);
                } else {
                    later.completeExceptionally(failure);
                }
            });
        } catch (FabricException | OutOfMemoryError none) {
            // there is no memory for more of them: one that is in use will do
            if (isOver.getAsBoolean()) {
                later.completeExceptionally(new IllegalStateException("the hub is closed"));
                return;
            }
            tryAgain(pause, next -> takeLater(later, next));
        } catch (IllegalStateException over) {
            later.completeExceptionally(over);
        }
    }

    /** The same to receive into: asks again and again, so that it comes before those in {@link #takeLater()}. */
    CompletableFuture<PooledBuffer> takeLaterToReceive() {
        CompletableFuture<PooledBuffer> later = new CompletableFuture<>();
        takeLaterToReceive(later, 1);
        return later;
    }

    private void takeLaterToReceive(CompletableFuture<PooledBuffer> later, long pause) {
        PooledBuffer one = takeToReceive();
        if (one != null) {
            later.complete(one);
        } else if (isOver.getAsBoolean() || !pool.isOpen()) {
            later.completeExceptionally(new IllegalStateException("the hub is closed"));
        } else {
            tryAgain(pause, next -> takeLaterToReceive(later, next));
        }
    }

    /** What is tried later, with the pause after that. */
    private interface Attempt {
        void after(long pause);
    }

    private static void tryAgain(long pause, Attempt attempt) {
        long next = Math.min(LONGEST_PAUSE, 2 * pause);
        Completing.startAsideLater(pause, () -> attempt.after(next));
    }

    boolean isUnused() {
        return pool.taken() == 0 && spare.taken() == 0;
    }

    /** When the hub ends. False if some of them are still used, and are freed with the domain. */
    boolean closeOrAbandon() {
        boolean one = isClosed(pool);
        return isClosed(spare) && one;
    }

    private static boolean isClosed(BufferPoolImpl pool) {
        return !pool.isOpen() || pool.closeOrAbandon();
    }
}
