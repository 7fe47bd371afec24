// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What this process has of the machine. Linux only, as libfabric's providers here are. */
final class Resources {
    private static final int SAMPLES = 5;

    private Resources() {
    }

    /** Resident memory in KiB, the mean of some seconds. */
    static long resident() throws InterruptedException {
        long sum = 0;
        for (int i = 0; i < SAMPLES; i++) {
            sum += field("VmRSS:");
            Thread.sleep(500);
        }
        return sum / SAMPLES;
    }

    /** Shared memory and files among {@link #resident}, now. */
    static long shared() {
        return field("RssShmem:") + field("RssFile:");
    }

    /** How many file descriptors are open. */
    static long descriptors() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long field(String name) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String line = lines.filter(text -> text.startsWith(name)).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("[^0-9]", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
