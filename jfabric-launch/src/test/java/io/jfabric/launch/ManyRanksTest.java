// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.launch.internal.rendezvous.Meet;
import io.jfabric.launch.internal.rendezvous.ServerProcess;
import io.jfabric.launch.internal.rendezvous.SlowReaders;
import io.jfabric.testkit.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What many ranks cost the server, which has a process and little memory of its own. The ranks are threads here. */
@Timeout(200)
class ManyRanksTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int ADDRESS = 50;
    private static final int FENCES = 10;

    /** How long each step took at the slowest rank. */
    private static void job(int size) throws Exception {
        try (ChildJvm server = ChildJvm.of(ServerProcess.class, Integer.toString(size)).flags("-Xmx48m").start()) {
            String line = server.awaitLine(said -> said.startsWith("port "));
            long start = System.nanoTime();
            try (Meet meet = new Meet(size, Integer.parseInt(line.substring(5)))) {
                List<Future<long[]>> all = meet.all(LONG, job -> {
                    long joined = System.nanoTime();
                    List<byte[]> values = job.exchange(new byte[ADDRESS]);
                    long exchanged = System.nanoTime();
                    for (int i = 0; i < FENCES; i++) {
                        job.fence();
                    }
                    assertThat(values).hasSize(size).allMatch(value -> value.length == ADDRESS);
                    return new long[] {joined - start, exchanged - start, System.nanoTime() - start};
                });
                long[] latest = new long[3];
                for (Future<long[]> each : all) {
                    long[] times = Meet.result(each);
                    IntStream.range(0, 3).forEach(i -> latest[i] = Math.max(latest[i], times[i] / 1_000_000));
                }
                ChildJvm.Result result = server.await();
                System.out.printf("%d ranks: joined %d ms, exchange %d ms, %d fences %d ms; server: %s%n",
                        size, latest[0], latest[1] - latest[0], FENCES, latest[2] - latest[1],
                        result.output().lines().reduce("", (first, last) -> last));
                assertThat(result.exitCode()).as(result.output()).isZero();
            }
        }
    }

    /** For growth: -Djfabric.test.ranks=100,200,500,1000. */
    @Test
    void manyRanksJoin() throws Exception {
        for (String size : System.getProperty("jfabric.test.ranks", "100").split(",")) {
            job(Integer.parseInt(size));
        }
    }

    /** 16 MB for each of 1,000 ranks, which wait until they read: kept once, as the server has 96 MB. */
    @Test
    void whatAllGetIsKeptOnce() {
        ChildJvm.Result result = ChildJvm.of(SlowReaders.class, "1000").flags("-Xmx96m").run();
        assertThat(result.output()).endsWith("kept for 1000");
        assertThat(result.exitCode()).isZero();
    }
}
