// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a process has a file mapped, as /proc tells.
 *
 * @param isRemoved whether the file has no name any more
 */
public record Mapping(long begin, long end, boolean isRemoved) {
    /** What a line has before the path. */
    private static final int FIELDS = 5;
    private static final String REMOVED = " (deleted)";

    /**
     * All of a file.
     *
     * @param process its number, or "self"
     * @throws IOException if it is gone, or must not be looked at
     */
    public static List<Mapping> of(String process, Path file) throws IOException {
        // paths are bytes there, and those of other files need not be text
        String path = new String(file.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        try (Stream<String> lines = Files.lines(Path.of("/proc", process, "maps"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.endsWith(path) || line.endsWith(path + REMOVED))
                    .map(line -> line.split(" +", FIELDS + 1))
                    // the whole of the path, which may be the end of another
                    .filter(fields -> fields[FIELDS].equals(path) || fields[FIELDS].equals(path + REMOVED))
                    .map(fields -> of(fields[0].split("-"), !fields[FIELDS].equals(path))).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * The file of this process that is mapped at an address; empty if none is, or it has no name any more.
     *
     * @throws IOException if /proc cannot be read
     */
    public static Optional<String> fileAt(long address) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
            return lines.map(line -> line.split(" +", FIELDS + 1))
                    .filter(fields -> fields.length > FIELDS && of(fields[0].split("-"), false).has(address))
                    .map(fields -> new String(fields[FIELDS].getBytes(StandardCharsets.ISO_8859_1),
                            StandardCharsets.UTF_8))
                    .filter(path -> path.startsWith("/") && !path.endsWith(REMOVED)).findFirst();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private boolean has(long address) {
        return Long.compareUnsigned(begin, address) <= 0 && Long.compareUnsigned(address, end) < 0;
    }

    private static Mapping of(String[] range, boolean isRemoved) {
        return new Mapping(Long.parseUnsignedLong(range[0], 16), Long.parseUnsignedLong(range[1], 16), isRemoved);
    }
}
