// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricException;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers of a process that was given up although it lives, as it was stopped, and that is called again. */
@Timeout(60)
class NextCallerTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    private static void call(Caller caller) throws Exception {
        assertThat(caller.call(new byte[3]).get(20, TimeUnit.SECONDS)).hasSize(3);
    }

    /** Its services do not keep those that they had before. */
    @ParameterizedTest
    @MethodSource("providers")
    void theNextSaysGoodbyeForThoseBefore(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                Service service = Service.open(nodes.b, 1, CallHandler.of(bytes -> bytes));
                Service other = Service.open(nodes.b, 2, CallHandler.of(bytes -> bytes))) {
            for (int i = 0; i < 3; i++) {
                // closed with their peer; two of one node are as good as one
                Peer peer = nodes.a.peer(nodes.b.address());
                Caller caller = Caller.open(peer, 1);
                call(caller);
                Caller second = Caller.open(peer, 1);
                call(second);
                Waits.until("those before are gone", () -> service.callers() == 2);
                call(caller);
                call(Caller.open(peer, 2));
                Waits.until("that before is gone", () -> other.callers() == 1);
                // as a keep-alive does
                ((PeerImpl) peer).fail(FabricException.of("a test", 5, null));
                assertThat(caller.isOpen() || second.isOpen()).isFalse();
            }
            try (Caller last = Caller.open(nodes.a.peer(nodes.b.address()), 1)) {
                call(last);
                Waits.until("it is the only one", () -> service.callers() == 1);
                assertThat(service.drain(Duration.ofSeconds(20))).isTrue();
            }
        }
    }
}
