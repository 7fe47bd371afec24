// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever wanted to connect has given that up by the time it is accepted. */
@Timeout(60)
class EarlyEndTest {
    private static final int TIMES = 200;

    /** One whose end nobody is told of. */
    private static Peer silent(Node client, NodeListener listener) throws Exception {
        for (int i = 0; i < TIMES; i++) {
            CompletableFuture<Peer> asking = client.connect(listener.address());
            ConnectionOffer offer = ConnectionsTest.get(listener.next());
            asking.cancel(true);
            Peer peer = ConnectionsTest.get(offer.accept());
            try {
                peer.ended().get(1, TimeUnit.SECONDS);
            } catch (ExecutionException told) {
                continue;
            } catch (TimeoutException forgotten) {
                return peer;
            }
        }
        throw new AssertionError("always told: a new release may do it right, and the table of quirks has to say so");
    }

    @Test
    void aSendTellsWhatSocketsForgets() throws Exception {
        Providers.SOCKETS_MSG.assumeOffered();
        try (Node server = ConnectionsTest.open(Providers.SOCKETS_MSG);
                Node client = ConnectionsTest.open(Providers.SOCKETS_MSG); NodeListener listener = server.listen()) {
            Peer peer = silent(client, listener);
            assertThatThrownBy(() -> ConnectionsTest.get(server.send(server.allocate(8), peer))).cause()
                    .isInstanceOf(FabricException.class).hasMessageContaining("does not reach the peer");
            assertThat(peer.isOpen()).as("its end is still forgotten").isTrue();
            peer.close();
        }
    }
}
