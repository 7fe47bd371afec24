// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Leftovers;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program in a process of its own, which does not outlive the test. Its output is kept to the byte. */
public final class Program implements AutoCloseable {
    private static final long DEADLINE_SECONDS = Long.getLong("jfabric.testkit.deadlineSeconds", 30);

    private final String name;
    private final Path out;
    private final Path err;
    private final Process process;

    /**
     * How it ended.
     *
     * @param status exit status; above 128 by a signal
     * @param out what it wrote to stdout, a char for each byte
     * @param err what it wrote to stderr, a char for each byte
     */
    public record Result(int status, String out, String err) {
        /** It ended well and complained of nothing. */
        void isGood() {
            assertThat(status).as(toString()).isZero();
            // whoever was killed before may have had the same process id
            assertThat(err.lines().filter(line -> !line.contains("which a killed process had left"))).isEmpty();
        }
    }

    private Program(Map<String, String> environment, List<String> command) {
        name = String.join(" ", command.subList(Math.max(0, command.indexOf("-cp")), command.size()));
        try {
            out = Files.createTempFile("jfabric", ".out");
            err = Files.createTempFile("jfabric", ".err");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(out.toFile()).redirectError(err.toFile());
            // the JVM announces these on stderr
            builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a command of the system's. */
    public static Program command(Map<String, String> environment, List<String> command) {
        return new Program(environment, command);
    }

    /** Starts a main class on the class path of the tests. */
    public static Program java(Map<String, String> environment, Class<?> main, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny", "-XX:+UseSystemMemoryBarrier",
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:ErrorFile=target/hs_err_child_%p.log",
                "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(args));
        return new Program(environment, command);
    }

    /** What an example prints that ends well and complains of nothing. */
    static String output(Class<?> example, String... args) {
        try (Program program = java(Map.of(), example, args)) {
            Result result = program.await();
            result.isGood();
            return result.out();
        }
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Waits for its end. */
    public Result await() {
        try {
            if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(name + " did not end within " + DEADLINE_SECONDS + " s; it printed: "
                        + read(out) + read(err));
            }
            return new Result(process.exitValue(), read(out), read(err));
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for " + name, e);
        }
    }

    /** Waits until it has printed a line that starts so, and returns the rest of that line. */
    public String awaitLine(String start) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (System.nanoTime() < deadline) {
            boolean alive = process.isAlive();
            String text = read(out);
            // without its end, a line may still grow
            for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
                if (line.startsWith(start)) {
                    return line.substring(start.length());
                }
            }
            if (!alive) {
                break;
            }
            pause();
        }
        throw new AssertionError(name + " did not print \"" + start + "\" but: " + read(out) + read(err));
    }

    private static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            if (process.isAlive()) {
                process.destroyForcibly().waitFor();
                Leftovers.ofKilled(process.pid());
            }
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("cannot clean up after " + name, e);
        }
    }
}
