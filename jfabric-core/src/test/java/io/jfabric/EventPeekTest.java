// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.testkit.Waits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What peeks leave in an event queue. */
class EventPeekTest {
    /** Until there is one; of an error, that is its exception. The other side must be moved on as well. */
    private static Throwable peeked(EventQueue queue, EventQueue others, Side side) {
        Throwable[] error = new Throwable[1];
        Waits.spin("the event has come", () -> {
            side.poll();
            assertThat(others.peek()).isEmpty();
            try {
                return queue.peek().isPresent();
            } catch (EventException e) {
                error[0] = e;
                return true;
            }
        });
        return error[0];
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void aRequestsInfoIsOfWhoTakesIt(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side client = c.client();
            client.endpoint.connect(c.listener.address(), "may I?".getBytes(StandardCharsets.UTF_8));
            assertThat(peeked(c.serverEvents, c.clientEvents, client)).isNull();
            for (int i = 0; i < 2; i++) {
                assertThat(c.serverEvents.peek()).containsInstanceOf(FabricEvent.ConnectionRequest.class)
                        .get().satisfies(event -> {
                            FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) event;
                            assertThat(request.info()).isNull();
                            assertThat(request.endpoint()).isSameAs(c.listener);
                            assertThat(request.data()).asString(StandardCharsets.UTF_8).isEqualTo("may I?");
                        });
            }
            try (FabricEvent.ConnectionRequest taken = (FabricEvent.ConnectionRequest) c.serverEvents.poll()
                    .orElseThrow()) {
                assertThat(taken.info()).isNotNull();
                taken.reject();
            }
            assertThat(c.serverEvents.peek()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void aConnectionIsMadeForWhoTakesItsEvent(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side client = c.client();
            client.endpoint.connect(c.listener.address());
            Side server;
            try (FabricEvent.ConnectionRequest asked = (FabricEvent.ConnectionRequest) c.serverEvent()) {
                server = c.open(asked.info(), c.serverEvents);
            }
            server.endpoint.enable().accept();
            Waits.spin("the event has come", () -> {
                client.poll();
                server.poll();
                c.serverEvents.poll();
                return c.clientEvents.peek().isPresent();
            });
            assertThatThrownBy(client.endpoint::shutdown).isInstanceOf(IllegalStateException.class);
            assertThat(c.clientEvents.poll()).containsInstanceOf(FabricEvent.Connected.class);
            client.endpoint.shutdown();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void anErrorStays(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Side client = c.client();
            client.endpoint.connect(c.listener.address());
            Waits.spin("the request has come", () -> {
                client.poll();
                assertThat(c.clientEvents.peek()).isEmpty();
                Optional<FabricEvent> event = c.serverEvents.poll();
                event.ifPresent(request -> {
                    ((FabricEvent.ConnectionRequest) request).reject("no".getBytes(StandardCharsets.UTF_8));
                    ((FabricEvent.ConnectionRequest) request).close();
                });
                return event.isPresent();
            });
            assertThat(peeked(c.clientEvents, c.serverEvents, client)).isInstanceOf(EventException.class);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(c.clientEvents::peek).isInstanceOfSatisfying(EventException.class, error -> {
                    assertThat(error.error()).isEqualTo(FabricError.ECONNREFUSED);
                    assertThat(error.source()).containsSame(client.endpoint);
                });
            }
            assertThatThrownBy(c.clientEvents::poll).isInstanceOfSatisfying(EventException.class, error -> {
                assertThat(error.error()).isEqualTo(FabricError.ECONNREFUSED);
                assertThat(error.source()).containsSame(client.endpoint);
                assertThat(error.errorData()).asString(StandardCharsets.UTF_8).startsWith("no");
            });
            assertThat(c.clientEvents.peek()).isEmpty();
            assertThat(c.clientEvents.poll()).isEmpty();
        }
    }

    /** All events are taken from some providers when a listener is closed. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void whatWasTakenWithAListenerStays(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            InetAddress here = c.listener.address().toInetSocketAddress().getAddress();
            PassiveEndpoint another = c.fabric.openPassiveEndpoint(c.info())
                    .setAddress(Address.of(new InetSocketAddress(here, 0))).bind(c.serverEvents).listen();
            Side client = c.client();
            client.endpoint.connect(c.listener.address());
            assertThat(peeked(c.serverEvents, c.clientEvents, client)).isNull();
            another.close();
            assertThat(c.fabric.tryWait(c.serverEvents)).as("one may sleep").isFalse();
            for (int i = 0; i < 2; i++) {
                assertThat(c.serverEvents.peek()).containsInstanceOf(FabricEvent.ConnectionRequest.class);
            }
            ((FabricEvent.ConnectionRequest) c.serverEvents.poll().orElseThrow()).close();
        }
    }
}
