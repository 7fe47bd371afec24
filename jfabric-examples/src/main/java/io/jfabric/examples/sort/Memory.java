// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a process has of the machine's memory. */
public final class Memory {
    private static final String HIGHEST = "VmHWM:";

    private Memory() {
    }

    /**
     * The most that was resident at a time, as Linux counts it: heap, native memory, code, and the pages of libraries,
     * those too that it shares with others.
     *
     * @return bytes
     */
    public static long highest() throws IOException {
        List<String> status = Files.readAllLines(Path.of("/proc/self/status"));
        return status.stream().filter(line -> line.startsWith(HIGHEST))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10).findFirst().orElseThrow();
    }
}
