// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody's TCP socket announces the data of a connection request, and sends nothing more, and stays. */
@Timeout(120)
class ListeningStrangerTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.TCP_MSG, Providers.TCP_RDM, Providers.RXM);
    }

    private static Node open(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { })) {
            return Node.open(infos.first(), NodeOptions.DEFAULT.withDeadline(Duration.ofSeconds(10)));
        }
    }

    private static Socket stranger(InetSocketAddress where) throws IOException, InterruptedException {
        Socket socket = new Socket(where.getAddress(), where.getPort());
        // the version, the type, and in two bytes how much follows
        byte[] request = new byte[32];
        request[0] = 3;
        request[3] = 32;
        socket.getOutputStream().write(request);
        // it is being read
        Thread.sleep(300);
        return socket;
    }

    @ParameterizedTest
    @MethodSource("providers")
    void doesNotStopTheNode(Providers.Choice choice) throws Exception {
        Node node = open(choice);
        try (Node friend = open(choice)) {
            if (choice.type() == EndpointType.MSG) {
                listens(node, friend);
            } else {
                receives(node, friend);
            }
        } finally {
            node.close();
        }
    }

    private static void listens(Node node, Node friend) throws Exception {
        NodeListener listener = node.listen();
        connect(friend, listener);
        try (Socket _ = stranger(listener.address().toInetSocketAddress());
                Socket _ = stranger(listener.address().toInetSocketAddress())) {
            connect(friend, listener);
            node.close();
        }
    }

    private static void connect(Node friend, NodeListener listener) throws Exception {
        CompletableFuture<Peer> asking = friend.connect(listener.address(), new byte[32]);
        ConnectionOffer offer = listener.next().get(5, TimeUnit.SECONDS);
        assertThat(offer.data()).hasSize(32);
        offer.accept().get(5, TimeUnit.SECONDS);
        asking.get(5, TimeUnit.SECONDS);
    }

    private static void receives(Node node, Node friend) throws Exception {
        InetSocketAddress where = node.address().toInetSocketAddress();
        try (Socket _ = stranger(where)) {
            exchange(node, friend, 1);
            try (Socket _ = stranger(where)) {
                exchange(node, friend, 2);
                node.close();
            }
        }
    }

    private static void exchange(Node node, Node friend, long tag) throws Exception {
        CompletableFuture<Received> got = node.receive(node.allocate(8), tag);
        friend.send(friend.allocate(8), friend.peer(node.address()), tag).get(5, TimeUnit.SECONDS);
        got.get(5, TimeUnit.SECONDS);
    }
}
