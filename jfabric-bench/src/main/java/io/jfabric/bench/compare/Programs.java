// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Starts the programs of one language and reads their results. */
final class Programs {
    private static final long DEADLINE_SECONDS = 120;

    private final List<String> command;
    private final int cpus = Runtime.getRuntime().availableProcessors();

    Programs(List<String> command) {
        this.command = command;
    }

    /** One process, on the last CPU. */
    void runAlone(String kind, List<String> provider, List<String> specs, Consumer<String> lines)
            throws IOException, InterruptedException {
        // threads of their own are not pinned
        int cpu = kind.equals("scale") ? -1 : cpus - 1;
        read(start(kind, cpu, provider, List.of(), specs), lines);
    }

    /** A server on the last but one CPU, a client on the last. */
    void runPair(List<String> provider, List<String> specs, Consumer<String> lines)
            throws IOException, InterruptedException {
        Process server = start("server", cpus > 1 ? cpus - 2 : -1, provider, List.of(), specs);
        try {
            String port = server.inputReader().readLine();
            if (port == null || !port.startsWith("port ")) {
                throw new IOException("the server did not start: " + port);
            }
            List<String> peer = List.of("-P", "127.0.0.1:" + port.substring("port ".length()));
            read(start("client", cpus > 1 ? cpus - 1 : -1, provider, peer, specs), lines);
            server.waitFor(5, TimeUnit.SECONDS);
        } finally {
            server.destroyForcibly();
        }
    }

    private Process start(String kind, int cpu, List<String> provider, List<String> more, List<String> specs)
            throws IOException {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of(kind, "-C", Integer.toString(cpu)));
        line.addAll(provider);
        line.addAll(more);
        line.addAll(specs);
        return new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static void read(Process process, Consumer<String> lines) throws IOException, InterruptedException {
        Thread watchdog = Thread.ofPlatform().daemon().start(() -> {
            try {
                if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                // the process has ended
            }
        });
        try (BufferedReader out = process.inputReader()) {
            out.lines().forEach(lines);
        } finally {
            int status = process.waitFor();
            watchdog.interrupt();
            if (status != 0) {
                System.err.println("  ended with status " + status + ": "
                        + Arrays.toString(process.info().arguments().orElse(new String[0])));
            }
        }
    }
}
