// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Handlers that are still at work when the node of their service is closed. */
@Timeout(60)
class LateAnswerTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void anAnswerAfterTheEndHurtsNobody(Providers.Choice choice) throws Exception {
        for (boolean fails : new boolean[] {false, true}) {
            CompletableFuture<Call> held = new CompletableFuture<>();
            CompletableFuture<byte[]> answer;
            try (Nodes nodes = Nodes.open(choice)) {
                Service.open(nodes.b, 7, call -> held.complete(call));
                answer = Caller.open(nodes.toB, 7).call(new byte[8], Duration.ofSeconds(30));
                held.get(30, TimeUnit.SECONDS);
            }
            assertThatCode(() -> {
                if (fails) {
                    held.join().fail(new IllegalArgumentException("too late"));
                } else {
                    held.join().answer(new byte[100]);
                }
            }).doesNotThrowAnyException();
            assertThat(answer).isCompletedExceptionally();
        }
    }
}
