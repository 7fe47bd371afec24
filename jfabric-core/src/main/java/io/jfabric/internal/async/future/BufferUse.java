// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import io.jfabric.async.BufferPool;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Seldom;
import io.jfabric.internal.ffi.Log;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** {@link BufferPool#use}: waits for a buffer, then stands for the operation and a function of its result. */
public final class BufferUse<T, R> extends StandIn<R> {
    private static final long MILLI = 1_000_000;
    private static final Log LOG = Log.of(BufferPool.class);
    private static final Seldom KEPT = new Seldom();

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
            Future<?> tick = Aside.later(nanos / MILLI + 1, end);
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

    /** If the operation throws or gives nothing, nothing has begun. */
    private Following<T, R> started(PooledBuffer buffer) {
        MemorySegment memory = buffer.segment();
        CompletableFuture<T> future;
        try {
            future = Objects.requireNonNull(operation.apply(memory), "BufferPool.use: the operation's future is null");
        } catch (Throwable refused) {
            buffer.close();
            throw refused;
        }
        NodeFuture<T> begun;
        try {
            begun = Lending.operation("BufferPool.use", future, progress());
        } catch (IllegalArgumentException another) {
            throw refused(another, future, buffer);
        }
        return new Following<>(begun, value -> function.apply(memory, value));
    }

    /** Only futures of operations, also those of other nodes, tell when their memory is free. */
    private IllegalArgumentException refused(IllegalArgumentException why, CompletableFuture<T> future,
            PooledBuffer buffer) {
        if (future instanceof Lending elsewhere) {
            elsewhere.released().thenRun(buffer::close);
            return why;
        }
        IllegalArgumentException stays = new IllegalArgumentException(why.getMessage() + "; the buffer stays taken, as "
                + "nobody knows when its memory is free: " + pool.taken() + " of " + pool.capacity() + " are taken");
        int times = KEPT.happened();
        if (times > 0) {
            LOG.warn("a buffer of the {} is lost{}", pool, Seldom.since(times), stays);
        }
        return stays;
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
    protected void giveUp(Instead<R> wanted) {
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
