// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a process has a file mapped, as /proc tells.
 *
 * @param isRemoved whether the file has no name any more
 */
public record Mapping(long begin, long end, boolean isRemoved) {
    /** How many fields a line has before the path. */
    private static final int FIELDS = 5;
    private static final String REMOVED = " (deleted)";

    /**
     * All mappings of a file.
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

    private static Mapping of(String[] range, boolean isRemoved) {
        return new Mapping(Long.parseUnsignedLong(range[0], 16), Long.parseUnsignedLong(range[1], 16), isRemoved);
    }
}
