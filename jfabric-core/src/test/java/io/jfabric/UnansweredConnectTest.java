// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.testkit.Waits;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One side ends a connection before a word of it has come. Of what the thread had called before, tcp took EAGAIN, as
 * sockets say that have nothing to accept, for an answer that comes later.
 */
@Timeout(60)
class UnansweredConnectTest {
    private static final int STRANGERS = 20;
    private static final int LOOKS = 1000;

    static Stream<Providers.Choice> tcp() {
        return Providers.offered(Providers.TCP_MSG);
    }

    private static ServerSocketChannel idle() throws IOException {
        ServerSocketChannel idle = ServerSocketChannel.open().bind(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), 0));
        idle.configureBlocking(false);
        return idle;
    }

    /** The last call of this thread has failed. */
    private static void fail(ServerSocketChannel idle) {
        try {
            assertThat(idle.accept()).isNull();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("tcp")
    void whoAskedIsTold(Providers.Choice choice) throws IOException {
        try (Connected c = new Connected(choice); ServerSocketChannel idle = idle();
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Side client = c.client();
            client.endpoint.connect(Address.of(new InetSocketAddress(other.getInetAddress(), other.getLocalPort())));
            try (Socket accepted = other.accept()) {
                Waits.spin("the question", () -> c.clientEvents.poll().isEmpty() && isThere(accepted));
                accepted.shutdownOutput();
                assertThatThrownBy(() -> Waits.spin("the end", () -> {
                    fail(idle);
                    return c.clientEvents.poll().isPresent();
                })).isInstanceOfSatisfying(EventException.class, end -> {
                    assertThat(end.error()).isEqualTo(FabricError.EIO);
                    assertThat(end.source()).containsSame(client.endpoint);
                });
            }
        }
    }

    private static boolean isThere(Socket socket) {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("tcp")
    void strangersLeaveNothing(Providers.Choice choice) throws IOException {
        try (Connected c = new Connected(choice); ServerSocketChannel idle = idle()) {
            InetSocketAddress where = c.listener.address().toInetSocketAddress();
            c.client();
            int before = descriptors();
            for (int i = 0; i < STRANGERS; i++) {
                new Socket(where.getAddress(), where.getPort()).close();
            }
            for (int i = 0; i < LOOKS; i++) {
                fail(idle);
                assertThat(c.serverEvents.poll()).isEmpty();
            }
            assertThat(descriptors()).isLessThan(before + STRANGERS / 2);
        }
    }

    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }
}
