// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.Domain;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.pool.BufferPoolImpl;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The buffers of a hub: for what is received, and for answers until they are sent. Some are reserved for receives. */
final class HubBuffers {
    static final int COUNT = 1 << 16;
    /** Reserved for receives: without them nothing would be heard any more, not even what gives other buffers back. */
    private static final int SPARE = 1 << 12;
    /** The longest pause between two tries to get a buffer, in milliseconds. */
    private static final long LONGEST_PAUSE = 64;

    private final BufferPoolImpl pool;
    private final BufferPoolImpl spare;
    /** Whether the hub has ended: then whoever waits for a buffer gets none. */
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

    /** A buffer for a new intake; throws if there is none. */
    PooledBuffer takeFirst() {
        return pool.tryTake().or(spare::tryTake).orElseThrow(() -> FabricException.of("receives of calls",
                FabricError.EAGAIN.code(), "all " + COUNT + " buffers of the node's calls are in use; close what holds "
                        + "them, or try again later"));
    }

    /** A buffer; null if there is none, no memory for more of them, or this is closed. */
    PooledBuffer take() {
        return take(pool);
    }

    /** The same to receive into, if need be from the reserved ones. */
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

    /** A buffer as soon as there is one, even if there is no memory for more now; fails if this is closed. */
    CompletableFuture<PooledBuffer> takeLater() {
        return tryUntil(() -> {
            try {
                return pool.takeLater();
            } catch (FabricException | OutOfMemoryError none) {
                // no memory for more of them: one that is in use now will do
                return null;
            } catch (IllegalStateException over) {
                return CompletableFuture.failedFuture(over);
            }
        });
    }

    /** The same to receive into. It asks again and again, so that it is served before those in {@link #takeLater()}. */
    CompletableFuture<PooledBuffer> takeLaterToReceive() {
        return tryUntil(() -> {
            PooledBuffer one = takeToReceive();
            return one == null ? null : CompletableFuture.completedFuture(one);
        });
    }

    /** Calls {@code taking} until it does not return null; fails if this is closed. */
    private CompletableFuture<PooledBuffer> tryUntil(Supplier<CompletableFuture<PooledBuffer>> taking) {
        CompletableFuture<PooledBuffer> later = new CompletableFuture<>();
        tryUntil(taking, later, 1);
        return later;
    }

    private void tryUntil(Supplier<CompletableFuture<PooledBuffer>> taking, CompletableFuture<PooledBuffer> later,
            long pause) {
        CompletableFuture<PooledBuffer> one = taking.get();
        if (one != null) {
            one.whenComplete((buffer, failure) -> {
                if (buffer != null) {
                    later.complete(buffer);
                } else {
                    later.completeExceptionally(failure);
                }
            });
        } else if (isOver.getAsBoolean() || !pool.isOpen()) {
            later.completeExceptionally(new IllegalStateException("the hub is closed"));
        } else {
            Aside.later(pause, () -> tryUntil(taking, later, Math.min(LONGEST_PAUSE, 2 * pause)));
        }
    }

    boolean isUnused() {
        return pool.taken() == 0 && spare.taken() == 0;
    }

    /** When the hub ends. False if some are still in use; those are freed with the domain. */
    boolean closeOrAbandon() {
        boolean one = isClosed(pool);
        return isClosed(spare) && one;
    }

    private static boolean isClosed(BufferPoolImpl pool) {
        return !pool.isOpen() || pool.closeOrAbandon();
    }
}
