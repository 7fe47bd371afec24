// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.collective;

import io.jfabric.internal.context.Kept;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A larger copy of a buffer, copied back when the operation is over: libfabric's software broadcast moves equal chunks,
 * and writes beyond the end of a buffer that they do not fill exactly.
 */
final class PaddedBuffer implements Kept {
    private final MemorySegment buffer;
    private final MemorySegment memory;

    PaddedBuffer(MemorySegment buffer, long size) {
        this.buffer = buffer;
        this.memory = Arena.ofAuto().allocate(size, 16);
        memory.copyFrom(buffer);
    }

    MemorySegment memory() {
        return memory;
    }

    @Override
    public void release() {
        MemorySegment.Scope scope = buffer.scope();
        if (!scope.isAlive()) {
            return;
        }
        // the thread that polls writes, as libfabric would: also to memory confined to another thread
        MemorySegment target = Buffers.isForAnyThread(buffer) ? buffer
                : Memory.all().asSlice(buffer.address(), buffer.byteSize());
        try {
            target.copyFrom(memory.asSlice(0, buffer.byteSize()));
        } catch (IllegalStateException freed) {
            // nobody can look at it any more
        }
    }

    @Override
    public Object buffers() {
        return buffer;
    }
}
