// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.launch.internal.pmi.PmiServer;
import io.jfabric.testkit.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PMI-1 and PMI-2 against a server that speaks them, over a file descriptor that a process inherits. */
@Timeout(90)
class PmiTest {
    private static ChildJvm start(PmiServer server, String way, int rank, int size, String... args) {
        return start(server, way, Integer.toString(rank), size, args);
    }

    private static ChildJvm start(PmiServer server, String way, String rank, int size, String... args) {
        // the shell opens the socket, as the launcher would
        return ChildJvm.of(Worker.class, args).flags("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .prefix("bash", "-c", "exec 7<>/dev/tcp/127.0.0.1/" + server.port() + "; exec \"$@\"", "bash")
                // whose own digits are not those of the protocol
                .flags("-Duser.language=ar", "-Duser.country=EG")
                .environment("JFABRIC_LAUNCH", way).environment("PMI_FD", "7")
                .environment("PMI_RANK", rank).environment("PMI_SIZE", Integer.toString(size))
                .start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pmi1", "pmi2"})
    void ranksTalk(String way) throws Exception {
        List<ChildJvm> ranks = new ArrayList<>();
        try (PmiServer server = new PmiServer(2)) {
            for (int rank = 0; rank < 2; rank++) {
                ranks.add(start(server, way, rank, 2, "talk"));
            }
            for (int rank = 0; rank < 2; rank++) {
                ChildJvm.Result result = ranks.get(rank).await();
                assertThat(result.output()).contains("joined " + rank + "/2 local " + rank + "/2")
                        .containsIgnoringCase("by " + way).endsWith("ok");
                assertThat(result.exitCode()).isZero();
            }
            assertThat(server.log()).containsExactly("finalize", "finalize");
        } finally {
            ranks.forEach(ChildJvm::close);
        }
    }

    /** The deadline is joining's, too, which took more than a second on a busy machine. */
    @Test
    @Tag("long")
    void missingRankEndsTheWaitAtTheDeadline() throws Exception {
        try (PmiServer server = new PmiServer(2); ChildJvm zero = start(server, "pmi1", 0, 2, "talk", "end", "8")) {
            ChildJvm.Result result = zero.await();
            assertThat(result.output()).contains("fence: within 8 s not all of the 2 ranks have come");
            assertThat(result.exitCode()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"pmi1", "pmi2"})
    void commitEndsAtTheDeadlineOfTheJob(String way) throws Exception {
        try (PmiServer server = new PmiServer(2, true); ChildJvm zero = start(server, way, 0, 2, "talk", "end", "6")) {
            assertThat(zero.await().output()).contains("failed: commit: no answer from the launcher within 6 s");
        }
    }

    /** The launcher has answered each time that it is not there: the dialogue with it goes on. */
    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"pmi1", "pmi2"})
    void valueThatDoesNotComeFailsAlone(String way) throws Exception {
        try (PmiServer server = new PmiServer(2);
                ChildJvm zero = start(server, way, 0, 2, "missing", "end", "8");
                ChildJvm one = start(server, way, 1, 2, "missing", "end", "8")) {
            for (ChildJvm rank : List.of(zero, one)) {
                assertThat(rank.await().output())
                        .contains("get: \"nothing\" of rank 0 is not there within 8 s; PMI passes on")
                        .endsWith("then 1");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "0, 0"})
    void placesThatCannotBeAreRefused(String rank, int size) throws Exception {
        try (PmiServer server = new PmiServer(2); ChildJvm process = start(server, "pmi1", rank, size, "talk")) {
            assertThat(process.await().output()).contains("failed: join: the launcher says that this is rank")
                    .contains("of " + size + " (PMI_RANK, PMI_SIZE)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"4294967295", "-1", "one", ""})
    void ranksThatAreNoNumbersAreRefused(String rank) throws Exception {
        try (PmiServer server = new PmiServer(2); ChildJvm process = start(server, "pmi1", rank, 2, "talk")) {
            assertThat(process.await().output()).contains("PMI_RANK=" + rank + " is not a number from 0 to 2147483647");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"4294967295", "-1", "socket"})
    void descriptorsThatCannotBeAreRefused(String fd) {
        JobOptions options = JobOptions.DEFAULT.withEnvironment(Map.of("PMI_FD", fd, "PMI_RANK", "0", "PMI_SIZE", "2"));
        assertThatThrownBy(() -> Job.join(options)).isInstanceOf(JobException.class)
                .hasMessageContaining("PMI_FD=" + fd + " is not a number from 0 to 2147483647");
    }

    /** Not by an error of some class that could not be initialized. */
    @ParameterizedTest
    @ValueSource(strings = {"pmi1", "pmi2", "pmix"})
    void deniedNativeAccessNamesTheFlag(String way) {
        ChildJvm.Result result = ChildJvm.of(Worker.class, "talk").withoutNativeAccess()
                .flags("--illegal-native-access=deny").environment("JFABRIC_LAUNCH", way).environment("PMI_FD", "7")
                .environment("PMIX_RANK", "0").environment("PMIX_NAMESPACE", "a").run();
        assertThat(result.output()).contains("failed: join: native access is denied to jfabric; start java with "
                + "--enable-native-access=ALL-UNNAMED");
        assertThat(result.exitCode()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pmi1", "pmi2"})
    void closingEndsTheFenceOfAnotherThread(String way) throws Exception {
        try (PmiServer server = PmiServer.withoutFences();
                ChildJvm process = start(server, way, 0, 1, "close inside")) {
            ChildJvm.Result result = process.await();
            assertThat(result.output()).contains("fence: the job is closed").endsWith("closed");
            assertThat(result.exitCode()).isZero();
            assertThat(server.log()).containsExactly("finalize");
        }
    }

    /** With a message whose length PMI-2 could not tell. */
    @Test
    void abortDoesNotWaitForTheFenceOfAnotherThread() throws Exception {
        try (PmiServer server = PmiServer.withoutFences();
                ChildJvm process = start(server, "pmi2", 0, 1, "abort inside")) {
            assertThat(process.await().exitCode()).isEqualTo(42);
            assertThat(server.log()).containsExactly("abort 42");
        }
    }

    /** The dialogue has ended with the fence that failed, but this needs no answer. */
    @Test
    @Tag("long")
    void abortIsToldAfterAFenceThatFailed() throws Exception {
        try (PmiServer server = new PmiServer(2);
                ChildJvm zero = start(server, "pmi1", 0, 2, "abandoned", "end", "8");
                ChildJvm one = start(server, "pmi1", 1, 2, "abandoned", "end", "8")) {
            one.awaitLine(line -> line.startsWith("joined"));
            ChildJvm.Result result = zero.await();
            assertThat(result.output()).contains("rank 0 on ").contains("aborts the job: nobody comes");
            assertThat(result.exitCode()).isEqualTo(42);
            assertThat(server.log()).containsExactly("abort 42");
        }
    }

    /** The process ends as it was asked. */
    @Test
    @Tag("long")
    void abortEndsTheProcessThoughTheLauncherCannotBeTold() throws Exception {
        try (PmiServer server = new PmiServer(1);
                ChildJvm process = start(server, "pmi1", 0, 1, "abort when told")) {
            process.awaitLine(line -> line.startsWith("joined"));
            server.hangUp();
            process.tell("x");
            ChildJvm.Result result = process.await();
            assertThat(result.output()).contains("the others are not told: abort: ")
                    .contains("rank 0 on ").contains("aborts the job: it has had enough");
            assertThat(result.exitCode()).isEqualTo(42);
        }
    }
}
