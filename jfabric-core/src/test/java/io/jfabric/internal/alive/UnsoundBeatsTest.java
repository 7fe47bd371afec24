// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What nobody with a keep-alive has sent, although its tag says so, is not read as a question. It is sent by hand. */
@Timeout(60)
class UnsoundBeatsTest {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long KEY = 5;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void areNotAnswered(Providers.Choice choice) throws Exception {
        try (PeerByHand peer = new PeerByHand(choice, Duration.ofSeconds(20))) {
            sends(peer, 0, beat -> beat.set(INT, 0, beat.get(INT, 0) + 1));
            sends(peer, 0, beat -> beat.set(INT, 4, beat.get(INT, 4) + 1));
            sends(peer, 1, beat -> { });
            sends(peer, 0, beat -> beat.set(INT, 24, 2));
            sends(peer, 0, beat -> beat.set(INT, 28, -1));
            sends(peer, 1, beat -> {
                beat.set(INT, 4, beat.get(INT, 4) + 1);
                beat.set(INT, 28, beat.get(INT, 28) + 2);
            });
            peer.ask(Beat.PING, KEY);
            assertThat(peer.hearAnswer()).isEqualTo(Beat.PONG);
            assertThat(Beat.key(peer.beat)).as("the first that is answered").isEqualTo(KEY);
        }
    }

    /** A question that is so much longer than its address needs, and spoilt. */
    private static void sends(PeerByHand peer, int longer, Consumer<MemorySegment> spoil) throws Exception {
        int length = peer.writeQuestion(Beat.PING, KEY + 1, PeerByHand.PROCESS) + longer;
        spoil.accept(peer.beat);
        peer.send(length);
    }
}
