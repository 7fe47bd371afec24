// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** IPv4 and IPv6 are not connected, unless the provider can. */
@Timeout(60)
class ConnectedFamiliesTest {
    private static final Address V6 = Address.of(new InetSocketAddress("::1", 4712));

    static Stream<Providers.Choice> all() {
        return Providers.offered(Providers.TCP_MSG, Providers.SOCKETS_MSG);
    }

    @ParameterizedTest
    @MethodSource("all")
    void toIpv6(Providers.Choice choice) {
        try (Connected c = new Connected(choice)) {
            Endpoint client = c.client().endpoint;
            assertThatThrownBy(() -> client.connect(V6)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("fi_connect", V6.toString(), "fi_sockaddr_in://");
            client.connect(c.listener.address());
            assertThat(c.serverEvent()).isInstanceOf(FabricEvent.ConnectionRequest.class);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void toIpv4(Providers.Choice choice) {
        try (Connected c = new Connected(choice); Hints hints = choice.hints();
                FabricInfoList infos = find(hints); FabricInfo info = infos.first().duplicate();
                Fabric fabric = Fabric.open(info); Domain domain = fabric.openDomain(info)) {
            EventQueue events = fabric.openEventQueue();
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
            Endpoint client = domain.openEndpoint(info.sourceAddress((Address) null))
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(events);
            if (choice.equals(Providers.SOCKETS_MSG)) {
                client.connect(c.listener.address());
                assertThat(c.serverEvent()).isInstanceOf(FabricEvent.ConnectionRequest.class);
            } else {
                assertThatThrownBy(() -> client.connect(c.listener.address()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("fi_connect", c.listener.address().toString(), "fi_sockaddr_in6://");
            }
        }
    }

    private static FabricInfoList find(Hints hints) {
        try {
            return Fabric.getInfo("::1", null, Set.of(GetInfoFlag.SOURCE), hints);
        } catch (FabricException none) {
            assumeTrue(false, "no IPv6 here");
            throw none;
        }
    }
}
