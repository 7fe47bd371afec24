// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers that nobody gets do not count. */
@Timeout(60)
class DroppedAnswersTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatIsDroppedAsTheServiceIsClosedIsNotAnswered(Providers.Choice choice) throws Exception {
        for (int size : new int[] {1, 100_000}) {
            try (Nodes nodes = Nodes.open(choice)) {
                CompletableFuture<Call> taken = new CompletableFuture<>();
                Service service = Service.open(nodes.b, 5, taken::complete);
                try (Caller caller = Caller.open(nodes.toB, 5)) {
                    CompletableFuture<byte[]> call = caller.call(new byte[1], Duration.ofSeconds(30));
                    Call open = taken.get(30, TimeUnit.SECONDS);
                    service.close();
                    open.answer(new byte[size]);
                    call.handle((answer, failure) -> failure).get(40, TimeUnit.SECONDS);
                    assertThat(call).isCompletedExceptionally();
                    assertThat(service.answered()).isZero();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void failuresAndAnswersThatAreSentDo(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[call.bytes()[0] * 50_000]));
                Caller caller = Caller.open(nodes.toB, 5)) {
            for (byte times = 0; times < 3; times++) {
                caller.call(new byte[] {times}, Duration.ofSeconds(30)).get(40, TimeUnit.SECONDS);
                assertThat(service.answered()).isEqualTo(times + 1);
            }
            caller.call(new byte[0], Duration.ofSeconds(30)).handle((answer, failure) -> failure)
                    .get(40, TimeUnit.SECONDS);
            assertThat(service.answered()).as("a failure, too").isEqualTo(4);
        }
    }
}
