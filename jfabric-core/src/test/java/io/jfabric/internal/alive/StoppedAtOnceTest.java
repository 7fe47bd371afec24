// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A peer that asks once, is silent from then on, and is given up. It speaks by hand. */
@Timeout(60)
class StoppedAtOnceTest {
    private static final long KEY = 5;
    private static final long WHO_KEY = 50;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** Also if it has answered none of the questions, or not that of who it is. */
    @ParameterizedTest
    @MethodSource("providers")
    void isToldWhenItGoesOn(Providers.Choice choice) throws Exception {
        for (int answers = 0; answers <= 2; answers++) {
            try (PeerByHand two = new PeerByHand(choice, Duration.ofMillis(200))) {
                two.ask(Beat.PING, KEY);
                assertThat(two.hearAnswer()).isEqualTo(Beat.PONG);
                if (answers == 2) {
                    two.answer(two.hearQuestion(Beat.WHO));
                }
                // as one that is asked itself does
                two.ask(Beat.WHO, WHO_KEY);
                assertThat(two.hearAnswer()).isEqualTo(Beat.PONG);
                CompletableFuture<Void> ended = two.alive.watch(two.there);
                if (answers > 0) {
                    two.answer(two.hearQuestion(Beat.PING));
                }
                assertThatThrownBy(() -> ended.get(20, TimeUnit.SECONDS)).hasMessageContaining("FI_EHOSTDOWN");
                two.ask(Beat.WHO, WHO_KEY);
                assertThat(two.hearAnswer()).as("which process").isEqualTo(Beat.PONG);
                two.ask(Beat.PING, KEY);
                assertThat(two.hearAnswer()).as("%s answers", answers).isEqualTo(Beat.GIVEN_UP);
                two.ask(Beat.PING, KEY + 1);
                assertThat(two.hearAnswer()).as("a new watch").isEqualTo(Beat.PONG);
            }
        }
    }

    /** Or it would be given up, and told so, as soon as it is there, by who has asked it for long. */
    @ParameterizedTest
    @MethodSource("providers")
    void whoSaysWhichProcessItIsHasAnswered(Providers.Choice choice) throws Exception {
        try (PeerByHand two = new PeerByHand(choice, Duration.ofSeconds(20))) {
            two.ask(Beat.PING, KEY);
            long who = two.hearQuestion(Beat.WHO);
            two.alive.watch(two.there);
            assertThat(two.alive.sinceLastAnswer(two.there)).isEmpty();
            two.answer(who);
            Waits.until("it has answered", () -> two.alive.sinceLastAnswer(two.there).isPresent());
        }
    }
}
