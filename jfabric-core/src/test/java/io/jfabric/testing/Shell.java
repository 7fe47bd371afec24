// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Runs scripts of this repository, with none of the variables that they go by. */
public final class Shell {
    private Shell() {
    }

    /**
     * How a script ended.
     *
     * @param status exit status
     * @param output stdout and stderr
     */
    public record Result(int status, String output) {
    }

    /** Runs a command; temporary files are in tmp of that directory. */
    public static Result run(Path directory, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeAll(Set.of("JFABRIC_LIBRARY", "JFABRIC_JAVA_OPTS", "LD_LIBRARY_PATH",
                "JFABRIC_BUILD_LOCKED"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("TMPDIR", Files.createDirectories(directory.resolve("tmp")).toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(Waits.DEADLINE)).as(() -> Docs.text(out)).isTrue();
            return new Result(process.exitValue(), Docs.text(out));
        } finally {
            Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
        }
    }
}
