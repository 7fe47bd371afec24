// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

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

    /** Whether its end is not told within a second. */
    private static boolean isSilent(Peer peer) throws Exception {
        try {
            peer.ended().get(1, TimeUnit.SECONDS);
            return false;
        } catch (ExecutionException told) {
            return false;
        } catch (TimeoutException forgotten) {
            return true;
        }
    }

    @Test
    void aSendTellsWhatSocketsForgets() throws Exception {
        Providers.SOCKETS_MSG.assumeOffered();
        try (Node server = ConnectionsTest.open(Providers.SOCKETS_MSG);
                Node client = ConnectionsTest.open(Providers.SOCKETS_MSG); NodeListener listener = server.listen()) {
            for (int i = 0; i < TIMES; i++) {
                CompletableFuture<Peer> asking = client.connect(listener.address());
                ConnectionOffer offer = ConnectionsTest.get(listener.next());
                asking.cancel(true);
                Peer peer = ConnectionsTest.get(offer.accept());
                if (isSilent(peer)) {
                    CompletableFuture<Void> sent = server.send(server.allocate(8), peer);
                    assertThatThrownBy(() -> ConnectionsTest.get(sent)).hasCauseInstanceOf(FabricException.class);
                    if (peer.isOpen()) {
                        assertThat(sent.exceptionNow()).hasMessageContaining("does not reach the peer");
                        peer.close();
                        return;
                    }
                    // told late, on a busy machine
                }
            }
            fail("always told: a new release may do it right, and the table of quirks has to say so");
        }
    }
}
