// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** This process's memory, read by way of the kernel: where there is none the answer is null, in place of a crash. */
final class OwnMemory implements AutoCloseable {
    private static final Path SELF = Path.of("/proc/self");
    private static final String DELETED = " (deleted)";

    private final FileChannel memory;

    private OwnMemory(FileChannel memory) {
        this.memory = memory;
    }

    /** Not everywhere may a process look at itself. */
    static OwnMemory open() throws IOException {
        return new OwnMemory(FileChannel.open(SELF.resolve("mem"), StandardOpenOption.READ));
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

    /** Whether a mapping of that file, which may have been removed meanwhile, begins at an address. */
    static boolean maps(long address, Path file) throws IOException {
        String begin = Long.toHexString(address) + '-';
        try (Stream<String> maps = Files.lines(SELF.resolve("maps"))) {
            return maps.anyMatch(line -> line.startsWith(begin)
                    && (line.endsWith(' ' + file.toString()) || line.endsWith(' ' + file.toString() + DELETED)));
        }
    }

    @Override
    public void close() throws IOException {
        memory.close();
    }
}
