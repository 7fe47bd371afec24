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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launchers that this machine has; scripts/test-launchers installs more. */
@Timeout(200)
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
            assertThat(process.waitFor(150, TimeUnit.SECONDS)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output, StandardCharsets.UTF_8) + "exit " + process.exitValue();
    }

    /** More than those that ask each other. */
    @Test
    void openMpi() throws Exception {
        assertThat(run(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "5"),
                LaunchTest.java("talk", "end", "120")))
                .contains("joined 0/5 local 0/5").contains("joined 4/5 local 4/5").contains("by PMIX")
                .containsPattern("(?s)ok.*ok.*exit 0");
    }

    /** What PMIx has allocated goes back to whom it has it from. */
    @Test
    void openMpiWithAnotherAllocator() throws Exception {
        Path jemalloc = Path.of("/usr/lib/" + System.getProperty("os.arch").replace("amd64", "x86_64") + "-linux-gnu",
                "libjemalloc.so.2");
        assumeTrue(Files.exists(jemalloc), "libjemalloc2 is not installed");
        assertThat(run(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-x", "LD_PRELOAD=" + jemalloc, "-n",
                "2"), LaunchTest.java("talk", "end", "120"))).contains("by PMIX").containsPattern("(?s)ok.*ok.*exit 0");
    }

    /** PMIx itself gives a get up when something else is committed meanwhile. */
    @Test
    void openMpiGetsWhatComesSecondAndClosesWhileAnotherThreadIsInAFence() throws Exception {
        assertThat(run(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"),
                LaunchTest.java("get, close inside"))).contains("second 1").contains("fence: the job is closed")
                .containsPattern("(?s)closed\n.*exit 0");
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

    /** One that is alive, but elsewhere. */
    @Test
    @Tag("long")
    void openMpiWhereOneDoesNotCome() throws Exception {
        assertThat(run(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3"),
                LaunchTest.java("absent", "end", "15"))).contains("failed: fence: within 15 s rank 1 on " + Hosts.mine()
                        + " has not come");
    }

    /** PMI does not tell. */
    @Test
    @Tag("long")
    void mpichWhereOneDoesNotCome() throws Exception {
        assertThat(run(List.of("mpiexec.hydra", "-n", "3"), LaunchTest.java("absent", "end", "15")))
                .contains("failed: fence: within 15 s not all of the 3 ranks have come");
    }

    /**
     * Its event for the others fails in the PMIx of Open MPI 4.1. Its fence does not, or lets the others go if it knew
     * of the death before they came: what the dead one has put cannot be got then.
     */
    @Test
    @Tag("long")
    void openMpiThatIsToldToGoOn() throws Exception {
        assertThat(run(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "--enable-recovery", "-n", "3"),
                LaunchTest.java("during", "report", "20"))).containsPattern("failed: (fence: .*rank 1 on "
                        + Pattern.quote(Hosts.mine()) + " has not come|get \"jf:1\" of rank 1 on "
                        + Pattern.quote(Hosts.mine()) + ": )").doesNotContain("goes on");
    }

    /**
     * With PMI-2 the mpiexec of MPICH 4.0 may end by a signal itself; its proxy does with both if another rank, which
     * it has killed as well, has asked it something and does not read the answer.
     */
    @ParameterizedTest
    @ValueSource(strings = {"pmi1", "pmi2"})
    void mpichEndsAllWhenOneIsKilled(String way) throws Exception {
        for (String when : List.of("before", "during", "after")) {
            String said = run(List.of("mpiexec.hydra", "-genv", "JFABRIC_LAUNCH", way, "-n", "3"),
                    LaunchTest.java(when));
            assertThat(said).doesNotContain("goes on").doesNotContain("exit 0");
            if (way.equals("pmi1")) {
                assertThat(said).containsPattern("PID \\d+ RUNNING AT " + Pattern.quote(Hosts.mine())
                        + "|write error \\(Broken pipe\\)");
            }
        }
    }
}
