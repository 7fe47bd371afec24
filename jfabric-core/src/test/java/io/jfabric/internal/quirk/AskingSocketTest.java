// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.quirk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Endpoint;
import io.jfabric.FabricError;
import io.jfabric.FabricEvent;
import io.jfabric.info.Address;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whom an endpoint asks is looked for only as long as there is no answer. */
@Timeout(60)
class AskingSocketTest {
    @BeforeEach
    void offered() {
        Providers.SOCKETS_MSG.assumeOffered();
        assertThat(AskingSocket.ASKING).isEmpty();
    }

    /** Where nobody listens, which is known at once. */
    @Test
    void notIfItCannotAsk() throws Exception {
        InetSocketAddress nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
        }
        try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
            Endpoint client = c.client().endpoint;
            assertThatThrownBy(() -> client.connect(Address.of(nobody))).hasMessageContaining("ECONNREFUSED");
            assertThat(AskingSocket.ASKING).isEmpty();
        }
    }

    @Test
    void notAfterARefusal() {
        try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
            c.client().endpoint.connect(c.listener.address());
            assertThat(AskingSocket.ASKING).hasSize(1);
            try (FabricEvent.ConnectionRequest asked = (FabricEvent.ConnectionRequest) c.serverEvent()) {
                asked.reject();
            }
            assertThat(c.clientError().error()).isEqualTo(FabricError.ECONNREFUSED);
            assertThat(AskingSocket.ASKING).isEmpty();
        }
    }

    @Test
    void notOnceItIsConnected() {
        try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
            c.connect(endpoint -> { });
            assertThat(AskingSocket.ASKING).isEmpty();
        }
    }
}
