// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Files that are gone when the program ends, also when it is told to end: no finally block is run then. */
final class Temporary {
    private static final int TRIES = 10;

    private Temporary() {
    }

    /** An empty file. */
    static Path file(String suffix) throws IOException {
        return deleted(Files.createTempFile("jfabric", suffix));
    }

    /** An empty directory, of which all goes that will be in it. */
    static Path directory(String prefix) throws IOException {
        return deleted(Files.createTempDirectory(prefix));
    }

    private static Path deleted(Path path) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(path)));
        return path;
    }

    private static void delete(Path path) {
        // the program goes on meanwhile, and may write one more file
        for (int i = 0; i < TRIES && Files.exists(path); i++) {
            try (Stream<Path> files = Files.walk(path)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                if (i == TRIES - 1) {
                    System.err.println("could not delete all of " + path + ": " + e);
                }
            }
        }
    }
}
