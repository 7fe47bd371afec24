// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** This process's memory, read by way of the kernel: where there is none the answer is null, in place of a crash. */
public final class OwnMemory implements AutoCloseable {
    private static final Path SELF = Path.of("/proc/self/mem");

    private FileChannel memory;

    private OwnMemory(FileChannel memory) {
        this.memory = memory;
    }

    /** Not everywhere may a process look at itself. */
    public static OwnMemory open() throws IOException {
        return new OwnMemory(Uninterrupted.read(() -> FileChannel.open(SELF, StandardOpenOption.READ)));
    }

    /** A copy of as many bytes; null if they are not all there. */
    public MemorySegment read(long address, int bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        try {
            Uninterrupted.read(() -> fill(copy, address));
        } catch (IOException e) {
            return null;
        }
        return copy.hasRemaining() ? null : MemorySegment.ofArray(copy.array());
    }

    private ByteBuffer fill(ByteBuffer copy, long address) throws IOException {
        if (!memory.isOpen()) {
            memory = FileChannel.open(SELF, StandardOpenOption.READ);
        }
        while (address > 0 && copy.hasRemaining() && memory.read(copy, address + copy.position()) > 0) {
            // the rest may come later
        }
        return copy;
    }

    @Override
    public void close() throws IOException {
        memory.close();
    }
}
