// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jfabric.launch.internal.rendezvous.Meet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks that close their job before others do: as they have nothing more to do, or have failed. */
@Timeout(60)
class LeaversTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** Two leave, one before a fence and one during it; the next is among those who are left. */
    @Test
    void whoeverLeavesBeforeAFenceOfTheOthersIsLostToThem() throws Exception {
        try (Meet meet = new Meet(4)) {
            List<Future<List<String>>> all = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                all.add(meet.one(rank, LONG, job -> {
                    CompletableFuture<LostRank> reported = new CompletableFuture<>();
                    job.onLost(reported::complete);
                    awaitLeave(job, 2);
                    for (int gone = 2; gone < 4; gone++) {
                        JobException failure = catchThrowableOfType(JobException.class, job::barrier);
                        assertThat(failure).hasMessageContaining("fence: rank " + gone + " on ")
                                .hasMessageContaining("it has left the job, but others wait for it");
                        assertThat(failure.lost()).map(LostRank::rank).contains(gone);
                    }
                    assertThat(reported.get(20, TimeUnit.SECONDS).rank()).isEqualTo(2);
                    assertThat(job.lost()).extracting(LostRank::rank).containsExactly(2, 3);
                    return job.exchange(("state " + job.rank()).getBytes()).stream().map(String::new).toList();
                }));
            }
            meet.one(2, LONG, job -> "left");
            meet.one(3, LONG, job -> {
                assertThatThrownBy(job::barrier).isInstanceOf(JobException.class);
                meet.awaitFence(2);
                return "left";
            });
            for (Future<List<String>> each : all) {
                assertThat(Meet.result(each)).containsExactly("state 0", "state 1", "", "");
            }
        }
    }

    /** None of the others waits for it. */
    @Test
    void whoeverLeavesInPeaceIsNotLost() throws Exception {
        try (Meet meet = new Meet(3)) {
            CountDownLatch bothKnow = new CountDownLatch(2);
            List<Future<List<LostRank>>> all = meet.all(LONG, job -> {
                job.barrier();
                if (job.rank() < 2) {
                    awaitLeave(job, 2);
                    bothKnow.countDown();
                    assertThat(bothKnow.await(20, TimeUnit.SECONDS)).as("both know").isTrue();
                }
                return job.lost();
            });
            for (Future<List<LostRank>> each : all) {
                assertThat(Meet.result(each)).isEmpty();
            }
        }
    }

    /** Until the server says so. */
    private static void awaitLeave(Job job, int rank) {
        assertThatThrownBy(() -> job.get(rank, "never")).isInstanceOf(JobException.class)
                .hasMessageContaining("rank " + rank + " on ").hasMessageContaining("has left the job");
    }
}
