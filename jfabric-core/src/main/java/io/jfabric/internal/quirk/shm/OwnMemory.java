// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** This process's memory, read by way of the kernel: where there is none the answer is null, in place of a crash. */
final class OwnMemory implements AutoCloseable {
    private static final Path SELF = Path.of("/proc/self/mem");

    private final FileChannel memory;

    private OwnMemory(FileChannel memory) {
        this.memory = memory;
    }

    /** Not everywhere may a process look at itself. */
    static OwnMemory open() throws IOException {
        return new OwnMemory(FileChannel.open(SELF, StandardOpenOption.READ));
    }

    /** A copy of as many bytes; null if they are not all there. */
    MemorySegment read(long address, int bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        try {
            while (address > 0 && copy.hasRemaining() && memory.read(copy, address + copy.position()) > 0) {
                // the rest may come later
            }
        } catch (IOException e) {
            return null;
        }
        return copy.hasRemaining() ? null : MemorySegment.ofArray(copy.array());
    }

    @Override
    public void close() throws IOException {
        memory.close();
    }
}
