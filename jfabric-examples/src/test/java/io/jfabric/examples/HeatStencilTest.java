// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.examples.Program.Result;
import io.jfabric.launch.Launcher;
import io.jfabric.testkit.Leftovers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All ranks, or those that are left, compute the same as one process alone. */
class HeatStencilTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void libfabricIsAvailable() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
    }

    private Program job(int ranks, String... args) {
        List<String> command = new ArrayList<>(List.of("--keep-going", "-n", Integer.toString(ranks),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx64m",
                "-cp", System.getProperty("java.class.path"), HeatStencil.class.getName()));
        command.addAll(List.of(args));
        command.add(directory.toString());
        return Program.java(Map.of(), Launcher.class, command.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void allRanks(String provider) {
        try (Program job = job(2, provider, "61", "70")) {
            Result result = job.await();
            assertThat(result.status()).as(result.toString()).isZero();
            assertThat(result.out()).contains("[0] step 50: the largest change is ", "[0] step 70: ",
                    "[0] ok: the same bits, 2 ranks at the end");
            assertThat(directory).isEmptyDirectory();
        }
    }

    @ParameterizedTest
    @CsvSource({"shm, 1", "tcp, 0"})
    void thoseThatAreLeft(String provider, int victim) {
        try (Program job = job(3, provider, "61", "3000")) {
            long pid = Long.parseLong(job.awaitLine("[" + victim + "] rank " + victim + " is process "));
            job.awaitLine("[0] step 50: ");
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            Leftovers.ofKilled(pid);
            Result result = job.await();
            assertThat(result.out()).as(result.toString())
                    .containsPattern("\\[" + (victim == 0 ? "1\\] ranks \\[1, 2" : "0\\] ranks \\[0, 2")
                            + "\\] go on from step [1-9]\\d*\n").contains("ok: the same bits, 2 ranks at the end");
            assertThat(result.status()).as(result.toString()).isEqualTo(137);
        }
    }

    /** One after the other, with rows that are long messages; the last one ends alone. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    @Tag("long")
    void theLastOfFour(String provider) {
        try (Program job = job(4, provider, "600", "600")) {
            List<Long> ranks = Stream.of(0, 1, 2, 3).map(rank -> Long.parseLong(
                    job.awaitLine("[" + rank + "] rank " + rank + " is process "))).toList();
            job.awaitLine("[0] step 50: ");
            for (int victim = 0; victim < 3; victim++) {
                ProcessHandle.of(ranks.get(victim)).orElseThrow().destroyForcibly();
                Leftovers.ofKilled(ranks.get(victim));
                job.awaitLine("[" + (victim + 1) + "] ranks [" + (victim + 1));
            }
            assertThat(job.await().out()).contains("[3] ok: the same bits, 1 ranks at the end");
        }
    }
}
