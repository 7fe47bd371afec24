// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An address is given before there is anything that has the old one: tcp would never listen on the new one. */
class SetAddressTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void anEndpointThatIsEnabledKeepsItsAddress(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice); Arena arena = Arena.ofConfined()) {
            Address address = pair.b.endpoint.address();
            assertThatThrownBy(() -> pair.b.endpoint.setAddress(address)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("fi_setname").hasMessageContaining("enabled");
            assertThat(pair.b.endpoint.address()).isEqualTo(address);
            pair.connect();
            MemorySegment in = arena.allocate(256);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(arena.allocate(8), pair.a.peer, 2));
            pair.await(pair.b, 1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void oneThatConnectsHasItsAddressBeforeItsEventQueue(Providers.Choice choice) {
        try (Connected c = new Connected(choice); FabricInfo info = c.info().duplicate();
             Endpoint endpoint = c.domain.openEndpoint(info.sourceAddress((Address) null)).bind(c.clientEvents)) {
            assertThatThrownBy(() -> endpoint.setAddress(c.listener.address()))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("event queue");
        }
    }

    /** Verbs would make another connection identifier, and drop that of the request. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void oneThatAnswersARequestHasTheAddressThatWasAskedFor(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            c.client().endpoint.connect(c.listener.address());
            try (FabricEvent.ConnectionRequest asked = (FabricEvent.ConnectionRequest) c.serverEvent();
                 Endpoint endpoint = c.domain.openEndpoint(asked.info())) {
                assertThatThrownBy(() -> endpoint.setAddress(c.listener.address()))
                        .isInstanceOf(IllegalStateException.class).hasMessageContaining("request");
            }
        }
    }

    /** Providers would look for peers by the first bytes of their addresses. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void theFormatStays(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { });
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             Endpoint endpoint = domain.openEndpoint(infos.first())) {
            assumeTrue(infos.first().addressFormat() == AddressFormat.SOCKADDR_IN, "other addresses");
            Address other = Address.of(new InetSocketAddress("::1", 0));
            assertThatThrownBy(() -> endpoint.setAddress(other)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("fi_setname").hasMessageContaining("FI_SOCKADDR_IN,");
        }
    }

    @Test
    void aScalableEndpointThatIsEnabledKeepsItsAddress() {
        try (FabricInfoList infos = Providers.SOCKETS.find(SetAddressTest::contexts);
             Fabric fabric = Fabric.open(infos.first()); Domain domain = fabric.openDomain(infos.first());
             AddressVector addresses = domain.openAddressVector();
             CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.CONTEXT);
             ScalableEndpoint endpoint = domain.openScalableEndpoint(infos.first()).bind(addresses).enable()) {
            endpoint.transmitContext(0).bind(queue, BindFlag.TRANSMIT).enable();
            assertThatThrownBy(() -> endpoint.setAddress(endpoint.address()))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("enabled");
        }
    }

    private static void contexts(Hints hints) {
        hints.endpoint().txContextCount(1).rxContextCount(1);
        hints.domain().limits().maxEndpointTxContexts(1).maxEndpointRxContexts(1);
    }
}
