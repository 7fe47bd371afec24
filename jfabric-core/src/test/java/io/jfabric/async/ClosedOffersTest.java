// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.util.concurrent.CompletableFuture;
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
}
