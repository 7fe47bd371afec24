// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.top;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.management.MBeanServerConnection;
import jdk.management.jfr.RemoteRecordingStream;

/**
 * What another process records, and the folder here where that comes to. Closed however this program ends: else that
 * process would go on, and the folder stay.
 */
final class Recording {
    /** One that is stopped does not answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Path folder;
    /** None before that process has answered. */
    private volatile RemoteRecordingStream stream;
    private volatile boolean closing;
    private boolean closed;

    private Recording(Path folder) {
        this.folder = folder;
    }

    /** Closed when this program ends, also if that process cannot record. */
    static Recording open(MBeanServerConnection connection) throws IOException {
        Recording recording = new Recording(Files.createTempDirectory("jfabric-top"));
        Runtime.getRuntime().addShutdownHook(new Thread(recording::close));
        recording.stream = new RemoteRecordingStream(connection, recording.folder);
        return recording;
    }

    RemoteRecordingStream stream() {
        return stream;
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
        RemoteRecordingStream recorded = stream;
        if (recorded != null) {
            Thread thread = Thread.ofPlatform().daemon().start(recorded::close);
            try {
                closed = thread.join(PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
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
