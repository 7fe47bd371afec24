// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What a job manager does for a real program: starts it several times on this machine, gives each process a number,
 * and lets them tell each other their addresses. The numbers are 0 to {@link #size} - 1.
 */
final class Ranks {
    private static final String RANK = "jfabric.example.rank";
    private static final String SIZE = "jfabric.example.size";
    /** Begins the lines of a process that are for the others, and not for people. */
    private static final String MARK = "@";

    /** This process. */
    final int rank = Integer.getInteger(RANK, -1);
    /** How many there are. */
    final int size = Integer.getInteger(SIZE, 0);
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    /** What one of the processes does. */
    interface Program {
        void run(Ranks ranks) throws Exception;
    }

    private Ranks() {
    }

    /**
     * Runs a program in several processes and waits for all; in each of them, runs it.
     *
     * @param main the class whose main method this was called from
     * @param size how many processes
     * @param program what each of them does
     * @param args of the main method
     */
    static void run(Class<?> main, int size, Program program, String... args) throws Exception {
        Ranks ranks = new Ranks();
        if (ranks.rank >= 0) {
            // nobody is left to talk to when the first process has gone
            ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().thenRun(() -> System.exit(1)));
            program.run(ranks);
            return;
        }
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < size; i++) {
                processes.add(start(main, i, size, args));
            }
            System.exit(serve(processes) ? 0 : 1);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    /**
     * Everybody gives some bytes and gets those of all. Also a barrier: none returns before all have called it.
     *
     * @param mine the bytes of this process
     * @return the bytes of each, by rank
     */
    List<byte[]> exchange(byte[] mine) throws IOException {
        System.out.println(MARK + HexFormat.of().formatHex(mine));
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            all.add(HexFormat.of().parseHex(in.readLine()));
        }
        return all;
    }

    /** Waits until all processes are here. */
    void barrier() throws IOException {
        exchange(new byte[0]);
    }

    private static Process start(Class<?> main, int rank, int size, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // what this JVM was started with
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-D" + RANK + "=" + rank, "-D" + SIZE + "=" + size,
                "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /** Passes on what they say until all have ended well, or one has not. */
    private static boolean serve(List<Process> processes) throws IOException, InterruptedException {
        List<BufferedReader> from = processes.stream().map(Process::inputReader).toList();
        List<PrintStream> to = processes.stream().map(p -> new PrintStream(p.getOutputStream(), true)).toList();
        List<CompletableFuture<Process>> ends = processes.stream().map(Process::onExit).toList();
        // the others would wait forever for one that has failed
        ends.forEach(end -> end.thenAccept(process -> {
            if (process.exitValue() != 0) {
                // by their handles, which leaves what they have said to be read
                processes.forEach(each -> each.toHandle().destroy());
            }
        }));
        for (List<String> said = listen(from); !said.isEmpty(); said = listen(from)) {
            for (PrintStream each : to) {
                said.forEach(each::println);
            }
        }
        boolean well = true;
        for (Process process : processes) {
            well &= process.waitFor() == 0;
        }
        return well;
    }

    /** One line for the others from each; prints all lines before. Empty at the end of their output. */
    private static List<String> listen(List<BufferedReader> from) throws IOException {
        List<String> said = new ArrayList<>();
        for (BufferedReader reader : from) {
            String line = reader.readLine();
            while (line != null && !line.startsWith(MARK)) {
                System.out.println(line);
                line = reader.readLine();
            }
            if (line != null) {
                said.add(line.substring(MARK.length()));
            }
        }
        return said.size() == from.size() ? said : List.of();
    }
}
