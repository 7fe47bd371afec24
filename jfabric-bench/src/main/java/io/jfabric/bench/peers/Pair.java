// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Two processes of one peer, of which nothing is left afterwards. */
final class Pair implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int ENDING_SECONDS = 10;

    private final Peer peer;
    private final List<String> java;
    private final long deadlineSeconds;
    private final Path directory = Files.createTempDirectory(MEMORY, "jfabric-bench-peers-");
    private final List<Process> processes = new ArrayList<>();
    private final Thread hook = new Thread(this::end);
    private volatile boolean late;
    private boolean ended;
    private boolean killed;

    /** The second argument is the command that runs a class. */
    Pair(Peer peer, List<String> java, long deadlineSeconds) throws IOException {
        this.peer = peer;
        this.java = java;
        this.deadlineSeconds = deadlineSeconds;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** The client's lines; null if all went well, otherwise what went wrong. */
    String run(int warmupMillis, int measureMillis, List<Integer> sizes, Consumer<String> lines)
            throws IOException, InterruptedException {
        List<String> work = new ArrayList<>(List.of(Integer.toString(warmupMillis), Integer.toString(measureMillis)));
        sizes.forEach(size -> work.add(size.toString()));
        int cpus = Runtime.getRuntime().availableProcessors();
        Thread watchdog = Thread.ofPlatform().daemon().start(this::watch);
        try {
            Process server = start("-", cpus > 1 ? cpus - 2 : -1, work);
            BufferedReader fromServer = server.inputReader();
            String port = fromServer.readLine();
            if (port != null && port.startsWith("port ")) {
                Process client = start("127.0.0.1:" + port.substring("port ".length()), cpus > 1 ? cpus - 1 : -1, work);
                try (BufferedReader fromClient = client.inputReader()) {
                    fromClient.lines().forEach(lines);
                } catch (UncheckedIOException e) {
                    // it was ended; its status says so
                }
            }
            for (Process process : processes) {
                if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
                    return "did not end";
                }
            }
        } finally {
            watchdog.interrupt();
        }
        if (late) {
            return "took longer than " + deadlineSeconds + " s";
        }
        boolean well = processes.size() == 2 && processes.stream().allMatch(process -> process.exitValue() == 0);
        return well ? null : errors();
    }

    private Process start(String server, int cpu, List<String> work) throws IOException {
        List<String> line = new ArrayList<>(java);
        line.addAll(List.of(PeerProcess.class.getName(), peer.name(), server, directory.toString(),
                Integer.toString(cpu)));
        line.addAll(work);
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().putAll(peer.environment);
        // what UCX leaves behind is left in our directory, and the JVM keeps its signals
        builder.environment().put("UCX_POSIX_DIR", directory.toString());
        builder.environment().put("UCX_ERROR_SIGNALS", "");
        builder.redirectError(directory.resolve("errors-" + processes.size()).toFile());
        synchronized (processes) {
            if (killed) {
                throw new IOException("no time left to start " + peer);
            }
            Process process = builder.start();
            processes.add(process);
            return process;
        }
    }

    private void watch() {
        try {
            TimeUnit.SECONDS.sleep(deadlineSeconds);
            late = true;
            killAll();
        } catch (InterruptedException e) {
            // they were in time
        }
    }

    private String errors() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < processes.size(); i++) {
            List<String> errors = Files.readAllLines(directory.resolve("errors-" + i));
            text.append(i == 0 ? "server" : ", client").append(": status ").append(processes.get(i).exitValue());
            errors.stream().filter(line -> !line.startsWith("WARNING")).limit(12).forEach(line ->
                    text.append(System.lineSeparator()).append("    ").append(line));
        }
        return text.toString();
    }

    private void killAll() {
        synchronized (processes) {
            killed = true;
            processes.forEach(Process::destroyForcibly);
        }
    }

    /** By close, or by the hook if the JVM is told to end: once. */
    private synchronized void end() {
        if (ended) {
            return;
        }
        ended = true;
        killAll();
        try {
            for (Process process : processes) {
                process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS);
                // libfabric names a shm endpoint after its process
                try (DirectoryStream<Path> left = Files.newDirectoryStream(MEMORY, process.pid() + ":*")) {
                    for (Path file : left) {
                        Files.deleteIfExists(file);
                    }
                }
            }
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("could not delete all of " + directory + ": " + e);
        }
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // it is running
        }
    }
}
