// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.async.ConnectionOffer;
import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node without connections takes a listener for another node without them. If a test fails, a new release may do it
 * right: then the table of quirks has to say so.
 */
@Timeout(60)
class PlainTagsTest {
    private static final String MESSAGE = "message";
    private static final String TAGGED = "tagged";
    private static final String RECEIVED = "received";
    private static final String ACCEPTED = "accepted";

    private static ChildJvm.Result send(String provider, String what) {
        assumeTrue(Stream.of(EndpointType.RDM, EndpointType.MSG).allMatch(type ->
                new Providers.Choice(provider, type).isOffered()), () -> provider + " has no RDM endpoints of its own");
        return ChildJvm.of(Mistaken.class, provider, what)
                .flags("-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash").run();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "net"})
    void aTaggedMessageCrashesTheOtherSide(String provider) {
        ChildJvm.Result result = send(provider, TAGGED);
        assertThat(result.output()).as(result.toString()).contains(ACCEPTED).contains("SIGSEGV")
                .doesNotContain(RECEIVED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "net"})
    void aMessageIsReceived(String provider) {
        ChildJvm.Result result = send(provider, MESSAGE);
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).contains(RECEIVED);
    }

    /** Both sides, in a process that may crash. */
    static final class Mistaken {
        private Mistaken() {
        }

        /** Provider, what is sent. */
        public static void main(String... args) {
            NodeOptions options = NodeOptions.DEFAULT.withCallerProgress();
            try (FabricInfoList connected = new Providers.Choice(args[0], EndpointType.MSG).find(hints -> { });
                 FabricInfoList unconnected = new Providers.Choice(args[0], EndpointType.RDM).find(hints -> { });
                 Node server = Node.open(connected.first(), options);
                 Node client = Node.open(unconnected.first(), options);
                 NodeListener listener = server.listen()) {
                Peer mistaken = client.peer(listener.address());
                CompletableFuture<ConnectionOffer> offer = listener.next();
                CompletableFuture<?> sent = args[1].equals(TAGGED)
                        ? client.send(Arena.global().allocate(8), mistaken, 5)
                        : client.send(Arena.global().allocate(8), mistaken);
                await(server, client, offer::isDone);
                CompletableFuture<Peer> accepted = offer.join().accept();
                await(server, client, accepted::isDone);
                CompletableFuture<?> received = server.receive(Arena.global().allocate(8), accepted.join());
                System.out.println(ACCEPTED);
                await(server, client, () -> sent.isDone() && received.isDone());
                System.out.println(RECEIVED);
            }
        }

        private static void await(Node server, Node client, BooleanSupplier what) {
            while (!what.getAsBoolean()) {
                server.progress();
                client.progress();
            }
        }
    }
}
