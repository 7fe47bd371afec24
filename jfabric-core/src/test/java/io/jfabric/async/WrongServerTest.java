// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.testkit.Providers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Something listens there, and its answer is none of the provider's. */
@Timeout(60)
class WrongServerTest {
    static Stream<Providers.Choice> tcp() {
        return Providers.offered(Providers.TCP_MSG);
    }

    @ParameterizedTest
    @MethodSource("tcp")
    void theMessageSaysSo(Providers.Choice choice) throws Exception {
        try (Node node = ConnectionsTest.open(choice);
                ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Peer> asking = node.connect(Address.of(new InetSocketAddress(web.getInetAddress(),
                    web.getLocalPort())));
            try (Socket accepted = web.accept()) {
                accepted.getOutputStream().write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes());
                assertThatThrownBy(() -> asking.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                        .cause().isInstanceOfSatisfying(FabricException.class,
                                e -> assertThat(e.error()).isEqualTo(FabricError.ENOPROTOOPT))
                        .hasMessageContaining("does not speak the protocol of provider tcp")
                        .hasMessageNotContaining("nobody listens");
            }
        }
    }
}
