// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files that killed processes leave in /dev/shm, named after their ids. They are removed when this JVM ends: until
 * then its own endpoints, or other processes, may look for them, and libfabric 1 crashes when one is gone. Left there,
 * they would stop a later process that is given the same id. {@link ChildJvm} does this by itself. Any thread.
 */
public final class Leftovers {
    private static final Path SHM = Path.of("/dev/shm");
    private static final Duration ENDING = Duration.ofSeconds(5);
    private static final Set<Long> KILLED = ConcurrentHashMap.newKeySet();
    private static final Set<ChildJvm> CHILDREN = ConcurrentHashMap.newKeySet();
    private static volatile boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::end));
    }

    private Leftovers() {
    }

    /**
     * Has what a process left removed when this JVM ends.
     *
     * @param pid of a process that was killed
     */
    public static void ofKilled(long pid) {
        KILLED.add(pid);
    }

    /**
     * Removes files at once, where nobody looks for them any more.
     *
     * @param prefix what the names in /dev/shm begin with
     * @throws IOException if one cannot be removed
     * @throws IllegalArgumentException if it is empty: the files of all programs of this machine begin with that
     */
    public static void removeFiles(String prefix) throws IOException {
        removeFiles(SHM, prefix);
    }

    static void removeFiles(Path directory, String prefix) throws IOException {
        if (prefix.isEmpty()) {
            throw new IllegalArgumentException("removeFiles: the prefix is empty, which all files begin with");
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory,
                file -> file.getFileName().toString().startsWith(prefix))) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Has it killed when this JVM ends: one that is stopped would not notice that. */
    static void child(ChildJvm child) {
        CHILDREN.add(child);
        if (ending) {
            child.destroy();
        }
    }

    /** It has ended. */
    static void childEnded(ChildJvm child) {
        CHILDREN.remove(child);
    }

    /** First the processes, then what they leave. */
    private static void end() {
        ending = true;
        CHILDREN.forEach(ChildJvm::destroy);
        try {
            for (ChildJvm child : CHILDREN) {
                child.awaitEnd(ENDING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        KILLED.forEach(Leftovers::remove);
    }

    private static void remove(long pid) {
        // not those of a process that has the id now
        if (ProcessHandle.of(pid).isPresent() || !Files.isDirectory(SHM)) {
            return;
        }
        try {
            removeFiles(pid + ":");
        } catch (IOException e) {
            System.err.println("what " + pid + " left in " + SHM + " stays: " + e);
        }
    }
}
