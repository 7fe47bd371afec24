// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.internal.ffi.LibC;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Where a file is mapped in this process. Once it is unmapped, memory of no use can take its place. */
public record AddressSpace(long address, long bytes) {
    private static final Path MAPS = Path.of("/proc/self/maps");

    /** The mapping of a file; null if there is none or several. */
    public static AddressSpace of(Path file) {
        try (Stream<String> lines = Files.lines(MAPS)) {
            // the whole of the name, which may be the beginning of another
            var found = lines.filter(line -> line.endsWith(" " + file)).map(line -> line.split("[- ]", 3)).toList();
            if (found.size() != 1) {
                return null;
            }
            long begin = Long.parseUnsignedLong(found.getFirst()[0], 16);
            return new AddressSpace(begin, Long.parseUnsignedLong(found.getFirst()[1], 16) - begin);
        } catch (IOException e) {
            return null;
        }
    }

    /** Lets writes go nowhere, where nothing else is mapped now. */
    boolean take() {
        return LibC.mapAt(address, bytes);
    }

    void free() {
        LibC.unmap(address, bytes);
    }
}
