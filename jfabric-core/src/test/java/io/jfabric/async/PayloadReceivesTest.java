// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The receives of long answers that wait do not keep the node's other messages from being read. */
@Timeout(90)
@Tag("long")
class PayloadReceivesTest {
    private static final int LIMIT = 16;
    private static final int CALLS = 200;
    private static final int LONG = 64 << 10;
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int LETTERS = 50;
    /** Time enough to miss letters. */
    private static final long SECONDS = 4;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void longAnswersAreAwaitedBesideOtherMessages(Providers.Choice choice) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        NodeOptions options = NodeOptions.DEFAULT.withTransmitLimit(LIMIT).withReceiveLimit(LIMIT).withPeerLimit(LIMIT);
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints, options);
                Node b = Node.open(hints);
                Service _ = Service.open(b, 5, call -> {
                    if (call.request().byteSize() > 1) {
                        go.await();
                    }
                    call.answer(new byte[LONG]);
                });
                Service _ = Service.open(b, 6, call -> call.answer(call.request()));
                KeepAlive watcher = KeepAlive.open(b, INTERVAL, LETTERS)) {
            // closes with its node
            KeepAlive.open(a, INTERVAL, LETTERS);
            CompletableFuture<Void> ended = watcher.watch(b.peer(a.address()));
            Peer peer = a.peer(b.address());
            try (Caller patient = Caller.open(peer, 5, CallerOptions.DEFAULT.withWindow(2 * CALLS));
                    Caller hasty = Caller.open(peer, 6)) {
                hasty.call(new byte[1], DEADLINE).get(20, TimeUnit.SECONDS);
                // from now on they are received before they are asked for
                patient.call(a.allocate(1), a.allocate(LONG), DEADLINE).get(20, TimeUnit.SECONDS);
                List<CompletableFuture<MemorySegment>> calls = new ArrayList<>();
                for (int i = 0; i < CALLS; i++) {
                    calls.add(patient.call(a.allocate(2), a.allocate(LONG), DEADLINE));
                }
                for (int i = 0; i < LETTERS; i++) {
                    assertThat(hasty.call(new byte[1], DEADLINE).get(20, TimeUnit.SECONDS)).hasSize(1);
                }
                assertThatThrownBy(() -> ended.get(SECONDS, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
                assertThat(calls).noneMatch(CompletableFuture::isDone);
                go.countDown();
                for (CompletableFuture<MemorySegment> call : calls) {
                    assertThat(call.get(40, TimeUnit.SECONDS).byteSize()).isEqualTo(LONG);
                }
            } finally {
                go.countDown();
            }
        }
    }
}
