// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.Domain;
import io.jfabric.FabricArena;
import io.jfabric.internal.pool.BufferPoolImpl;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of one size that the network may use, to be taken and given back: registered once if the provider demands
 * that, then used again and again. {@link #use} has one for as long as an operation of a node takes. {@link #tryTake}
 * and {@link PooledBuffer#close} allocate nothing and never block.
 *
 * <p>Memory is allocated when it is first needed, from a {@link FabricArena} of the domain, up to the capacity. The
 * pool keeps it until it is closed, so the most memory that it can take is known beforehand: when all buffers are
 * taken, callers wait for one, or do something else. Those that wait are served in order.
 *
 * <p>Buffers that were not given back are reported when the pool is closed, and when a wait for a buffer times out;
 * with {@code -Djfabric.leaks=stack} the report says where they were taken. Thread-safe; for platform and virtual
 * threads.
 */
public sealed interface BufferPool extends AutoCloseable permits BufferPoolImpl {
    /**
     * Opens a pool. Allocates no buffers yet.
     *
     * @param domain the domain whose endpoints will use the buffers
     * @param bufferSize the size of each buffer in bytes, at least 1
     * @param capacity how many buffers there can be, 1 to 16,777,215
     * @return the pool, to be closed before the domain: otherwise those who wait for a buffer when the domain closes
     *         fail, and the memory of buffers that are taken is gone
     * @throws IllegalArgumentException if a number is out of range, or all buffers together are beyond 2^63 bytes
     */
    static BufferPool open(Domain domain, long bufferSize, int capacity) {
        return BufferPoolImpl.open(domain, bufferSize, capacity);
    }

    /**
     * Takes a buffer if there is one. The memory is as the last user left it.
     *
     * @return the buffer; empty if all are taken, or others wait for one
     * @throws IllegalStateException if the pool is closed
     */
    Optional<PooledBuffer> tryTake();

    /**
     * Takes a buffer; waits until there is one.
     *
     * @param timeout how long to wait at most; 0 to not wait
     * @return the buffer
     * @throws IllegalArgumentException if the timeout is negative
     * @throws io.jfabric.FabricException {@code FI_ETIMEDOUT} if there is none in time; the message says how many are
     *     taken; {@code FI_EINTR} if the thread is interrupted, which it stays
     * @throws IllegalStateException if the pool is closed, before or during the wait
     */
    PooledBuffer take(Duration timeout);

    /**
     * Takes a buffer as soon as there is one. The thread that gives a buffer back completes the future. Cancelling it
     * gives up the place in the queue.
     *
     * @return the buffer; fails with {@link IllegalStateException} when the pool is closed
     * @throws IllegalStateException if the pool is closed
     */
    CompletableFuture<PooledBuffer> takeLater();

    /**
     * Uses a buffer for one operation of the node whose {@link Node#domain()} the pool was opened with: waits for the
     * buffer without blocking, starts the operation, applies a function to what came of it, and gives the buffer back
     * when the network has let go of it, however all that ends ({@link Node#released}):
     * {@snippet :
     * pool.use(buffer -> node.read(buffer, peer, region, offset), (buffer, done) -> parse(buffer));
     * }
     * So any number may be begun at once: as many are under way as there are buffers, the others wait, in order. Their
     * number has no bound; each takes a few hundred bytes of the heap.
     *
     * <p>The operation is started by this thread if there is a buffer, else by the one that gives a buffer back; its
     * deadline begins then. The function is called where functions run that are appended to the operation's future,
     * mostly in the one thread that makes progress. Neither may block, nor keep the buffer, which is given back before
     * the returned future succeeds. If many threads have much to compute with what comes, let each of them
     * {@link #take} a buffer: here one thread would do it all.
     *
     * <p>The wait for a buffer has no deadline, unless {@linkplain #use(Duration, Function, BiFunction) one} is given.
     * A peer that stands still or has died may keep the buffers of what has failed until it is {@linkplain Peer#close
     * closed}, which {@link KeepAlive} does, or with some providers until the node is: a pool of its own for each peer,
     * and another for whoever comes after it, keeps others from waiting for those.
     *
     * <p>To cancel or complete the future gives up the place in the queue, or the operation as {@link Node#thenApply}
     * does. If that is just being started, {@code cancel} returns false, and the future is cancelled soon.
     *
     * @param operation starts one operation with the buffer, whose content is as the last user left it, and returns its
     *     future, as the node, a caller or a group gave it, or {@link Node#thenApply} of it. If it throws, or returns
     *     null, nothing has begun
     * @param function makes something of the buffer and of what the operation gave, such as how long a message is
     * @param <T> what the operation gives
     * @param <R> what the function gives
     * @return what the function gives; fails as the operation does, with what one of the two functions throws, with
     *     {@link NullPointerException} if the first one returned null, with {@link IllegalStateException} if the pool
     *     is closed while this waits, also with its node, and with {@link IllegalArgumentException} if the first one
     *     returned another future, such as what {@code future.thenApply} gives: the buffer then stays taken until the
     *     pool ends with its node, as nobody knows when the memory is free, and a warning in the log says so; but one
     *     that an operation of another node uses is given back after that
     * @throws IllegalStateException if the pool is closed, or its domain is not that of a node
     */
    <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<R> use(
            Function<? super MemorySegment, ? extends CompletableFuture<T>> operation,
            BiFunction<? super MemorySegment, ? super T, ? extends R> function);

    /**
     * As {@link #use(Function, BiFunction)}, and waits no longer than this for a buffer. The deadline of the operation
     * is its own, and begins when it is started.
     *
     * @param wait how long to wait for a buffer at most; 0 to not wait
     * @param operation as there
     * @param function as there
     * @param <T> what the operation gives
     * @param <R> what the function gives
     * @return as there; also fails with a {@link NotHandledException}, {@code FI_ETIMEDOUT}, if there was no buffer in
     *     time, so that {@link Caller#wasNotHandled} is true if the operation was to be a call. The message says how
     *     many are taken
     * @throws IllegalArgumentException if the wait is negative
     * @throws IllegalStateException if the pool is closed, or its domain is not that of a node
     */
    <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<R> use(Duration wait,
            Function<? super MemorySegment, ? extends CompletableFuture<T>> operation,
            BiFunction<? super MemorySegment, ? super T, ? extends R> function);

    /**
     * As {@link #use(Function, BiFunction)} where nothing is to be made of the buffer afterwards, as with a send:
     * {@snippet :
     * pool.use(buffer -> node.send(buffer.copyFrom(message), peer, tag));
     * }
     *
     * @param operation as there
     * @param <T> what the operation gives
     * @return what the operation gave; fails as there
     * @throws IllegalStateException if the pool is closed, or its domain is not that of a node
     */
    default <T extends @Nullable Object> CompletableFuture<T> use(
            Function<? super MemorySegment, ? extends CompletableFuture<T>> operation) {
        return use(operation, (buffer, done) -> done);
    }

    /**
     * As {@link #use(Duration, Function, BiFunction)} where nothing is to be made of the buffer afterwards.
     *
     * @param wait as there
     * @param operation as there
     * @param <T> what the operation gives
     * @return what the operation gave; fails as there
     * @throws IllegalArgumentException if the wait is negative
     * @throws IllegalStateException if the pool is closed, or its domain is not that of a node
     */
    default <T extends @Nullable Object> CompletableFuture<T> use(Duration wait,
            Function<? super MemorySegment, ? extends CompletableFuture<T>> operation) {
        return use(wait, operation, (buffer, done) -> done);
    }

    /**
     * The size of each buffer.
     *
     * @return in bytes
     */
    long bufferSize();

    /**
     * How many buffers there can be.
     *
     * @return the capacity that it was opened with
     */
    int capacity();

    /**
     * How many buffers are taken, including those that were given back but are still retained. A snapshot.
     *
     * @return 0 to the capacity
     */
    int taken();

    /**
     * Tells whether buffers can be taken.
     *
     * @return false once it is closed
     */
    boolean isOpen();

    /**
     * Closes the pool and frees its memory. Closing again does nothing. Unlike {@link #tryClose(Duration)}, does not
     * wait; those who wait for a buffer get an exception.
     *
     * @throws IllegalStateException if a buffer is taken, or an operation uses the memory of one; the message says how
     *     many, and where they were taken if that is known. The pool then stays open
     */
    @Override
    void close();

    /**
     * Closes the pool if no buffer is taken and no operation uses the memory of one.
     *
     * @return whether it is closed now; if not, nothing has changed, and {@link #close()} says why
     */
    boolean tryClose();

    /**
     * Closes the pool once all buffers are given back and no operation uses their memory. Until then buffers can still
     * be taken.
     *
     * @param timeout how long to wait at most; 0 to not wait
     * @return whether it is closed now; if not, nothing has changed, and {@link #close()} says why
     * @throws IllegalArgumentException if the timeout is negative
     * @throws io.jfabric.FabricException {@code FI_EINTR} if the thread is interrupted, which it stays; the pool then
     *     stays open
     */
    boolean tryClose(Duration timeout);
}
