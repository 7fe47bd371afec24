// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Hints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** For {@link FailedCopyTest}: has a name for which there is no room. */
final class FailedCopy {
    private FailedCopy() {
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        String tooLong = "long".repeat(64 << 20);
        try (Hints hints = Hints.create()) {
            hints.domain().name("the old name");
            limitMemory();
            try {
                hints.domain().name(tooLong);
                System.out.println("NOT FAILED");
            } catch (OutOfMemoryError expected) {
                System.out.println("FAILED");
            }
            // takes the place of what was freed
            try (Hints other = Hints.create()) {
                other.domain().name("another name");
                String name = hints.domain().name().orElseThrow();
                System.out.println("NAME " + name.substring(0, Math.min(20, name.length())));
            }
        }
        System.out.println("END");
    }

    /** To what the process has, and as much as the threads of the JVM and of the C library may take. */
    private static void limitMemory() throws IOException, InterruptedException {
        long kilobytes = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmSize:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", ""))).findFirst().orElseThrow();
        long bytes = kilobytes + 160_000 << 10;
        int code = new ProcessBuilder("prlimit", "--pid", String.valueOf(ProcessHandle.current().pid()),
                "--as=" + bytes).inheritIO().start().waitFor();
        System.out.println("LIMITED " + code);
    }
}
