// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What calls and new callers are told when the caller, or its peer, is closed. */
@Timeout(60)
class ClosedCallerTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** Not that its backlog is full: that would be tried again for ever. */
    @ParameterizedTest
    @MethodSource("providers")
    void withoutABacklog(Providers.Choice choice) {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints)) {
            Caller caller = Caller.open(a.peer(b.address()), 5, CallerOptions.DEFAULT.withBacklog(0));
            caller.close();
            CompletableFuture<byte[]> call = caller.call(new byte[1]);
            assertThat(call).isCompletedExceptionally();
            assertThat(((FabricException) call.exceptionNow()).error()).isEqualTo(FabricError.ECANCELED);
        }
    }

    /** It would say hello to whoever has got the number of that peer. */
    @ParameterizedTest
    @MethodSource("providers")
    void ofAClosedPeer(Providers.Choice choice) {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints)) {
            Peer peer = a.peer(b.address());
            peer.close();
            assertThatThrownBy(() -> Caller.open(peer, 5)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Caller.open").hasMessageContaining("is closed");
        }
    }
}
