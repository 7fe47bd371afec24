// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.pool;

import io.jfabric.Domain;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.BufferPool;
import io.jfabric.async.NotHandledException;
import io.jfabric.async.PooledBuffer;
import io.jfabric.internal.async.future.BufferUse;
import io.jfabric.internal.async.future.Progress;
import io.jfabric.internal.clock.Aside;
import io.jfabric.internal.clock.Attempts;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.context.MemoryCheck;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Seconds;
import io.jfabric.internal.life.Leaks;
import io.jfabric.internal.life.StackRoom;
import io.jfabric.internal.memory.FabricArenaImpl;
import io.jfabric.internal.shared.DomainState;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * {@link BufferPool}. Free buffers are on a lock-free stack; the lock is for what is rare: using memory for the first
 * time, waiting, closing.
 *
 * <p>Nobody waits while a buffer is free: whoever waits is counted by {@link #waiters} before it looks at the stack
 * again; whoever gives back pushes and then looks at the count.
 */
public final class BufferPoolImpl implements BufferPool {
    private static final int LARGEST = (1 << 24) - 1;
    /** How much is allocated at a time, unless one buffer is larger. */
    private static final long CHUNK = 1 << 20;
    private static final long LINE = 64;
    private static final int DEEPEST = 16;
    private static final ThreadLocal<int[]> DEPTH = ThreadLocal.withInitial(() -> new int[1]);
    private static final boolean STACKS = Leaks.Often.OFTEN.keepsPlaces();

    private final DomainState domain;
    private final FabricArenaImpl arena;
    private final long bufferSize;
    private final int capacity;
    private final FreeList free;
    private final Slices slices;
    private final Leaks.Tracker tracker;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock, but for its count. */
    private final Waiters waiters = new Waiters();
    private volatile boolean closed;
    private volatile boolean domainClosed;
    /** Not exact. */
    private int uses;

    private BufferPoolImpl(Domain domain, FabricArenaImpl arena, long bufferSize, int capacity) {
        this.domain = ((DomainImpl) domain).state();
        this.arena = arena;
        this.bufferSize = bufferSize;
        this.capacity = capacity;
        this.free = new FreeList(capacity);
        this.slices = new Slices(capacity);
        // weak: the domain knows the arena for as long as its memory exists, whatever becomes of the pool
        WeakReference<BufferPoolImpl> pool = new WeakReference<>(this);
        arena.whenItsDomainCloses(() -> domainCloses(pool.get()));
        this.tracker = Leaks.track(this, "BufferPool of " + capacity + " buffers", Leaks.Often.SELDOM);
    }

    public static BufferPoolImpl open(Domain domain, long bufferSize, int capacity) {
        Arguments.given(domain, "BufferPool.open", "the domain");
        if (bufferSize < 1) {
            throw new IllegalArgumentException("BufferPool.open: bufferSize: " + bufferSize + " must be at least 1");
        }
        Arguments.range("BufferPool.open: capacity", capacity, 1, LARGEST);
        if (bufferSize > Long.MAX_VALUE / capacity - LINE) {
            throw new IllegalArgumentException("BufferPool.open: " + capacity + " buffers of " + bufferSize
                    + " bytes are more than there is memory");
        }
        return new BufferPoolImpl(domain, (FabricArenaImpl) domain.openArena(), bufferSize, capacity);
    }

    /** A pool of jfabric's own, whose memory is {@linkplain FabricArenaImpl#openBorrowed borrowed}. */
    public static BufferPoolImpl openBorrowed(Domain domain, long bufferSize, int capacity) {
        return new BufferPoolImpl(domain, FabricArenaImpl.openBorrowed(domain), bufferSize, capacity);
    }

    @Override
    public Optional<PooledBuffer> tryTake() {
        if (waiters.count() > 0) {
            checkOpen();
            return Optional.empty();
        }
        PooledBufferImpl buffer = takeOne();
        return buffer == null ? Optional.empty() : buffer.present;
    }

    private PooledBufferImpl takeOne() {
        int index = free.pop();
        if (index < 0) {
            checkOpen();
            if (slices.count() == capacity) {
                return null;
            }
            index = grow();
            if (index < 0) {
                return null;
            }
        }
        PooledBufferImpl buffer = slices.get(index).take(STACKS ? new Throwable("taken here") : null);
        if (closed) {
            buffer.close();
            checkOpen();
            return takeOne();
        }
        return buffer;
    }

    /** Waits for a closer, which may find that the pool cannot be closed. */
    private void checkOpen() {
        if (closed) {
            lock.lock();
            lock.unlock();
            if (closed) {
                throw new IllegalStateException(whyClosed());
            }
        }
    }

    /** Allocates more buffers and keeps one of them; -1 if there can be no more. */
    private int grow() {
        lock.lock();
        try {
            checkOpen();
            int index = free.pop();
            if (index >= 0 || slices.count() == capacity) {
                return index;
            }
            int first = slices.count();
            int count = (int) Math.min(capacity - first, Math.max(1, CHUNK / bufferSize));
            // each on cache lines of its own
            long stride = bufferSize + LINE - 1 & -LINE;
            MemorySegment chunk = arena.allocate(stride * count, LINE);
            Slice[] more = new Slice[count];
            for (int i = 0; i < count; i++) {
                more[i] = new Slice(this, first + i, chunk.asSlice(i * stride, bufferSize));
            }
            slices.add(more);
            for (int i = first + count - 1; i > first; i--) {
                free.push(i);
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody uses it any more. */
    void free(Slice slice) {
        if (MemoryCheck.ON) {
            arena.memoryCheck().givenBack(slice.segment);
        }
        free.push(slice.index);
        if (waiters.count() > 0) {
            serve();
        }
    }

    /** Hands free buffers to those who wait, also within the continuation of one of them that gives its own back. */
    private void serve() {
        int[] depth = DEPTH.get();
        if (depth[0] == DEEPEST) {
            // or thousands of waiters would overflow the stack
            Aside.start(this::serve);
            return;
        }
        depth[0]++;
        try {
            serveAll();
        } finally {
            depth[0]--;
        }
    }

    /** Completes futures outside the lock: their continuations may do anything. */
    private void serveAll() {
        while (true) {
            CompletableFuture<PooledBuffer> first;
            PooledBufferImpl buffer;
            lock.lock();
            try {
                first = waiters.first();
                if (closed || first == null) {
                    return;
                }
                buffer = takeOne();
                if (buffer == null) {
                    return;
                }
                waiters.remove(first);
            } finally {
                lock.unlock();
            }
            if (!first.complete(buffer)) {
                // cancelled meanwhile
                buffer.close();
            }
        }
    }

    @Override
    public CompletableFuture<PooledBuffer> takeLater() {
        Optional<PooledBuffer> now = tryTake();
        if (now.isPresent()) {
            return CompletableFuture.completedFuture(now.get());
        }
        CompletableFuture<PooledBuffer> later = new CompletableFuture<>();
        lock.lock();
        try {
            checkOpen();
            waiters.add(later);
        } finally {
            lock.unlock();
        }
        try {
            serve();
        } catch (RuntimeException | Error e) {
            // no memory for more; a caller that gets this exception must not be given a buffer later
            if (later.cancel(false)) {
                forget(later);
                throw e;
            }
        }
        return later;
    }

    private void forget(CompletableFuture<PooledBuffer> given) {
        lock.lock();
        try {
            waiters.remove(given);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public <T, R> CompletableFuture<R> use(Function<? super MemorySegment, ? extends CompletableFuture<T>> operation,
            BiFunction<? super MemorySegment, ? super T, ? extends R> function) {
        return use(ChronoUnit.FOREVER.getDuration(), operation, function);
    }

    @Override
    public <T, R> CompletableFuture<R> use(Duration wait,
            Function<? super MemorySegment, ? extends CompletableFuture<T>> operation,
            BiFunction<? super MemorySegment, ? super T, ? extends R> function) {
        Arguments.notNegative(wait, "BufferPool.use", "the wait");
        Arguments.given(operation, "BufferPool.use", "the operation");
        Arguments.given(function, "BufferPool.use", "the function");
        if (domain.driver() instanceof Progress node) {
            StackRoom.ensureForSeveral(uses++);
            return new BufferUse<T, R>(node, this, takeLater(), operation, function).begin(Clock.nanos(wait),
                    () -> new NotHandledException("BufferPool.use", FabricError.ETIMEDOUT, noBufferIn(wait)));
        }
        throw new IllegalStateException("BufferPool.use: the domain of the pool is not that of a node");
    }

    @Override
    public PooledBuffer take(Duration timeout) {
        Arguments.notNegative(timeout, "BufferPool.take", "the timeout");
        Optional<PooledBuffer> now = tryTake();
        if (now.isPresent()) {
            return now.get();
        }
        CompletableFuture<PooledBuffer> later = takeLater();
        try {
            return later.get(Clock.nanos(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return giveUp(later, FabricException.of("BufferPool.take", FabricError.ETIMEDOUT.code(),
                    noBufferIn(timeout)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return giveUp(later, FabricException.of("BufferPool.take", FabricError.EINTR.code(),
                    "the thread is interrupted"));
        } catch (ExecutionException e) {
            throw closed(e.getCause());
        }
    }

    private static IllegalStateException closed(Throwable why) {
        return new IllegalStateException(why.getMessage(), why);
    }

    /** The buffer, if it came at the last moment; throws otherwise. */
    private PooledBuffer giveUp(CompletableFuture<PooledBuffer> later, RuntimeException why) {
        if (later.cancel(false)) {
            serve();
            throw why;
        }
        try {
            return later.join();
        } catch (CompletionException e) {
            throw closed(e.getCause());
        }
    }

    private String noBufferIn(Duration timeout) {
        return "no buffer in " + Seconds.text(timeout) + "; " + slices.holders();
    }

    @Override
    public long bufferSize() {
        return bufferSize;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int taken() {
        return slices.taken();
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() {
        if (!tryClose()) {
            throw stillUsed();
        }
    }

    @Override
    public boolean tryClose(Duration timeout) {
        return Attempts.within(timeout, this::tryClose, "BufferPool.tryClose",
                "the thread is interrupted; the pool stays open");
    }

    /** For when its owner ends: what is still used is freed with the domain at the latest, and nobody is warned. */
    public boolean closeOrAbandon() {
        boolean isClosed = tryClose();
        if (!isClosed) {
            tracker.closed();
        }
        return isClosed;
    }

    private IllegalStateException stillUsed() {
        IllegalStateException refusal = new IllegalStateException("the buffer pool cannot be closed, its buffers are "
                + "still used: " + (taken() == 0 ? operations() : slices.holders()));
        slices.places().forEach(refusal::addSuppressed);
        return refusal;
    }

    private String operations() {
        List<String> raw = arena.rawUsers();
        return raw.isEmpty() ? "an operation was given the memory of one"
                : "maybe by " + String.join("; ", raw.stream().limit(Slices.LISTED).toList());
    }

    /** Whoever takes a buffer meanwhile sees {@link #closed}, and gives it back. */
    @Override
    public boolean tryClose() {
        List<CompletableFuture<PooledBuffer>> failed;
        lock.lock();
        try {
            if (closed) {
                return true;
            }
            if (taken() > 0) {
                return false;
            }
            closed = true;
            boolean isClosed = false;
            try {
                isClosed = taken() == 0 && arena.tryClose();
            } finally {
                closed = isClosed;
                if (domainClosed) {
                    // the domain was closed at the same moment
                    closed = true;
                }
            }
            if (!isClosed) {
                return false;
            }
            failed = waiters.takeAll();
        } finally {
            lock.unlock();
        }
        end(failed);
        return true;
    }

    private void end(List<CompletableFuture<PooledBuffer>> failed) {
        tracker.closed();
        failed.forEach(later -> later.completeExceptionally(new IllegalStateException(whyClosed())));
    }

    private static void domainCloses(BufferPoolImpl pool) {
        if (pool != null) {
            pool.domainCloses();
        }
    }

    /** The memory is gone, even of buffers that are taken. */
    private void domainCloses() {
        domainClosed = true;
        closed = true;
        // not here: those who wait may do anything then, and the lock may be held by one that waits for the domain
        Aside.start(() -> {
            List<CompletableFuture<PooledBuffer>> failed;
            lock.lock();
            try {
                failed = waiters.takeAll();
            } finally {
                lock.unlock();
            }
            end(failed);
        });
    }

    private String whyClosed() {
        return domainClosed ? "the buffer pool was closed with its domain" : "the buffer pool is closed";
    }

    /** What it has, for people. */
    @Override
    public String toString() {
        return "pool of " + capacity + " buffers of " + bufferSize + " bytes" + (closed ? " (closed)" : "");
    }
}
