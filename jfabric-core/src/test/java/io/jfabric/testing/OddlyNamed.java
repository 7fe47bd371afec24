// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that this process has mapped, whose name is no text: to the kernel, paths are bytes. */
public final class OddlyNamed implements AutoCloseable {
    private static final String NAME = "$'\\xe9'";

    private final Path folder = Files.createTempDirectory("jfabric-odd");
    private final Arena arena = Arena.ofShared();

    public OddlyNamed() throws IOException {
        try (FileChannel file = FileChannel.open(folder.resolve("plain"), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file.map(FileChannel.MapMode.READ_WRITE, 0, 4096, arena);
        }
        // what is mapped is named anew with it
        in(folder, "mv plain " + NAME);
    }

    /** Runs a command of bash, which can write such names. */
    private static void in(Path folder, String command) throws IOException {
        Process process = new ProcessBuilder("bash", "-c", command).directory(folder.toFile()).inheritIO().start();
        int status = process.onExit().join().exitValue();
        if (status != 0) {
            throw new IOException(command + " ends with " + status);
        }
    }

    @Override
    public void close() throws IOException {
        arena.close();
        in(folder, "rm " + NAME);
        Files.delete(folder);
    }
}
