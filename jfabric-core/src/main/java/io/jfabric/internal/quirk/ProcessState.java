// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What a process does, as far as /proc tells; one that cannot be looked at is alive. */
enum ProcessState {
    ALIVE, STOPPED, DEAD;

    private static final Path PROC = Path.of("/proc");
    /** Fields of proc_pid_stat(5), counted behind the name, which may hold anything. */
    private static final int THREADS = 17;

    /** Those that were seen alive with their regions: their numbers are what they are here. */
    private static final Set<Integer> MET = ConcurrentHashMap.newKeySet();

    /** A zombie is dead. */
    static ProcessState of(int pid) {
        String[] fields = fields(pid);
        if (fields == null) {
            return DEAD;
        }
        return fields.length == 0 ? ALIVE : switch (fields[0]) {
            case "Z", "X", "x" -> DEAD;
            case "T", "t" -> STOPPED;
            default -> ALIVE;
        };
    }

    static boolean isDead(int pid) {
        return of(pid) == DEAD;
    }

    /** Whether none of its threads can do anything any more: a zombie's others may still be at it. */
    static boolean isOver(int pid) {
        String[] fields = fields(pid);
        return fields == null
                || fields.length > THREADS && "ZXx".contains(fields[0]) && Integer.parseInt(fields[THREADS]) <= 1;
    }

    /** Whether numbers of processes are here what they are to this one: not with the /proc of another namespace. */
    static boolean areNumbersKnown() {
        try {
            return Files.readSymbolicLink(PROC.resolve("self")).toString()
                    .equals(Long.toString(ProcessHandle.current().pid()));
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a process was seen alive, now or before, that had the file mapped: in another namespace it is not. */
    static boolean meet(int pid, Path file) {
        Path maps = PROC.resolve(Integer.toString(pid)).resolve("maps");
        try (Stream<String> lines = Files.lines(maps)) {
            if (lines.anyMatch(line -> line.contains(' ' + file.toString()))) {
                MET.add(pid);
            }
        } catch (IOException | UncheckedIOException notToBeSeen) {
            // it may have been before
        }
        return MET.contains(pid);
    }

    /** Null if there is no such process, none if they cannot be read. */
    private static String[] fields(int pid) {
        Path stat = PROC.resolve(Integer.toString(pid)).resolve("stat");
        try {
            String text = Files.readString(stat);
            return text.substring(text.lastIndexOf(')') + 2).split(" ");
        } catch (IOException e) {
            return Files.exists(stat) ? new String[0] : null;
        } catch (RuntimeException e) {
            return new String[0];
        }
    }
}
