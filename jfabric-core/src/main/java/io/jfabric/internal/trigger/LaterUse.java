// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.trigger;

import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.context.Later;
import io.jfabric.internal.life.Leaks;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a provider uses of an operation that starts later. Refers to nothing that is open, as that could not become
 * garbage otherwise.
 *
 * @param struct the struct by which the provider knows the operation, with all that is from its arena
 * @param buffers the operation's buffers
 * @param ended whether its endpoint has ended; null for work on a counter
 * @param counter the counter that it is about; null for an endpoint's operation
 */
record LaterUse(MemorySegment struct, Object buffers, AtomicBoolean ended, Leaks.Tracker counter)
        implements Later {
    LaterUse {
        buffers = KeptMemory.withoutThreads(buffers);
    }

    @Override
    public boolean isOver() {
        return ended != null ? ended.get() : counter.isClosed();
    }
}
