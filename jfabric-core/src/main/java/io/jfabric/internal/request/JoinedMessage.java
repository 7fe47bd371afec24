// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.request;

import io.jfabric.internal.context.Kept;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A copy in one piece of a message of several buffers, for providers that do not always complete such a message. */
final class JoinedMessage implements Kept {
    private final MemorySegment memory;

    private JoinedMessage(MemorySegment memory) {
        this.memory = memory;
    }

    /** Makes a copy, in the memory of one that was not sent if that is as long; {@code unsent} may be null. */
    static JoinedMessage of(MemorySegment[] buffers, long size, JoinedMessage unsent) {
        JoinedMessage joined = unsent != null && unsent.memory.byteSize() == size ? unsent
                : new JoinedMessage(Arena.ofAuto().allocate(size, 8));
        long at = 0;
        for (MemorySegment buffer : buffers) {
            MemorySegment.copy(buffer, 0, joined.memory, at, buffer.byteSize());
            at += buffer.byteSize();
        }
        return joined;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Nothing to do: it is garbage. */
    @Override
    public void release() {
    }

    @Override
    public Object buffers() {
        return memory;
    }
}
