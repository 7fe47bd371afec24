// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.launch.internal.session.Hosts;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launchers that this machine has; scripts/test-launchers installs more. */
@Timeout(240)
class LaunchersTest {
    @TempDir
    private Path directory;

    private String run(List<String> launcher, List<String> program) throws Exception {
        assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, launcher.getFirst()))),
                launcher.getFirst() + " is not installed");
        List<String> command = new ArrayList<>(launcher);
        command.addAll(program);
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8) + "exit " + process.exitValue();
    }

    /** More than those that ask each other. */
    @Test
    void openMpi() throws Exception {
        assertThat(run(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "9"), LaunchTest.java("talk")))
                .contains("joined 0/9 local 0/9").contains("joined 8/9 local 8/9").contains("by PMIX")
                .containsPattern("(?s)ok.*ok.*exit 0");
    }

    @Test
    void mpich() throws Exception {
        assertThat(run(List.of("mpiexec.hydra", "-n", "2"), LaunchTest.java("talk")))
                .contains("joined 0/2 local 0/2").contains("joined 1/2 local 1/2").contains("by PMI1")
                .containsPattern("(?s)ok.*ok.*exit 0");
    }

    /** It ends the others, and says itself where which one was. */
    @ParameterizedTest
    @ValueSource(strings = {"before", "during", "after"})
    void openMpiEndsAllWhenOneIsKilled(String when) throws Exception {
        assertThat(run(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3"), LaunchTest.java(when)))
                .containsPattern("rank 1 with PID \\d+ on node " + Pattern.quote(Hosts.mine())
                        + " exited on signal 9").doesNotContain("goes on").doesNotContain("exit 0");
    }

    /** Here PMIx tells the others, who decide themselves. */
    @ParameterizedTest
    @ValueSource(strings = {"end", "report"})
    void openMpiThatIsToldToGoOn(String whenLost) throws Exception {
        String said = run(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "--enable-recovery", "-n", "3"),
                LaunchTest.java("during", whenLost, "20"));
        assertThat(said).contains(whenLost.equals("end") ? "the job ends, as it has lost rank 1 on " + Hosts.mine()
                : "lost rank 1 on " + Hosts.mine()).doesNotContain("goes on");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pmi1", "pmi2"})
    void mpichEndsAllWhenOneIsKilled(String way) throws Exception {
        for (String when : List.of("before", "during", "after")) {
            assertThat(run(List.of("mpiexec.hydra", "-genv", "JFABRIC_LAUNCH", way, "-n", "3"), LaunchTest.java(when)))
                    .containsPattern("PID \\d+ RUNNING AT " + Pattern.quote(Hosts.mine()))
                    .doesNotContain("goes on").doesNotContain("exit 0");
        }
    }

    /** Nobody tells the others: their wait ends at the deadline. */
    @ParameterizedTest
    @ValueSource(strings = {"pmi1", "pmi2"})
    void mpichThatIsToldToGoOn(String way) throws Exception {
        assertThat(run(List.of("mpiexec.hydra", "-disable-auto-cleanup", "-genv", "JFABRIC_LAUNCH", way, "-n", "3"),
                LaunchTest.java("during", "report", "10"))).contains("failed: ").doesNotContain("goes on");
    }
}
