// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What passive endpoints of sockets leave behind, or leave undone. */
@Timeout(60)
class LeftListenerTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int TIMES = 10;

    @BeforeEach
    void offered() {
        Providers.SOCKETS_MSG.assumeOffered();
    }

    private static List<String> entries(String of) {
        return List.of(new File("/proc/self/" + of).list());
    }

    @Test
    void addressesAreFreeAgain() throws Exception {
        try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
            int before = entries("fd").size();
            PassiveEndpoint renamed = c.fabric.openPassiveEndpoint(c.info());
            InetSocketAddress first = renamed.setAddress(Address.of(ANY_PORT)).address().toInetSocketAddress();
            InetSocketAddress last = renamed.setAddress(Address.of(ANY_PORT)).address().toInetSocketAddress();
            assertThat(last).isNotEqualTo(first);
            free(first);
            renamed.close();
            free(last);
            assertThat(entries("fd").size()).isLessThanOrEqualTo(before);
            // one that listens closes it itself
            PassiveEndpoint listener = c.fabric.openPassiveEndpoint(c.info()).setAddress(Address.of(ANY_PORT))
                    .bind(c.serverEvents).listen();
            c.client().endpoint.connect(listener.address());
            ((FabricEvent.ConnectionRequest) c.serverEvent()).close();
            last = listener.address().toInetSocketAddress();
            listener.close();
            free(last);
        }
    }

    private static void free(InetSocketAddress address) throws Exception {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        }
    }

    @Test
    void aPortThatIsTakenIsCalledSo() throws Exception {
        try (Connected c = new Connected(Providers.SOCKETS_MSG); FabricInfo info = c.info().duplicate()) {
            PassiveEndpoint listener;
            try (ServerSocket other = new ServerSocket()) {
                other.bind(ANY_PORT);
                info.sourceAddress(Address.of((InetSocketAddress) other.getLocalSocketAddress()));
                listener = c.fabric.openPassiveEndpoint(info).bind(c.serverEvents);
                Set<String> before = Set.copyOf(entries("task"));
                for (int i = 0; i < TIMES; i++) {
                    assertThatThrownBy(listener::listen).isInstanceOf(FabricException.class)
                            .hasMessageContaining("FI_EADDRINUSE").hasMessageContaining("fi_listen");
                }
                // others may come meanwhile, but not as many
                assertThat(entries("task").stream().filter(task -> !before.contains(task)).count()).isLessThan(TIMES);
            }
            listener.listen();
            c.client().endpoint.connect(listener.address());
            ((FabricEvent.ConnectionRequest) c.serverEvent()).close();
        }
    }
}
