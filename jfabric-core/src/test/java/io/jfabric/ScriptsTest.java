// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Docs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who asks a script for help gets it, from any directory, and nothing is built, installed or started for it. */
class ScriptsTest {
    /** Those whose program has the help, which may have to be built first. */
    private static final Set<String> HELP_OF_PROGRAMS = Set.of("bench-peers", "doctor", "fi-info", "fi-pingpong",
            "launch", "load", "soak");

    @TempDir
    Path dir;

    static Stream<Path> scripts() throws IOException {
        return Files.list(Docs.ROOT.resolve("scripts")).filter(Files::isRegularFile)
                .filter(file -> !HELP_OF_PROGRAMS.contains(file.getFileName().toString())).sorted();
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void helps(Path script) throws Exception {
        Path out = dir.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(script.toString(), "-h").directory(dir.toFile())
                .redirectOutput(out.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).as(() -> Docs.text(out)).isTrue();
            assertThat(process.exitValue()).as(() -> Docs.text(out)).isZero();
            assertThat(Docs.text(out)).contains("Usage: ").doesNotContain("shellcheck", "Building", "Installing");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
