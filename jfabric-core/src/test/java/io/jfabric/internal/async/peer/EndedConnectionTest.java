// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.async.ConnectionOffer;
import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is begun with a connection while another thread finds out that the other side has ended it. */
@Timeout(60)
class EndedConnectionTest {
    private static final int ENDS = 60;

    static Stream<Providers.Choice> msg() {
        return Providers.offered(Providers.TCP_MSG, Providers.SOCKETS_MSG);
    }

    private static Node open(Providers.Choice choice, Capability... capabilities) {
        try (FabricInfoList infos = choice.find(hints -> hints.capabilities(capabilities))) {
            return Node.open(infos.first());
        }
    }

    private static Map<String, Supplier<CompletableFuture<?>>> operations(Node node, Peer peer, boolean atomics) {
        MemorySegment buffer = node.allocate(8);
        RemoteRegion region = node.register(node.allocate(64), MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE)
                .remote();
        Map<String, Supplier<CompletableFuture<?>>> all = new LinkedHashMap<>();
        all.put("send", () -> node.send(buffer, peer));
        all.put("sendData", () -> node.sendData(buffer, 1, peer));
        all.put("receive", () -> node.receive(buffer, peer));
        all.put("write", () -> node.write(buffer, peer, region, 0));
        all.put("read", () -> node.read(buffer, peer, region, 0));
        if (atomics) {
            all.put("apply", () -> node.apply(buffer, peer, region, 0, Datatype.INT64, AtomicOp.SUM));
            all.put("fetchAndAdd", () -> node.fetchAndAdd(peer, region, 0, 1));
            all.put("compareAndSwap", () -> node.compareAndSwap(peer, region, 0, 1, 2));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("msg")
    void whatIsBegunFailsInItsFuture(Providers.Choice choice) throws Exception {
        boolean atomics = choice.isOffered(hints -> hints.capabilities(Capability.MSG, Capability.RMA,
                Capability.ATOMIC));
        Capability[] all = atomics ? new Capability[] {Capability.MSG, Capability.RMA, Capability.ATOMIC}
                : new Capability[] {Capability.MSG, Capability.RMA};
        try (Node server = open(choice, all); Node client = open(choice, all);
                NodeListener listener = server.listen()) {
            CompletableFuture<Peer> asking = client.connect(listener.address());
            ConnectionOffer offer = listener.next().get(20, TimeUnit.SECONDS);
            PeerImpl peer = (PeerImpl) offer.accept().get(20, TimeUnit.SECONDS);
            asking.get(20, TimeUnit.SECONDS);
            // as seen by a thread that has looked before the lanes were closed
            assertThat(peer.shut(FabricException.of("this test", FabricError.ECONNRESET.code(), "gone"))).isTrue();
            peer.endpoint().close();
            operations(server, peer, atomics).forEach((name, operation) -> {
                CompletableFuture<?> future = operation.get();
                Throwable thrown = catchThrowable(() -> future.get(20, TimeUnit.SECONDS));
                assertThat(thrown).as(name).isInstanceOf(ExecutionException.class);
                assertThat(thrown.getCause()).as(name).isInstanceOfSatisfying(FabricException.class, why -> {
                    assertThat(why.error()).isEqualTo(FabricError.ECONNRESET);
                    assertThat(why).hasMessageContaining(" on the connection with " + peer)
                            .hasMessageContaining("the peer is gone");
                });
            });
        }
    }

    /** Providers find out in different ways, none of which may be the program's to tell apart. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("msg")
    void whatIsSentAsItEndsFailsInOneWay(Providers.Choice choice) throws Exception {
        List<FabricError> possible = choice == Providers.TCP_MSG ? List.of(FabricError.ECONNRESET)
                : List.of(FabricError.ECONNRESET, FabricError.ENOENT, FabricError.EIO);
        try (Node server = open(choice, Capability.MSG); Node client = open(choice, Capability.MSG);
                NodeListener listener = server.listen()) {
            MemorySegment message = server.allocate(64);
            for (int i = 0; i < ENDS; i++) {
                CompletableFuture<Peer> asking = client.connect(listener.address());
                Peer peer = listener.next().get(20, TimeUnit.SECONDS).accept().get(20, TimeUnit.SECONDS);
                Thread ends = Thread.ofPlatform().start(asking.get(20, TimeUnit.SECONDS)::close);
                FabricException why = failure(server, message, peer);
                assertThat(why.error()).as(why.getMessage()).isIn(possible);
                assertThat(why).hasMessageContaining("on the connection with " + peer);
                ends.join();
                peer.close();
            }
        }
    }

    private static FabricException failure(Node server, MemorySegment message, Peer peer) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() < end) {
            try {
                server.send(message, peer).get(20, TimeUnit.SECONDS);
            } catch (ExecutionException ended) {
                return (FabricException) ended.getCause();
            }
        }
        throw new AssertionError("the end of the connection was not seen");
    }
}
