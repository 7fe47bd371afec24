// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Offers whose listener is closed before they are answered. */
@Timeout(60)
class ClosedOffersTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.async.ConnectionsTest#msg")
    void theListenersCloseIsAnAnswer(Providers.Choice choice) throws Exception {
        try (Node server = ConnectionsTest.open(choice); Node client = ConnectionsTest.open(choice)) {
            NodeListener listener = server.listen();
            CompletableFuture<Peer> asking = client.connect(listener.address());
            ConnectionOffer offer = ConnectionsTest.get(listener.next());
            listener.close();
            assertThatThrownBy(offer::accept).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ConnectionOffer.accept").hasMessageContaining("listener was closed");
            assertThatThrownBy(offer::reject).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ConnectionOffer.reject").hasMessageContaining("answered already");
            offer.close();
            assertThatThrownBy(() -> ConnectionsTest.get(asking)).cause().isInstanceOfSatisfying(
                    FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.ECONNREFUSED));
        }
    }

    /** While another thread gives answers that are refused, as they have too much data. */
    @ParameterizedTest
    @MethodSource("io.jfabric.async.ConnectionsTest#msg")
    void closedWhileAnswersAreRefused(Providers.Choice choice) throws Exception {
        try (Node server = ConnectionsTest.open(choice); Node client = ConnectionsTest.open(choice)) {
            for (int i = 0; i < 6; i++) {
                boolean byListener = i % 2 == 1;
                NodeListener listener = server.listen();
                CompletableFuture<Peer> asking = client.connect(listener.address());
                ConnectionOffer offer = ConnectionsTest.get(listener.next());
                CompletableFuture<Void> begun = new CompletableFuture<>();
                CompletableFuture<Void> answers = CompletableFuture.runAsync(() -> answerTooLong(offer, begun));
                ConnectionsTest.get(begun);
                if (byListener) {
                    listener.close();
                } else {
                    offer.close();
                }
                assertThatThrownBy(() -> ConnectionsTest.get(answers)).cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("ConnectionOffer.accept: the offer")
                        .hasMessageContaining(byListener ? "keep the listener open" : "is answered already");
                assertThatThrownBy(() -> ConnectionsTest.get(asking)).cause().isInstanceOf(FabricException.class);
                listener.close();
            }
        }
    }

    /** Until the offer is closed, or nobody waits for that any more. */
    private static void answerTooLong(ConnectionOffer offer, CompletableFuture<Void> begun) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() - end < 0) {
            try {
                offer.accept(new byte[10_000]);
            } catch (IllegalArgumentException tooLong) {
                begun.complete(null);
            }
        }
    }
}
