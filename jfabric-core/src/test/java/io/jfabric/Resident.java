// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** How much memory of this process is resident. */
public final class Resident {
    private Resident() {
    }

    /** In bytes, of a kind as the kernel calls it: VmRSS for all, RssAnon, RssShmem. */
    public static long bytes(String kind) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(kind + ":")).findFirst()
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10).orElseThrow();
        }
    }
}
