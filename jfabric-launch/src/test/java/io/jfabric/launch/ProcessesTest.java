// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jfabric.launch.internal.rendezvous.Meet;
import io.jfabric.launch.internal.rendezvous.Target;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.FreePort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks that are processes, and are killed. */
@Timeout(120)
class ProcessesTest {
    private final List<ChildJvm> ranks = new ArrayList<>();

    @AfterEach
    void close() {
        ranks.forEach(ChildJvm::close);
    }

    private void start(Meet meet, int size, int from, int to, String... args) {
        for (int rank = from; rank < to; rank++) {
            ChildJvm.Builder builder = ChildJvm.of(Worker.class, args).flags("-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC");
            meet.environment(rank, Meet.SECRET, size).forEach(builder::environment);
            ranks.add(builder.start());
        }
    }

    @Test
    void killedBeforeAllHaveJoined() throws Exception {
        try (Meet meet = new Meet(3)) {
            start(meet, 3, 1, 3, "talk", "end");
            meet.awaitMembers(2);
            ranks.get(1).kill();
            ChildJvm.Result one = ranks.get(0).await();
            assertThat(one.exitCode()).isEqualTo(3);
            assertThat(one.output()).contains("failed: join: rank 2 on ").contains("without leaving the job (pid "
                    + ranks.get(1).pid() + ")");
            // the one that was still to come, too
            start(meet, 3, 0, 1, "talk", "end");
            assertThat(ranks.get(2).await().output()).contains("comes too late: rank 2 on ");
        }
    }

    @Test
    void killedDuringAnExchangeOthersEnd() throws Exception {
        try (Meet meet = new Meet(3)) {
            start(meet, 3, 0, 2, "barrier", "end");
            start(meet, 3, 2, 3, "wait", "end");
            ranks.get(0).awaitLine("at 0"::equals);
            ranks.get(1).awaitLine("at 0"::equals);
            ranks.get(2).awaitLine(line -> line.startsWith("joined"));
            ranks.get(2).kill();
            for (ChildJvm other : ranks.subList(0, 2)) {
                ChildJvm.Result result = other.await();
                assertThat(result.output()).contains("the job ends, as it has lost rank 2 on ");
                assertThat(result.exitCode()).isEqualTo(Job.EXIT_LOST);
            }
        }
    }

    @Test
    void killedAfterwardsOthersGoOn() throws Exception {
        try (Meet meet = new Meet(3)) {
            start(meet, 3, 0, 2, "barrier", "report");
            start(meet, 3, 2, 3, "wait", "report");
            ranks.get(0).awaitLine("at 0"::equals);
            ranks.get(1).awaitLine("at 0"::equals);
            ranks.get(2).awaitLine(line -> line.startsWith("joined"));
            ranks.get(2).kill();
            for (ChildJvm other : ranks.subList(0, 2)) {
                ChildJvm.Result result = other.await();
                assertThat(result.output()).contains("lost rank 2 on ").contains("ended without leaving the job")
                        .endsWith("ok");
                assertThat(result.exitCode()).isZero();
            }
        }
    }

    @Test
    void stoppedRankIsLostAfterSilence() throws Exception {
        try (Meet meet = new Meet(2)) {
            JobOptions options = meet.options(0, Duration.ofSeconds(30), Meet.SECRET)
                    .withLiveness(Duration.ofSeconds(2));
            start(meet, 2, 1, 2, "silent", "report");
            try (Job job = Job.join(options)) {
                ranks.get(0).awaitLine(line -> line.startsWith("joined"));
                ranks.get(0).stop();
                JobException failure = catchThrowableOfType(JobException.class,
                        job::barrier);
                assertThat(failure).hasMessageContaining("rank 1 on").hasMessageContaining("silent for 2 s");
                assertThat(failure.lost().orElseThrow().rank()).isEqualTo(1);
            }
        }
    }

    /** For longer than the liveness: who pings must not need the threads of who computes. */
    @Test
    void rank0ServesWhileItComputesInVirtualThreads() throws Exception {
        int port = FreePort.choose();
        for (int rank = 0; rank < 2; rank++) {
            ranks.add(ChildJvm.of(Worker.class, "busy").flags("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                    "-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1")
                    .environment(Target.RENDEZVOUS, "127.0.0.1:" + port).environment(Target.SIZE, "2")
                    .environment(Target.RANK, Integer.toString(rank)).environment(Target.SECRET, Meet.SECRET).start());
        }
        for (ChildJvm rank : ranks) {
            ChildJvm.Result result = rank.await();
            assertThat(result.output()).endsWith("ok");
            assertThat(result.exitCode()).isZero();
        }
    }

    @Test
    void abortEndsAllWithItsCode() throws Exception {
        try (Meet meet = new Meet(2)) {
            start(meet, 2, 0, 2, "abort", "report");
            ChildJvm.Result zero = ranks.get(0).await();
            assertThat(zero.output()).contains("rank 1 on ").contains("has aborted the job: it has had enough");
            assertThat(zero.exitCode()).isEqualTo(42);
            assertThat(ranks.get(1).await().exitCode()).isEqualTo(42);
        }
    }

    /** A hook gets seven seconds if the job ends the process, and else waits for its deadline. */
    private ChildJvm.Result closedByAHook(Meet meet, String whenLost, String scenario, Consumer<ChildJvm> event) {
        start(meet, meet.size(), 0, 1, "hook", whenLost, "20");
        start(meet, meet.size(), 1, 2, scenario, "report");
        ranks.get(0).awaitLine("hooked"::equals);
        ranks.get(1).awaitLine(line -> line.startsWith("joined"));
        long begin = System.nanoTime();
        event.accept(ranks.get(1));
        ChildJvm.Result result = ranks.get(0).await();
        assertThat(result.output()).contains("closed by the hook");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(6));
        return result;
    }

    @Test
    void aHookThatClosesTheJobLeavesItBeforeTheEndAfterALoss() throws Exception {
        try (Meet meet = new Meet(3)) {
            Future<List<LostRank>> other = meet.one(2, Duration.ofSeconds(30), job -> {
                JobException failure;
                do {
                    failure = catchThrowableOfType(JobException.class, job::barrier);
                } while (!failure.getMessage().contains("rank 0 on "));
                assertThat(failure).hasMessageContaining("left the job");
                return job.lost();
            });
            assertThat(closedByAHook(meet, "end", "wait", ChildJvm::kill).exitCode()).isEqualTo(Job.EXIT_LOST);
            assertThat(Meet.result(other)).extracting(LostRank::rank).containsExactly(1, 0);
        }
    }

    @Test
    void aHookThatClosesTheJobDoesNotDelayAnAbort() throws Exception {
        try (Meet meet = new Meet(2)) {
            assertThat(closedByAHook(meet, "end", "abort when told", rank -> rank.tell("x")).exitCode()).isEqualTo(42);
        }
    }

    @Test
    void aHookThatClosesTheJobDoesNotDelayAHandlerThatEndsTheProcess() throws Exception {
        try (Meet meet = new Meet(2)) {
            assertThat(closedByAHook(meet, "report", "wait", ChildJvm::kill).exitCode()).isEqualTo(9);
        }
    }
}
