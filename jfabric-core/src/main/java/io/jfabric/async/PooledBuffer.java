// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.pool.PooledBufferImpl;
import java.lang.foreign.MemorySegment;

/**
 * A buffer that was taken from a {@link BufferPool}; {@link #close} gives it back.
 *
 * <p>Giving a buffer back means that neither the taker nor an operation uses it any more: the next taker may write to
 * it at once. After an operation that was given up, for instance because its deadline had passed, the provider may
 * still use it. {@link BufferPool#use} gives it back in time however the operation ends, and so does
 * {@code node.released(future).thenRun(buffer::close)}, but that may run before what else was appended to the future: a
 * function that reads what was received says so itself, at its end.
 * {@code -Djfabric.checkMemory=true} finds buffers that are given back too early. Others that use the buffer call
 * {@link #retain}: it goes back to the pool once it is given back and everyone who retained it has released it.
 *
 * <p>Thread-safe: one thread may take a buffer and another give it back. The objects are reused, four for each buffer:
 * one that was given back refuses every call until the same memory has been taken three more times, and then belongs to
 * whoever takes it next. So do not keep it.
 */
public sealed interface PooledBuffer extends AutoCloseable permits PooledBufferImpl {
    /**
     * The memory. May be used until the buffer is given back; after that it may be somebody else's buffer.
     *
     * @return all of it, always the same object for the same buffer
     * @throws IllegalStateException if the buffer was given back
     */
    MemorySegment segment();

    /**
     * The pool it is from.
     *
     * @return the pool
     */
    BufferPool pool();

    /**
     * Keeps the buffer from being taken by others until {@link #release}, even after {@link #close}. Operations do not
     * do this by themselves.
     *
     * @throws IllegalStateException if the buffer was given back, or retained 32,767 times
     */
    void retain();

    /**
     * Undoes one {@link #retain}.
     *
     * @throws IllegalStateException if nobody has retained it; or as for {@link #close}
     */
    void release();

    /**
     * Gives the buffer back.
     *
     * @throws IllegalStateException if it was given back already. Nothing changes then for whoever has it now; but see
     *     above: long after, this object may be another taker's, and gives back that one's buffer. Where mistakes are
     *     looked for ({@code -Djfabric.checkMemory=true}), also if an operation still uses it: nobody gets it then
     */
    @Override
    void close();
}
