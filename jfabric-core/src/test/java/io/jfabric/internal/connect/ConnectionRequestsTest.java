// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Endpoint;
import io.jfabric.FabricError;
import io.jfabric.FabricEvent;
import io.jfabric.internal.domain.FabricImpl;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests whose listener is closed while somebody answers. */
@Timeout(60)
class ConnectionRequestsTest {
    /** The endpoint from the request cannot be opened: who asked is refused. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void whoseAnswerFailsIsRefusedByTheCloser(Providers.Choice choice) throws InterruptedException {
        try (Connected c = new Connected(choice)) {
            Endpoint client = c.client().endpoint;
            client.connect(c.listener.address());
            AtomicReference<Thread> closer = new AtomicReference<>();
            try (FabricEvent.ConnectionRequest asked = (FabricEvent.ConnectionRequest) c.serverEvent()) {
                ConnectionRequests requests = ((FabricImpl) c.fabric).state().connectionRequests();
                assertThatThrownBy(() -> requests.opening((FabricInfoImpl) asked.info(), () -> {
                    closer.set(Thread.ofPlatform().daemon().start(c.listener::close));
                    while (closer.get().getState() != Thread.State.BLOCKED && closer.get().isAlive()) {
                        Thread.onSpinWait();
                    }
                    throw new UnsupportedOperationException("of all answers");
                })).hasMessage("of all answers");
                closer.get().join();
            }
            assertThat(c.listener.isOpen()).isFalse();
            assertThat(c.clientError().error()).isEqualTo(FabricError.ECONNREFUSED);
        }
    }
}
