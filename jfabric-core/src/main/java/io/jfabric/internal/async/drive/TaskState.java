// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a thread does, as the kernel sees it: the JVM does not know of threads that wait for a processor. */
record TaskState(char state, long ticks) {
    private static final Path PROC = Path.of("/proc");
    /** Fields of proc_pid_stat(5), counted behind the name, which may hold anything. */
    private static final int USER = 11;
    private static final int KERNEL = 12;
    /** More of a processor than this, in ticks of 10 ms, is computing. */
    private static final int BUSY = 4;

    /** Where that stands for this thread; null where it does not. */
    static Path fileOfThisThread() {
        try {
            return PROC.resolve(Files.readSymbolicLink(PROC.resolve("thread-self"))).resolve("stat");
        } catch (IOException | RuntimeException unknown) {
            return null;
        }
    }

    /** What the thread of that file does now; without one, what the JVM knows. */
    static TaskState of(Path file, Thread thread) {
        try {
            if (file != null) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
                return new TaskState(fields[0].charAt(0),
                        Long.parseLong(fields[USER]) + Long.parseLong(fields[KERNEL]));
            }
        } catch (IOException | RuntimeException unreadable) {
            // as if there were none
        }
        return new TaskState(thread.getState() == Thread.State.RUNNABLE ? 'R' : 'S', 0);
    }

    /** Whether it neither computes nor waits for a processor. */
    private boolean sleeps() {
        return state == 'S' || state == 'D';
    }

    /** Whether the machine had time for it between then and now, about 100 ms, so that it is itself what takes long. */
    boolean hadItsTurn(TaskState then) {
        return sleeps() && then.sleeps() || ticks - then.ticks > BUSY;
    }
}
