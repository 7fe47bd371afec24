// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a thread sees of a connection that another one makes. */
@Timeout(60)
class ConnectionRaceTest {
    private static final int ROUNDS = 2000;

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void nothingIsSentWhileAnOfferIsAcceptedInVain(Providers.Choice choice) throws Exception {
        try (Connected c = new Connected(choice)) {
            Side client = c.client();
            byte[] more = new byte[Math.toIntExact(client.endpoint.option(EndpointOption.CM_DATA_SIZE)) + 1];
            client.endpoint.connect(c.listener.address());
            FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) c.serverEvent();
            Endpoint server = c.open(request.info(), c.serverEvents).endpoint.enable();
            request.close();
            AtomicBoolean ends = new AtomicBoolean();
            AtomicLong refused = new AtomicLong();
            AtomicReference<Object> wrong = new AtomicReference<>();
            MemorySegment message = Arena.ofAuto().allocate(8);
            Thread sender = Thread.ofPlatform().daemon().start(() -> {
                while (!ends.get() && wrong.get() == null) {
                    try {
                        wrong.set("a send that returned " + server.messages().send(message, 0, 1));
                    } catch (IllegalStateException asItShouldBe) {
                        refused.incrementAndGet();
                    } catch (RuntimeException e) {
                        wrong.set(e);
                    }
                }
            });
            long end = System.nanoTime() + Pair.DEADLINE.toNanos();
            for (int i = 0; (i < ROUNDS || refused.get() < ROUNDS) && wrong.get() == null; i++) {
                assertThat(System.nanoTime()).as("%s rounds", i).isLessThan(end);
                assertThatThrownBy(() -> server.accept(more)).isInstanceOf(IllegalArgumentException.class);
            }
            ends.set(true);
            assertThat(sender.join(Pair.DEADLINE)).isTrue();
            assertThat(wrong.get()).isNull();
            server.accept();
            c.clientEvent();
        }
    }
}
