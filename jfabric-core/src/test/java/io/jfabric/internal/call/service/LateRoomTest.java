// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Call;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.clock.Clock;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A caller's process stands still while a long answer waits for room there. */
@Timeout(60)
class LateRoomTest {
    private static final int SIZE = 100_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** Whatever it is called with: the answer may be received in the program's memory, or in a block. */
    @ParameterizedTest
    @MethodSource("providers")
    void theCallSaysSo(Providers.Choice choice) throws Exception {
        for (boolean inPlace : new boolean[] {false, true}) {
            CompletableFuture<Call> asked = new CompletableFuture<>();
            try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                    Node a = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                    Node b = Node.open(hints);
                    Service service = Service.open(b, 5, asked::complete);
                    Caller caller = Caller.open(a.peer(b.address()), 5)) {
                Duration deadline = Duration.ofSeconds(150);
                CompletableFuture<?> call = inPlace ? caller.call(a.allocate(1), a.allocate(SIZE), deadline)
                        : caller.call(new byte[1], deadline);
                drive(a, asked);
                CompletableFuture<Void> sent = asked.join().answer(b.allocate(SIZE));
                LongAnswers answers = ((ServiceImpl) service).link.longAnswers;
                answers.endLate(Clock.now() + TimeUnit.SECONDS.toNanos(100));
                assertThat(service.underWay()).as("the call has time").isOne();
                answers.endLate(Clock.now() + TimeUnit.SECONDS.toNanos(151));
                Waits.until("it is given up", sent::isDone);
                drive(a, call);
                assertThat(call.exceptionNow()).hasMessageContaining("FI_ECONNRESET")
                        .hasMessageContainingAll("this process did not take it within 1", " s: was it stopped")
                        .hasMessageNotContaining("freed too early");
                assertThat(sent.exceptionNow()).hasMessageContainingAll("FI_ETIMEDOUT", "did not make room for it");
            }
        }
    }

    private static void drive(Node node, CompletableFuture<?> until) {
        Waits.spin("it is done", () -> {
            node.progress();
            return until.isDone();
        });
    }

    @Test
    void noCallerHasAPlaceForLong() {
        long second = TimeUnit.SECONDS.toNanos(1);
        assertThat(LongAnswers.patience(-1)).isEqualTo(30 * second);
        assertThat(LongAnswers.patience(40 * second)).isEqualTo(40 * second);
        assertThat(LongAnswers.patience(Clock.NEVER)).isEqualTo(300 * second);
    }
}
