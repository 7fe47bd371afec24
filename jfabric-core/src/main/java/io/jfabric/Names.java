// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.ffi.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Calls that fill a buffer and say how much they wrote, or how much they would have. */
final class Names {
    static final long LONGEST = 512;

    private Names() {
    }

    /** Takes the address of a buffer and of a {@code size_t} with its length. */
    @FunctionalInterface
    interface Reader {
        int read(long buffer, long length);
    }

    static byte[] read(String operation, Reader reader) {
        return read(operation, null, reader);
    }

    /** The detail goes into the exception. */
    static byte[] read(String operation, String detail, Reader reader) {
        long size = LONGEST;
        for (int attempt = 0; ; attempt++) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment buffer = arena.allocate(size, 8);
                MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_LONG, size);
                int result = reader.read(buffer.address(), length.address());
                long written = length.get(ValueLayout.JAVA_LONG, 0);
                if (result == 0 && written <= size) {
                    return buffer.asSlice(0, written).toArray(ValueLayout.JAVA_BYTE);
                }
                if (attempt > 0 || result != 0 && result != -Errno.ETOOSMALL) {
                    throw FabricException.of(operation, result, detail);
                }
                size = Math.max(written, 2 * size);
            }
        }
    }
}
