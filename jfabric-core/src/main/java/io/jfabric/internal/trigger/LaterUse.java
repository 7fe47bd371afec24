// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.trigger;

import io.jfabric.internal.context.Holder;
import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.life.Leaks;
import java.lang.foreign.MemorySegment;

/**
 * What a provider uses of an operation that starts later. Refers to nothing that is open, which could not become
 * garbage otherwise.
 *
 * @param struct what the provider knows the operation by, with all that is from its arena
 * @param buffers the operation's
 * @param actor whose operation it is, or the counter it is about
 */
record LaterUse(MemorySegment struct, Object buffers, Leaks.Tracker actor) implements Holder {
    LaterUse {
        buffers = KeptMemory.withoutThreads(buffers);
    }

    @Override
    public boolean isOver() {
        return actor.isClosed();
    }
}
