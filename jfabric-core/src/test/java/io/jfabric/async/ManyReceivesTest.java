// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs may have posted as many receives as their node takes: its own messages have places besides. */
@Timeout(60)
class ManyReceivesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void theNodesOwnMessagesHavePlaces(int limit) throws Exception {
        try (Nodes nodes = Nodes.open(Providers.SHM, hints -> { }, NodeOptions.DEFAULT
                .withTransmitLimit(64).withReceiveLimit(limit).withPeerLimit(64))) {
            List<CompletableFuture<Received>> receives = new ArrayList<>();
            for (Node node : List.of(nodes.a, nodes.b)) {
                for (int i = 0; i < limit + 5; i++) {
                    receives.add(node.receive(node.allocate(8), 7));
                }
                assertThat(node.waiting()).isEqualTo(5);
            }
            try (KeepAlive watcher = KeepAlive.open(nodes.a, Duration.ofSeconds(2), 20);
                    KeepAlive watched = KeepAlive.open(nodes.b, Duration.ofSeconds(2), 20);
                    Service _ = Service.open(nodes.b, 1, call -> call.answer(call.bytes()));
                    Caller caller = Caller.open(nodes.toB, 1)) {
                CompletableFuture<Void> ended = watcher.watch(nodes.toB);
                for (int size : new int[] {1, 1 << 20}) {
                    assertThat(caller.call(new byte[size], Duration.ofSeconds(10)).get(20, TimeUnit.SECONDS))
                            .hasSize(size);
                }
                long end = System.nanoTime() + 10_000_000_000L;
                while (watcher.sinceLastAnswer(nodes.toB).isEmpty() && System.nanoTime() < end) {
                    Thread.sleep(1);
                }
                assertThat(watcher.sinceLastAnswer(nodes.toB).orElseThrow()).isLessThan(Duration.ofSeconds(2))
                        .isGreaterThanOrEqualTo(Duration.ZERO);
                assertThat(ended).isNotDone();
                assertThat(watched.toString()).doesNotContain("closed");
            }
            assertThat(receives).noneMatch(CompletableFuture::isDone);
        }
    }
}
