// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.top;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import jdk.management.jfr.RemoteRecordingStream;

/**
 * What another process records, and the folder here where that comes to. Closed however this program ends: else that
 * process would go on, and the folder stay.
 */
final class Recording {
    /** One that is stopped does not answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    final RemoteRecordingStream stream;
    private final Path folder;
    private volatile boolean closing;
    private boolean closed;

    Recording(RemoteRecordingStream stream, Path folder) {
        this.stream = stream;
        this.folder = folder;
    }

    boolean isClosing() {
        return closing;
    }

    /** Returns whether that process was told. Tried once. */
    synchronized boolean close() {
        if (closing) {
            return closed;
        }
        closing = true;
        Thread thread = Thread.ofPlatform().daemon().start(stream::close);
        try {
            closed = thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("jfabric-top: could not delete all of " + folder + ": " + e);
        }
        return closed;
    }
}
