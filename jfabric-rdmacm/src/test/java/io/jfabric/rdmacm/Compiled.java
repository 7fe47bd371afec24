// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** C programs and libraries of src/test/c, compiled against the headers of this machine, and commands. */
final class Compiled {
    private static final Path DIRECTORY = Path.of("target/c").toAbsolutePath();
    private static final long SECONDS = 60;

    private Compiled() {
    }

    /** The program of {@code name.c}, linked with librdmacm. */
    static synchronized Path program(String name) {
        return compile(name, name, "-lrdmacm");
    }

    /** The shared library of {@code name.c}. */
    static synchronized Path library(String name) {
        return compile(name, name + ".so", "-shared", "-fPIC");
    }

    private static Path compile(String source, String target, String... options) {
        Path result = DIRECTORY.resolve(target);
        try {
            Files.createDirectories(DIRECTORY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = new ArrayList<>(List.of("gcc", "-Wall", "-Wextra", "-Werror", "-O1", "-o",
                result.toString(), "src/test/c/" + source + ".c"));
        command.addAll(List.of(options));
        assertThat(run(Map.of(), command)).as("the compiler's messages").isEmpty();
        return result;
    }

    /** What the command prints; fails if it does not end well. */
    static String run(Map<String, String> environment, List<String> command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Path output = Files.createTempFile("jfabric", ".out");
            try {
                Process process = builder.redirectOutput(output.toFile()).start();
                boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
                process.destroyForcibly().waitFor();
                String text = Files.readString(output);
                assertThat(ended).as("%s ended within %s s: %s", command, SECONDS, text).isTrue();
                assertThat(process.exitValue()).as("%s: %s", command, text).isZero();
                return text;
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
