// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.pool;

import io.jfabric.async.BufferPool;
import io.jfabric.async.PooledBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** {@link PooledBuffer}: one turn of a slice. */
public final class PooledBufferImpl implements PooledBuffer {
    /** Created once, so that taking a buffer allocates nothing. */
    final Optional<PooledBuffer> present = Optional.of(this);
    private final Slice slice;
    private final int turn;

    PooledBufferImpl(Slice slice, int turn) {
        this.slice = slice;
        this.turn = turn;
    }

    @Override
    public MemorySegment segment() {
        if (!slice.isTaken(turn)) {
            throw new IllegalStateException("PooledBuffer.segment: the buffer was given back");
        }
        return slice.segment;
    }

    @Override
    public BufferPool pool() {
        return slice.pool;
    }

    @Override
    public void retain() {
        slice.retain(turn);
    }

    @Override
    public void release() {
        slice.release(turn);
    }

    @Override
    public void close() {
        slice.giveBack(turn);
    }

    /** For people: which one, and whether it is taken. */
    @Override
    public String toString() {
        return "buffer " + slice.index + " of " + slice.pool + (slice.isTaken(turn) ? "" : " (given back)");
    }
}
