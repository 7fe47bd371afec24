// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** At the address of a process that has answered another one asks, and does not answer. It speaks by hand. */
@Timeout(60)
class OtherProcessTest {
    private static final long KEY = 5;
    private static final Duration INTERVAL = Duration.ofMillis(200);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** The node does not watch it, and would not hear otherwise that the first process is gone. */
    @ParameterizedTest
    @MethodSource("providers")
    void endsTheFirst(Providers.Choice choice) throws Exception {
        try (PeerByHand peer = new PeerByHand(choice, INTERVAL)) {
            CompletableFuture<Void> ended = peer.there.ended();
            peer.ask(Beat.PING, KEY);
            peer.answer(peer.hearQuestion(Beat.WHO));
            // or it may not have been heard when another asks
            peer.ask(Beat.PING, KEY);
            long began = System.nanoTime();
            Waits.until("another process is believed", () -> {
                asks(peer);
                return ended.isDone();
            });
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(INTERVAL);
            assertThatThrownBy(ended::join).hasMessageContaining("FI_ECONNRESET")
                    .hasMessageContaining("its process was started anew");
        }
    }

    private static void asks(PeerByHand peer) {
        try {
            peer.send(peer.writeQuestion(Beat.PING, KEY + 1, PeerByHand.PROCESS + 1));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
