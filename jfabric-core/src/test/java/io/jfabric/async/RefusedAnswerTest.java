// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The node has no place for one more receive when a call is to be answered. */
@Timeout(60)
class RefusedAnswerTest {
    private static final int LONG = 4_000_000;
    private static final int CALLS = 16;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void itIsNotCalledLate(Providers.Choice choice) throws Exception {
        Queue<Call> kept = new ConcurrentLinkedQueue<>();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints, NodeOptions.DEFAULT.withTransmitLimit(CALLS).withReceiveLimit(1)
                        .withPeerLimit(CALLS).withBacklog(0));
                Node b = Node.open(hints);
                Service _ = Service.open(b, 5, call -> {
                    if (call.request().byteSize() == 0) {
                        kept.add(call);
                    } else {
                        call.answer(new byte[call.request().byteSize() == 1 ? 1 : LONG]);
                    }
                });
                Caller caller = Caller.open(a.peer(b.address()), 5)) {
            assertThat(call(caller, a, 2)).isEqualTo(LONG);
            List<CompletableFuture<MemorySegment>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(caller.call(a.allocate(0), a.allocate(LONG), DEADLINE));
            }
            Waits.until("all have come", () -> kept.size() == CALLS);
            MemorySegment answer = b.allocate(LONG);
            kept.forEach(call -> call.answer(answer));
            Waits.until("all are over", () -> calls.stream().allMatch(CompletableFuture::isDone));
            // one at a time is received
            assertThat(calls).anyMatch(CompletableFuture::isCompletedExceptionally);
            for (CompletableFuture<MemorySegment> call : calls) {
                if (call.isCompletedExceptionally()) {
                    assertThat(call.exceptionNow()).hasMessageContaining("no room for the answer")
                            .hasMessageContaining("FI_ENOMEM").hasMessageContaining("the backlog is full");
                } else {
                    assertThat(call.resultNow().byteSize()).isEqualTo(LONG);
                }
            }
            assertThat(call(caller, a, 1)).as("a short answer needs none").isOne();
            assertThat(call(caller, a, 2)).as("nothing is received that does not come").isEqualTo(LONG);
        }
    }

    private static long call(Caller caller, Node node, int size) throws Exception {
        MemorySegment room = node.allocate(LONG);
        return caller.call(node.allocate(size), room, DEADLINE).get(20, TimeUnit.SECONDS).byteSize();
    }
}
