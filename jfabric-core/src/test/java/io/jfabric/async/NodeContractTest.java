// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.life.FidObject;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documentation of Node says of what cannot be. */
class NodeContractTest {
    static Stream<Providers.Choice> msg() {
        return ConnectionsTest.msg();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void anInterruptEndsAWaitAndItsOperation(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment in = nodes.b.allocate(8);
            CompletableFuture<Received> never = nodes.b.receive(in, 1);
            CompletableFuture<Void> released = nodes.b.released(never);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> nodes.b.await(never, Duration.ofSeconds(30))).isInstanceOfSatisfying(
                    FabricException.class, why -> assertThat(why.error()).isEqualTo(FabricError.EINTR));
            assertThat(Thread.interrupted()).as("it stays so").isTrue();
            assertThat(never).isCancelled();
            released.get(30, TimeUnit.SECONDS);
            // it takes no message any more
            CompletableFuture<Received> next = nodes.b.receive(in, 1);
            nodes.a.send(nodes.a.allocate(8).fill((byte) 3), nodes.toB, 1).get(30, TimeUnit.SECONDS);
            assertThat(next.get(30, TimeUnit.SECONDS).length()).isEqualTo(8);
        }
    }

    @Test
    void onlyAnOperationsOwnFutureTellsWhenItsMemoryIsReleased() {
        try (Nodes nodes = Nodes.open(Providers.SHM)) {
            CompletableFuture<Received> receive = nodes.b.receive(nodes.b.allocate(8), 1);
            for (CompletableFuture<?> wrong : List.of(receive.thenApply(Received::length), receive.copy(),
                    CompletableFuture.allOf(receive), new CompletableFuture<>())) {
                assertThatIllegalArgumentException().isThrownBy(() -> nodes.b.released(wrong))
                        .withMessageContaining("Node.released").withMessageContaining("derived");
            }
            assertThatIllegalArgumentException().as("another node's").isThrownBy(() -> nodes.a.released(receive));
            assertThat(nodes.b.released(receive)).isNotDone();
        }
    }

    private static void refuses(Runnable call, String... words) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalStateException.class).hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @MethodSource("msg")
    void aNodeOfConnectionsHasNoAddressNorEndpoint(Providers.Choice choice) throws Exception {
        try (Node server = ConnectionsTest.open(choice); Node client = ConnectionsTest.open(choice);
                NodeListener listener = server.listen()) {
            refuses(client::address, "Node.address", "NodeListener.address");
            refuses(() -> client.peer(listener.address()), "connection-oriented", "connect");
            refuses(() -> client.peer(listener.address().bytes()), "connection-oriented", "connect");
            refuses(client::endpoint, "Node.endpoint", "Peer.endpoint");
            refuses(client::addressVector, "Node.addressVector", "Peer.endpoint");
            refuses(() -> client.receive(client.allocate(8)), "receive(buffer, peer)");
            // what it has
            Peer peer = ConnectionsTest.Connection.make(client, listener).atClient();
            assertThat(peer.endpoint().isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aNodeWithoutConnectionsNeitherListensNorConnects(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice)) {
            refuses(nodes.a::listen, "Node.listen", "Hints.msg");
            refuses(() -> nodes.a.listen(nodes.a.address()), "Node.listen", "Hints.msg");
            refuses(() -> nodes.a.connect(nodes.b.address()), "Node.connect", "Hints.msg");
            refuses(() -> nodes.a.connect(nodes.b.address(), new byte[1]), "Node.connect", "Hints.msg");
        }
    }

    @Test
    void aClosedNodeHasNoPeers() {
        try (Nodes nodes = Nodes.open(Providers.SHM)) {
            assertThat(nodes.a.peer(nodes.b.address())).isSameAs(nodes.toB);
            nodes.a.close();
            refuses(() -> nodes.a.peer(nodes.b.address()), "Node.peer", "the node is closed");
            refuses(() -> nodes.a.peer(nodes.b.address().bytes()), "Node.peer", "the node is closed");
            assertThat(nodes.toB.isOpen()).isFalse();
        }
    }

    private static void isNamed(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(message);
    }

    @Test
    void whatIsMissingIsNamed() {
        try (Nodes nodes = Nodes.open(Providers.SHM); Group group = Group.ofPeers(nodes.a, "", List.of(nodes.toB), 0);
                Service _ = Service.open(nodes.b, 5, CallHandler.later(request -> null));
                Caller caller = Caller.open(nodes.toB, 5)) {
            MemorySegment memory = nodes.a.allocate(8);
            isNamed("fi_mr_reg: the memory is null", () -> nodes.a.register(null, MemoryAccess.REMOTE_READ));
            isNamed("broadcast: the buffer is null", () -> group.broadcast(null, 0));
            isNamed("gather: the result is null", () -> group.gather(memory, null, 0));
            isNamed("scatter: the buffer is null", () -> group.scatter(null, memory, 0));
            isNamed("allToAll: the array of sizes of the result is null",
                    () -> group.allToAll(memory, new long[1], memory, null));
            assertThatThrownBy(() -> caller.call(new byte[1]).get(30, TimeUnit.SECONDS))
                    .hasMessageContaining("CallHandler.later: the function gave null");
        }
    }

    /** As if a program had bound it to something; libfabric itself frees what is still used. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatIsUsedByOthersKeepsANodeFromBeingClosed(Providers.Choice choice) throws Exception {
        try (Pair other = Pair.open(choice); Nodes nodes = Nodes.open(choice)) {
            FidObject user = (FidObject) other.a.endpoint;
            user.uses((FidObject) nodes.b.completionQueue());
            CompletableFuture<Received> receive = nodes.b.receive(nodes.b.allocate(8), 1);
            try {
                assertThatThrownBy(nodes.b::close).isInstanceOfSatisfying(FabricException.class,
                        why -> assertThat(why.error()).isEqualTo(FabricError.EBUSY));
                assertThatThrownBy(() -> receive.get(30, TimeUnit.SECONDS)).hasMessageContaining("ECANCELED");
                assertThat(nodes.b.isOpen()).isFalse();
                assertThat(nodes.b.completionQueue().isOpen()).isTrue();
            } finally {
                user.usesNoLonger((FidObject) nodes.b.completionQueue());
            }
            nodes.b.close();
            assertThat(nodes.b.completionQueue().isOpen()).isFalse();
            assertThat(nodes.b.fabric().isOpen()).isFalse();
        }
    }
}
