// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.FabricInfoList;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers that were read and are behind a callback, while another thread finds the queue empty. */
@Timeout(60)
class KeepAliveAnswersTest {
    private static final int INTERVAL = 1000;

    static Stream<Providers.Choice> inProcess() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("inProcess")
    @Tag("long")
    void areHeardBeforeAPeerIsSilent(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> { }); Node node = Node.open(infos.first());
                Node other = Node.open(infos.first());
                KeepAlive _ = KeepAlive.open(other, Duration.ofSeconds(10), 1)) {
            CountDownLatch keptFirst = new CountDownLatch(1);
            CountDownLatch keptThen = new CountDownLatch(1);
            CountDownLatch isKept = new CountDownLatch(1);
            Peer peer = node.peer(other.address());
            Peer back = other.peer(node.address());
            MemorySegment message = other.allocate(8);
            node.receive(node.allocate(8), 1).thenRun(() -> Threads.await(keptFirst));
            node.receive(node.allocate(8), 2).thenRun(() -> {
                isKept.countDown();
                Threads.await(keptThen);
            });
            try (KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(INTERVAL), 4)) {
                CompletableFuture<Void> ended = alive.watch(peer);
                Thread.sleep(INTERVAL * 17 / 10);
                // both behind each other, and the answers of most of an interval behind both
                other.send(message, back, 1).get(10, TimeUnit.SECONDS);
                Thread.sleep(2);
                other.send(message, back, 2).get(10, TimeUnit.SECONDS);
                Thread.sleep(INTERVAL * 9 / 10);
                keptFirst.countDown();
                isKept.await();
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * INTERVAL);
                while (System.nanoTime() - end < 0) {
                    node.progress();
                    Thread.sleep(5);
                }
                assertThat(ended).isNotDone();
            } finally {
                keptFirst.countDown();
                keptThen.countDown();
            }
        }
    }
}
