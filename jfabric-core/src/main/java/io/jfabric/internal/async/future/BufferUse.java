// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import io.jfabric.async.BufferPool;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** {@link BufferPool#use}: waits for a buffer, then stands for the operation and a function of its result. */
public final class BufferUse<T, R> extends StandIn<R> {
    private static final long MILLI = 1_000_000;

    private final BufferPool pool;
    private final Function<? super MemorySegment, ? extends CompletableFuture<T>> operation;
    private final BiFunction<? super MemorySegment, ? super T, ? extends R> function;
    /** Its place in the queue for buffers; cancelling that gives the place up. */
    private final CompletableFuture<PooledBuffer> place;
    /** Null until the operation has begun. Written under the lock of this. */
    private volatile Following<T, R> begun;
    /** How the program has ended this before that; null if it has not. Guarded by this. */
    private Instead<R> instead;

    public BufferUse(Progress progress, BufferPool pool, CompletableFuture<PooledBuffer> place,
            Function<? super MemorySegment, ? extends CompletableFuture<T>> operation,
            BiFunction<? super MemorySegment, ? super T, ? extends R> function) {
        super(progress);
        this.pool = pool;
        this.place = place;
        this.operation = operation;
        this.function = function;
    }

    /** Begins, now or when there is a buffer; if there is none after so many nanoseconds, it fails with the reason. */
    public BufferUse<T, R> begin(long most, Supplier<Throwable> why) {
        place.whenComplete((buffer, none) -> {
            if (buffer != null) {
                use(buffer);
            } else if (!place.isCancelled()) {
                hand(null, none);
            }
            // else whoever has cancelled it ends this
        });
        if (!place.isDone() && most != Clock.NEVER) {
            waitAtMost(most, why);
        }
        return this;
    }

    /** Ends it if it has no buffer after so many nanoseconds. */
    private void waitAtMost(long nanos, Supplier<Throwable> why) {
        Runnable end = () -> {
            if (place.cancel(false)) {
                hand(null, why.get());
            }
        };
        if (nanos == 0) {
            end.run();
        } else {
            Future<?> tick = Completing.startAsideLater(nanos / MILLI + 1, end);
            place.whenComplete((buffer, none) -> tick.cancel(false));
        }
    }

    private void use(PooledBuffer buffer) {
        Instead<R> wanted = wanted();
        if (wanted != null) {
            try {
                buffer.close();
            } finally {
                hand(wanted.value(), wanted.failure());
            }
            return;
        }
        Following<T, R> one;
        try {
            one = started(buffer);
        } catch (Throwable refused) {
            hand(null, refused);
            return;
        }
        synchronized (this) {
            begun = one;
            wanted = instead;
        }
        // before this ends: what the program has appended may wait for the buffer
        one.released().thenRun(() -> {
            try {
                buffer.close();
            } finally {
                tellReleased();
            }
        });
        one.whenComplete(this::completeNow);
        if (wanted != null) {
            giveUp(one, wanted);
        }
    }

    private synchronized Instead<R> wanted() {
        return instead;
    }

    /** If the operation throws, the buffer is given back; not if it returns another future, as it may be in use. */
    private Following<T, R> started(PooledBuffer buffer) {
        MemorySegment memory = buffer.segment();
        CompletableFuture<T> future;
        try {
            future = operation.apply(memory);
        } catch (Throwable refused) {
            buffer.close();
            throw refused;
        }
        return new Following<>(Lending.operation("BufferPool.use", future, progress()),
                value -> function.apply(memory, value));
    }

    private static <R> void giveUp(Following<?, R> one, Instead<R> wanted) {
        if (wanted.failure() == null) {
            one.complete(wanted.value());
        } else {
            one.completeExceptionally(wanted.failure());
        }
    }

    /** An operation that is just beginning is given up once it has begun. */
    @Override
    void giveUp(Instead<R> wanted) {
        Following<T, R> one;
        synchronized (this) {
            one = begun;
            if (one == null && instead == null) {
                instead = wanted;
            }
        }
        if (one != null) {
            giveUp(one, wanted);
        } else if (place.cancel(false)) {
            completeNow(wanted.value(), wanted.failure());
        }
    }

    /** True until the operation has released the buffer, which it does after the function. */
    @Override
    protected boolean isLent() {
        Following<T, R> one = begun;
        return one != null && !one.released().isDone();
    }

    @Override
    public long endOfHold() {
        Following<T, R> one = begun;
        return one == null ? 0 : one.endOfHold();
    }

    @Override
    protected void awaitHeld() {
        Following<T, R> one = begun;
        if (one != null) {
            one.awaitHeld();
        }
    }

    @Override
    public String described() {
        Following<T, R> one = begun;
        return one == null ? "waiting for a buffer of the " + pool : one.described();
    }
}
