// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server of another kind says something that sockets takes for the beginning of an answer, and then nothing more. */
@Timeout(60)
class HalfAnswerTest {
    private static final long SECONDS = 10;

    @BeforeAll
    static void offered() {
        assumeTrue(Providers.SOCKETS_MSG.isOffered(), "sockets is not offered");
    }

    /** Its end, which ends all waits for it, comes before that of what it keeps from being closed. */
    private record Other(ServerSocket socket, Socket accepted) implements AutoCloseable {
        static Other ask(Endpoint endpoint, String answer) throws Exception {
            ServerSocket socket = listen();
            endpoint.connect(address(socket));
            return answer(socket, answer);
        }

        static ServerSocket listen() throws IOException {
            return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        }

        static Address address(ServerSocket socket) {
            return Address.of(new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort()));
        }

        static Other answer(ServerSocket socket, String answer) throws Exception {
            Socket accepted = socket.accept();
            accepted.getOutputStream().write(answer.getBytes());
            // it is being read
            Thread.sleep(100);
            return new Other(socket, accepted);
        }

        @Override
        public void close() throws IOException {
            accepted.close();
            socket.close();
        }
    }

    private static void inTime(Runnable action) throws Exception {
        CompletableFuture<Void> over = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                action.run();
                over.complete(null);
            } catch (Throwable e) {
                over.completeExceptionally(e);
            }
        });
        over.get(SECONDS, TimeUnit.SECONDS);
    }

    /** A type, of eight bytes; a whole beginning that announces nine bytes more; eight bytes of no type, and some. */
    @ParameterizedTest
    @ValueSource(strings = {"\1", "\2\0\0\0\0\0\0\t12", "SSH-2.0-X\r\n"})
    void whoAsksCanBeClosed(String answer) throws Exception {
        try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
            Side client = c.client();
            try (Other _ = Other.ask(client.endpoint, answer)) {
                inTime(client.endpoint::close);
            }
        }
    }

    @Test
    void othersAreConnectedAndClosed() throws Exception {
        try (Connected c = new Connected(Providers.SOCKETS_MSG)) {
            Side[] before = c.connect(endpoint -> { });
            Side client = c.client();
            try (Other _ = Other.ask(client.endpoint, "\1")) {
                inTime(before[0].endpoint::close);
                assertThat(c.clientError().error()).isEqualTo(FabricError.ECONNREFUSED);
                assertThat(c.serverEvent()).isInstanceOf(FabricEvent.Shutdown.class);
                inTime(() -> c.connect(endpoint -> { }));
            }
        }
    }

    /** By their deadline, or before. */
    @Test
    void nodesGoOn() throws Exception {
        try (FabricInfoList infos = Providers.SOCKETS_MSG.find(hints -> { })) {
            Node node = Node.open(infos.first(), NodeOptions.DEFAULT.withDeadline(Duration.ofMillis(200)));
            try (ServerSocket socket = Other.listen()) {
                CompletableFuture<Peer> asking = node.connect(Other.address(socket));
                try (Other _ = Other.answer(socket, "\1")) {
                    fails(asking, FabricError.ETIMEDOUT);
                    inTime(node::close);
                }
            } finally {
                node.close();
            }
        }
    }

    private static void fails(CompletableFuture<Peer> asking, FabricError error) {
        assertThatThrownBy(() -> asking.get(SECONDS, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class).cause()
                .asInstanceOf(InstanceOfAssertFactories.type(FabricException.class))
                .extracting(FabricException::error).isEqualTo(error);
    }

    @Test
    void itsAnswerIsARefusal() throws Exception {
        try (FabricInfoList infos = Providers.SOCKETS_MSG.find(hints -> { });
                Node node = Node.open(infos.first()); ServerSocket socket = Other.listen()) {
            CompletableFuture<Peer> asking = node.connect(Other.address(socket));
            try (Other _ = Other.answer(socket, "\1")) {
                fails(asking, FabricError.ECONNREFUSED);
            }
        }
    }
}
