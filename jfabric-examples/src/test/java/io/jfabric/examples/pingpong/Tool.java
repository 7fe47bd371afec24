// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Leftovers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A running fi_pingpong, C's or ours. It never outlives {@link #close()}. */
final class Tool implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(50);

    private final Process process;
    private final Path report;
    private final Path messages;

    private Tool(List<String> command, Path directory) throws IOException {
        report = Files.createTempFile(directory, "report", ".txt");
        messages = Files.createTempFile(directory, "messages", ".txt");
        process = new ProcessBuilder(command).redirectOutput(report.toFile()).redirectError(messages.toFile()).start();
    }

    /** Whose program. */
    enum Language {
        C, JAVA
    }

    static Tool start(Language language, Path directory, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        if (language == Language.C) {
            command.add("fi_pingpong");
        } else {
            command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED", "-XX:+UseSystemMemoryBarrier", "-Xmx128m",
                    "-XX:ErrorFile=target/hs_err_child_%p.log", "-cp", System.getProperty("java.class.path"),
                    PingPong.class.getName()));
        }
        command.addAll(Arrays.asList(options));
        return new Tool(command, directory);
    }

    /** Waits until something listens on a port, without connecting: the first who does is the client. */
    void awaitListening(int port) throws Exception {
        // local address, remote address, state 0A: LISTEN
        String entry = String.format(Locale.ROOT, ":%04X 00000000:0000 0A", port);
        for (long end = System.nanoTime() + DEADLINE.toNanos(); System.nanoTime() < end; Thread.sleep(20)) {
            if (Files.readString(Path.of("/proc/net/tcp")).contains(entry)) {
                return;
            }
            assertThat(process.isAlive()).as("alive; it said: %s", output()).isTrue();
        }
        throw new AssertionError("nothing listens on port " + port + " after " + DEADLINE + "; " + output());
    }

    boolean awaitOutput(String text) throws Exception {
        for (long end = System.nanoTime() + DEADLINE.toNanos(); System.nanoTime() < end; Thread.sleep(20)) {
            if (output().contains(text)) {
                return true;
            }
        }
        return false;
    }

    int exitStatus() throws InterruptedException, IOException {
        assertThat(process.waitFor(DEADLINE.toMillis(), TimeUnit.MILLISECONDS))
                .as("ended within %s; it said: %s", DEADLINE, output()).isTrue();
        return process.exitValue();
    }

    /** Its standard output alone: a log's warnings may stand on the other. */
    String report() throws IOException {
        return Files.readString(report);
    }

    /** All it said: the report, then what it wrote to standard error. */
    String output() throws IOException {
        return report() + Files.readString(messages);
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Kills it if it still runs. */
    @Override
    public void close() {
        kill();
        Leftovers.ofKilled(process.pid());
    }
}
