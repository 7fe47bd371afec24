// SPDX-License-Identifier: Apache-2.0
package io.jfabric.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Flight Recorder's events, and life without it. */
@Timeout(60)
class RecordingTest {
    @Test
    @Tag("long")
    void whatHappensIsRecorded() {
        assumeTrue(Providers.SHM.isOffered());
        ChildJvm.Result result = ChildJvm.of(RecordingChild.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines().toList())
                .contains("registered 4096", "jfabric.Registration 1", "jfabric.Error 1")
                .anyMatch(line -> line.matches("error: 265 on endpoint@0x.*"))
                .anyMatch(line -> line.matches("counts of domain@0x\\w+ \\(shm .*"))
                .anyMatch(line -> line.matches("jfabric.Busy [1-9][0-9]*"))
                .anyMatch(line -> line.startsWith("slow send of 8 bytes"))
                .contains("jfabric.SlowOperation 1");
        assertThat(result.output().lines().filter(line -> line.startsWith("jfabric.Open ")).findFirst().orElseThrow())
                .as("what was opened was closed").isEqualTo(result.output().lines()
                        .filter(line -> line.startsWith("jfabric.Close ")).findFirst().orElseThrow()
                        .replace("Close", "Open"));
    }

    @Test
    void itWorksWithoutTheModule() {
        assumeTrue(Providers.SHM.isOffered());
        ChildJvm.Result result = ChildJvm.of(RecordingChild.Work.class).flags("--limit-modules",
                "java.base,java.logging").run();
        assertThat(result.output()).contains("done without jdk.jfr");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void nothingIsSetUpWhileNobodyRecords() {
        assumeTrue(Providers.SHM.isOffered());
        ChildJvm.Result result = ChildJvm.of(RecordingChild.Work.class).flags("-Xlog:class+load").run();
        assertThat(result.output()).contains("done with jdk.jfr", "io.jfabric.internal.watch.Recorder ")
                .as("the first of these takes 40 ms").doesNotContain("io.jfabric.internal.watch.OpenEvent ",
                        "io.jfabric.internal.watch.CountsEvent ");
        assertThat(result.exitCode()).isZero();
    }
}
