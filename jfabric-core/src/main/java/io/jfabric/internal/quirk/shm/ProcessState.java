// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk.shm;

import io.jfabric.internal.ffi.Mapping;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a process does, as far as /proc tells; one that cannot be looked at is alive. */
enum ProcessState {
    ALIVE, STOPPED, DEAD;

    private static final Path PROC = Path.of("/proc");
    /** Fields of proc_pid_stat(5), counted behind the name, which may hold anything. */
    static final int USER = 11;
    private static final int KERNEL = 12;
    static final int THREADS = 17;
    static final int START = 19;

    /** Those that nobody has asked for the longest are forgotten first. */
    private static final int MOST = 10_000;
    /** The regions that living processes were seen with, and when those began: their numbers are what they are here. */
    private static final Map<Region, Long> MET = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Region, Long> eldest) {
            return size() > MOST;
        }
    });

    /** Whose a region is by its header, where it is in that process, and its file. */
    private record Region(int pid, long base, Path file) {
    }

    /** A process that was seen alive; its number may be another's by now. */
    record Met(int pid, long start) {
    }

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
    static boolean isOver(Met met) {
        String[] fields = fields(met.pid);
        return fields == null || fields.length > START && (Long.parseLong(fields[START]) != met.start
                || "ZXx".contains(fields[0]) && Integer.parseInt(fields[THREADS]) <= 1);
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

    /**
     * The process of a region, if it was seen alive, now or before, with the file mapped where the region says: in
     * another namespace it is not. Else null.
     */
    static Met meet(int pid, long base, Path file) {
        Region region = new Region(pid, base, file);
        long start = start(pid);
        try {
            // the same before and after: so it is the one that was looked at
            if (start >= 0 && maps(Integer.toString(pid), base, file) && start(pid) == start) {
                MET.put(region, start);
            }
        } catch (IOException notToBeSeen) {
            // it may have been before
        }
        Long met = MET.get(region);
        return met == null ? null : new Met(pid, met);
    }

    /** Whether a mapping of that file, which may have been removed meanwhile, begins at an address of a process. */
    static boolean maps(String process, long address, Path file) throws IOException {
        return Mapping.of(process, file).stream().anyMatch(mapping -> mapping.begin() == address);
    }

    /** What this process has used of the kernel, in hundredths of a second; 0 if that cannot be seen. */
    static long ownKernelTicks() {
        String[] fields = fields("self");
        return fields == null || fields.length <= KERNEL ? 0 : Long.parseLong(fields[KERNEL]);
    }

    /** When it began; less than 0 if that cannot be seen. */
    private static long start(int pid) {
        String[] fields = fields(pid);
        return fields == null || fields.length <= START ? -1 : Long.parseLong(fields[START]);
    }

    private static String[] fields(int pid) {
        return fields(Integer.toString(pid));
    }

    /**
     * Of a process, or a thread, which is below one. Null if there is none such, none if they cannot be read.
     *
     * @param process its place in /proc
     */
    static String[] fields(String process) {
        Path stat = PROC.resolve(process).resolve("stat");
        try {
            // the kernel cuts names, also in the middle of a letter
            String text = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return text.substring(text.lastIndexOf(')') + 2).split(" ");
        } catch (IOException e) {
            return Files.exists(stat) ? new String[0] : null;
        } catch (RuntimeException e) {
            return new String[0];
        }
    }
}
