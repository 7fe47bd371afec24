// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.pool.PooledBufferImpl;
import java.lang.foreign.MemorySegment;

/**
 * A buffer that was taken from a {@link BufferPool}; {@link #close} gives it back.
 *
 * <p>Who gives a buffer back says that <em>he</em> will not use it any more. What else uses it says so by
 * {@link #retain}: the buffer goes back to the pool when it is given back and all who retained it have released it.
 *
 * <p>Thread-safe: one thread may take it, another give it back. The objects are used again, a few for each buffer: one
 * that was given back refuses everything, but do not keep it.
 */
public sealed interface PooledBuffer extends AutoCloseable permits PooledBufferImpl {
    /**
     * The memory. May be used until the buffer is given back; whoever keeps the segment longer writes into the buffer
     * of somebody else.
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
     * Keeps the memory from being taken by others until {@link #release}, also after {@link #close}. An operation that
     * uses it does that.
     *
     * @throws IllegalStateException if the buffer was given back, or retained 32,767 times
     */
    void retain();

    /**
     * Undoes one {@link #retain}.
     *
     * @throws IllegalStateException if nobody has retained it
     */
    void release();

    /**
     * Gives the buffer back.
     *
     * @throws IllegalStateException if it was given back already. Nothing is changed then, whoever has it now
     */
    @Override
    void close();
}
