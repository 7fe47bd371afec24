// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.launch.internal.rendezvous.Meet;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What has failed for one rank fails for all: the values of two exchanges never meet. */
@Timeout(60)
class FailedCollectivesTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void exchangeThatHasLostARankFailsForThoseWhoComeLater() throws Exception {
        try (Meet meet = new Meet(3)) {
            CountDownLatch failed = new CountDownLatch(1);
            Future<List<byte[]>> first = meet.one(0, LONG, job -> {
                assertThatThrownBy(() -> job.exchange("address 0".getBytes())).isInstanceOf(JobException.class)
                        .hasMessageContaining("rank 2 on");
                failed.countDown();
                return job.exchange("state 0".getBytes());
            });
            Future<List<byte[]>> second = meet.one(1, LONG, job -> {
                assertThat(failed.await(30, TimeUnit.SECONDS)).as("rank 0 has failed").isTrue();
                assertThatThrownBy(() -> job.exchange("address 1".getBytes())).isInstanceOf(JobException.class)
                        .hasMessageContaining("rank 2 on")
                        .satisfies(e -> assertThat(((JobException) e).lost().orElseThrow().rank()).isEqualTo(2));
                return job.exchange("state 1".getBytes());
            });
            Closeable lost = meet.silent(2);
            meet.awaitFence(1);
            lost.close();
            for (Future<List<byte[]>> each : List.of(first, second)) {
                assertThat(Meet.result(each)).extracting(String::new).containsExactly("state 0", "state 1", "");
            }
        }
    }

    @Test
    void exchangeThatWasInterruptedFailsForAll() throws Exception {
        try (Meet meet = new Meet(3)) {
            CountDownLatch failed = new CountDownLatch(1);
            List<Future<List<byte[]>>> all = meet.all(LONG, job -> {
                if (job.rank() == 1) {
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(() -> job.exchange("address 1".getBytes())).hasMessage("exchange: interrupted");
                    assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
                    failed.countDown();
                } else {
                    assertThat(failed.await(30, TimeUnit.SECONDS)).as("rank 1 has failed").isTrue();
                    assertThatThrownBy(() -> job.exchange(("address " + job.rank()).getBytes()))
                            .isInstanceOf(JobException.class).hasMessageContaining("exchange: rank 1 on")
                            .hasMessageContaining("waits no longer");
                }
                return job.exchange(("state " + job.rank()).getBytes());
            });
            for (Future<List<byte[]>> each : all) {
                assertThat(Meet.result(each)).extracting(String::new).containsExactly("state 0", "state 1", "state 2");
            }
        }
    }

    /** Whenever the interrupt comes, an exchange fails for all or has the same result for all. */
    @Test
    void interruptsAndAnswersRace() throws Exception {
        int rounds = 300;
        try (Meet meet = new Meet(3)) {
            List<Future<List<String>>> all = meet.all(LONG, job -> {
                List<String> outcomes = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    Thread interrupter = job.rank() == 1 ? interruptSoon(Thread.currentThread()) : null;
                    try {
                        outcomes.add(job.exchange(("value " + round).getBytes()).stream().map(String::new).toList()
                                .toString());
                    } catch (JobException e) {
                        outcomes.add("failed");
                    }
                    if (interrupter != null) {
                        while (interrupter.isAlive()) {
                            Thread.onSpinWait();
                        }
                        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
                    }
                }
                return outcomes;
            });
            List<String> first = Meet.result(all.getFirst());
            assertThat(first).contains("failed").hasSize(rounds);
            for (Future<List<String>> each : all) {
                assertThat(Meet.result(each)).isEqualTo(first);
            }
        }
    }

    private static Thread interruptSoon(Thread who) {
        long nanos = ThreadLocalRandom.current().nextLong(500_000);
        return Thread.ofPlatform().daemon().start(() -> {
            LockSupport.parkNanos(nanos);
            who.interrupt();
        });
    }

    @Test
    void getThatWasInterruptedIsGivenUp() throws Exception {
        try (Meet meet = new Meet(2)) {
            Future<String> one = meet.one(0, LONG, job -> {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> job.get(1, "never")).isInstanceOf(JobException.class)
                        .hasMessage("get: interrupted");
                assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
                job.fence();
                return "done";
            });
            Future<String> other = meet.one(1, LONG, job -> {
                job.fence();
                return "done";
            });
            assertThat(Meet.result(one)).isEqualTo(Meet.result(other));
        }
    }

    /** Which is not allowed, but must not put the rank out of step. */
    @Test
    void fenceDuringWhichTheRankCallsAnExchangeFailsForAll() throws Exception {
        try (Meet meet = new Meet(2)) {
            String text = "has called exchange before this had ended";
            CountDownLatch failed = new CountDownLatch(1);
            Future<List<byte[]>> first = meet.one(0, LONG, job -> {
                assertThat(failed.await(30, TimeUnit.SECONDS)).as("the fence of rank 1 has failed").isTrue();
                assertThatThrownBy(job::fence).hasMessageContaining("fence: rank 1 on").hasMessageContaining(text);
                return job.exchange("state 0".getBytes());
            });
            Future<List<byte[]>> second = meet.one(1, LONG, job -> {
                Thread other = Thread.ofPlatform().daemon().start(() -> {
                    assertThatThrownBy(job::fence).hasMessageContaining("fence: rank 1 on").hasMessageContaining(text);
                    failed.countDown();
                });
                meet.awaitFence(1);
                List<byte[]> values = job.exchange("state 1".getBytes());
                other.join(LONG);
                return values;
            });
            for (Future<List<byte[]>> each : List.of(first, second)) {
                assertThat(Meet.result(each)).extracting(String::new).containsExactly("state 0", "state 1");
            }
        }
    }

    @Test
    void fenceThatWasTooLateForOneRankFailsForTheOthers() throws Exception {
        try (Meet meet = new Meet(2)) {
            CountDownLatch failed = new CountDownLatch(1);
            Future<List<byte[]>> first = meet.one(0, Duration.ofSeconds(4), job -> {
                assertThatThrownBy(job::fence).hasMessageContaining("not there within 4 s: rank 1 on");
                failed.countDown();
                return job.exchange("state 0".getBytes());
            });
            Future<List<byte[]>> second = meet.one(1, Duration.ofSeconds(20), job -> {
                assertThat(failed.await(30, TimeUnit.SECONDS)).as("rank 0 has failed").isTrue();
                assertThatThrownBy(job::fence).hasMessageContaining("not there within 4 s: rank 1 on");
                return job.exchange("state 1".getBytes());
            });
            for (Future<List<byte[]>> each : List.of(first, second)) {
                assertThat(Meet.result(each)).extracting(String::new).containsExactly("state 0", "state 1");
            }
        }
    }
}
