// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers that are closed before the service has answered their hello keep no place there. */
@Timeout(60)
@Tag("long")
class GhostCallersTest {
    private static final int PLACES = 4;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void shortLivedCallersLeaveRoomForOthers(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service service = Service.open(b, 5, call -> call.answer(call.bytes()),
                        ServiceOptions.DEFAULT.withCallers(PLACES))) {
            for (int i = 0; i < 3 * PLACES; i++) {
                Caller.open(a.peer(b.address()), 5).close();
            }
            try (Caller caller = Caller.open(a.peer(b.address()), 5)) {
                assertThat(caller.call(new byte[1]).get(20, TimeUnit.SECONDS)).hasSize(1);
                assertThat(service.callers()).isOne();
            }
        }
    }
}
