// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.EventException;
import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.Resident;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfoList;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connection-oriented nodes. */
@Timeout(60)
class ConnectionsTest {
    static Stream<Providers.Choice> msg() {
        return Providers.offered(Providers.TCP_MSG, Providers.SOCKETS_MSG);
    }

    static Node open(Providers.Choice choice) {
        return open(choice, NodeOptions.DEFAULT);
    }

    static Node open(Providers.Choice choice, NodeOptions options) {
        try (FabricInfoList infos = choice.find(hints -> { })) {
            return Node.open(infos.first(), options);
        }
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static FabricException failure(CompletableFuture<?> future) throws Exception {
        try {
            get(future);
        } catch (ExecutionException e) {
            return (FabricException) e.getCause();
        }
        throw new AssertionError("it did not fail");
    }

    /** Both ends of a connection of two nodes. */
    record Connection(Peer atClient, Peer atServer) {
        static Connection make(Node client, NodeListener listener) throws Exception {
            CompletableFuture<Peer> asking = client.connect(listener.address(), new byte[] {1, 2});
            ConnectionOffer offer = get(listener.next());
            assertThat(offer.data()).startsWith(1, 2);
            CompletableFuture<Peer> accepting = offer.accept(new byte[] {3});
            Peer atServer = get(accepting);
            return new Connection(get(asking), atServer);
        }
    }

    /** A verbs device has 32,767 entries for a queue, if it is Soft-RoCE, and a node wants room for all of both. */
    @Test
    void theDefaultQueueFitsTheSmallestDevice() {
        assertThat(NodeOptions.DEFAULT.transmitLimit() + NodeOptions.DEFAULT.receiveLimit())
                .isLessThanOrEqualTo(32_767);
    }

    @ParameterizedTest
    @MethodSource("msg")
    void messagesAndMemory(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            Connection pair = Connection.make(client, listener);
            assertThat(pair.atClient.greeting()).startsWith(3);
            assertThat(pair.atServer.greeting()).startsWith(1, 2);
            for (int size : new int[] {0, 1, 64, 65, 4096, 100_000, 1 << 20}) {
                MemorySegment out = Bytes.pattern(client.memory(), size, size);
                MemorySegment in = server.allocate(size);
                CompletableFuture<Received> got = server.receive(in, pair.atServer);
                get(client.send(out, pair.atClient));
                assertThat(get(got).length()).isEqualTo(size);
                assertThat(get(got).source()).containsSame(pair.atServer);
                assertThat(in.mismatch(out)).isEqualTo(-1);
            }
            MemorySegment target = server.allocate(4096);
            MemoryRegion region = server.register(target, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ);
            MemorySegment out = Bytes.pattern(client.memory(), 1000, 1);
            MemorySegment back = client.allocate(1000);
            get(client.write(out, pair.atClient, region.remote(), 8));
            get(client.read(back, pair.atClient, region.remote(), 8));
            assertThat(back.mismatch(out)).isEqualTo(-1);
            assertThatThrownBy(() -> client.receive(back)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("this node is connection-oriented");
        }
    }

    @ParameterizedTest
    @MethodSource("msg")
    void rejected(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            CompletableFuture<Peer> asking = client.connect(listener.address());
            get(listener.next()).reject(new byte[] {9, 8});
            FabricException failure = failure(asking);
            assertThat(failure.error()).isEqualTo(FabricError.ECONNREFUSED);
            assertThat(((EventException) failure).errorData()).startsWith(9, 8);
            CompletableFuture<Peer> again = client.connect(listener.address());
            get(listener.next()).close();
            assertThat(failure(again).error()).isEqualTo(FabricError.ECONNREFUSED);
            CompletableFuture<Peer> third = client.connect(listener.address());
            ConnectionOffer offer = get(listener.next());
            offer.reject();
            assertThat(failure(third).error()).isEqualTo(FabricError.ECONNREFUSED);
            assertThatThrownBy(offer::reject).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("answered");
            // and it still works
            Connection.make(client, listener);
        }
    }

    /** Rounds enough for both events to be read together. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("msg")
    void acceptedAndEndedAtOnce(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            for (int i = 0; i < 200; i++) {
                CompletableFuture<Peer> asking = client.connect(listener.address());
                get(listener.next()).accept().thenAccept(Peer::close);
                Peer peer = get(asking);
                assertThat(peer.address()).isEqualTo(listener.address());
                assertThat(failure(peer.ended()).error()).isEqualTo(FabricError.ECONNRESET);
            }
        }
    }

    /** An answer that cannot be given is none. */
    @ParameterizedTest
    @MethodSource("msg")
    void rejectedWithTooMuch(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            CompletableFuture<Peer> asking = client.connect(listener.address());
            try (ConnectionOffer offer = get(listener.next())) {
                assertThatThrownBy(() -> offer.reject(new byte[10_000])).isInstanceOf(IllegalArgumentException.class);
                assertThat(asking).isNotDone();
            }
            // long before the deadline
            assertThat(failure(asking).error()).isEqualTo(FabricError.ECONNREFUSED);
        }
    }

    @ParameterizedTest
    @MethodSource("msg")
    void acceptedWithTooMuch(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            CompletableFuture<Peer> asking = client.connect(listener.address());
            ConnectionOffer offer = get(listener.next());
            assertThatThrownBy(() -> offer.accept(new byte[10_000])).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ConnectionOffer.accept");
            assertThat(asking).isNotDone();
            // it can still be answered
            CompletableFuture<Peer> accepting = offer.accept(new byte[] {7});
            assertThat(get(asking).greeting()).startsWith(7);
            assertThat(get(accepting).isOpen()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("msg")
    void nobodyListens(Providers.Choice choice) throws Exception {
        try (Node client = open(choice, NodeOptions.DEFAULT.withDeadline(Duration.ofSeconds(5)))) {
            Address nobody;
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(choice.address()))) {
                nobody = Address.of(new InetSocketAddress(choice.address(), socket.getLocalPort()));
            }
            FabricException failure = failure(client.connect(nobody));
            assertThat(failure.error()).isIn(FabricError.ECONNREFUSED, FabricError.ETIMEDOUT);
            assertThat(failure).hasMessageContaining(nobody.toString());
        }
    }

    /** Something else listens there and closes what it has accepted. */
    @ParameterizedTest
    @MethodSource("msg")
    void endedWithoutAnAnswer(Providers.Choice choice) throws Exception {
        try (Node client = open(choice);
             ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Peer> asking = client.connect(Address.of(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), other.getLocalPort())));
            try (Socket accepted = other.accept()) {
                accepted.getInputStream().read();
                accepted.shutdownOutput();
                assertThat(failure(asking).error()).isEqualTo(FabricError.ECONNREFUSED);
            }
        }
    }

    /** Something else listens there and says nothing. */
    @ParameterizedTest
    @MethodSource("msg")
    void nobodyAnswers(Providers.Choice choice) throws Exception {
        try (Node client = open(choice, NodeOptions.DEFAULT.withDeadline(Duration.ofMillis(400)));
             ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            long began = System.nanoTime();
            FabricException failure = failure(client.connect(Address.of(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), mute.getLocalPort()))));
            assertThat(failure.error()).isEqualTo(FabricError.ETIMEDOUT);
            assertThat(failure).hasMessageContaining("Node.connect to fi_sockaddr_in://127.0.0.1");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofMillis(400),
                    Duration.ofSeconds(15));
        }
    }

    @ParameterizedTest
    @MethodSource("msg")
    void theEndOfAConnectionEndsWhatIsUnderWay(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            Connection pair = Connection.make(client, listener);
            Connection other = Connection.make(client, listener);
            CompletableFuture<Received> never = server.receive(server.allocate(8), pair.atServer);
            CompletableFuture<Received> mine = client.receive(client.allocate(8), pair.atClient);
            pair.atClient.close();
            get(pair.atClient.ended());
            assertThat(failure(mine).error()).isEqualTo(FabricError.ECANCELED);
            // by no means as if its own program had ended it
            assertThat(failure(never).error()).isNotEqualTo(FabricError.ECANCELED);
            assertThat(failure(pair.atServer.ended())).isNotNull();
            assertThat(pair.atServer.isOpen()).isFalse();
            assertThatThrownBy(() -> client.send(client.allocate(8), pair.atClient))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
            CompletableFuture<Received> got = server.receive(server.allocate(8), other.atServer);
            get(client.send(client.allocate(8), other.atClient));
            assertThat(get(got).length()).isEqualTo(8);
        }
    }

    /** The last messages before the end arrive. */
    @ParameterizedTest
    @MethodSource("msg")
    void whatWasSentBeforeTheEndArrives(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            // rounds enough for events to come while two threads poll
            for (int round = 0; round < 60; round++) {
                Connection pair = Connection.make(client, listener);
                CompletableFuture<?>[] got = new CompletableFuture<?>[20];
                CompletableFuture<?>[] sent = new CompletableFuture<?>[20];
                for (int i = 0; i < got.length; i++) {
                    got[i] = server.receive(server.allocate(100), pair.atServer);
                }
                for (int i = 0; i < got.length; i++) {
                    sent[i] = client.send(client.allocate(100), pair.atClient);
                }
                get(CompletableFuture.allOf(sent));
                pair.atClient.close();
                get(CompletableFuture.allOf(got));
            }
        }
    }

    /** Who closes another connection has found it first. */
    @ParameterizedTest
    @MethodSource("msg")
    void whatWasSentBeforeTheEndArrivesWhoeverFindsIt(Providers.Choice choice) throws Exception {
        NodeOptions options = NodeOptions.DEFAULT.withCallerProgress();
        try (Node server = open(choice, options); Node client = open(choice); NodeListener listener = server.listen()) {
            Connection ends = Connection.make(client, listener);
            Connection other = Connection.make(client, listener);
            CompletableFuture<?>[] got = new CompletableFuture<?>[150];
            CompletableFuture<?>[] sent = new CompletableFuture<?>[got.length];
            for (int i = 0; i < got.length; i++) {
                got[i] = server.receive(server.allocate(100), ends.atServer);
            }
            for (int i = 0; i < got.length; i++) {
                sent[i] = client.send(client.allocate(100), ends.atClient);
            }
            get(CompletableFuture.allOf(sent));
            ends.atClient.close();
            other.atServer.close();
            for (CompletableFuture<?> one : got) {
                get(one);
            }
        }
    }

    /** Several threads wait, and so poll, and more arrives than one poll takes. */
    @ParameterizedTest
    @MethodSource("msg")
    void whatWasSentBeforeTheEndArrivesWhoeverPolls(Providers.Choice choice) throws Exception {
        int messages = 400;
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            MemorySegment in = server.allocate(64L * messages);
            MemorySegment out = client.allocate(64);
            for (int round = 0; round < 20; round++) {
                Connection pair = Connection.make(client, listener);
                List<CompletableFuture<Received>> got = new ArrayList<>();
                for (int i = 0; i < messages; i++) {
                    got.add(server.receive(in.asSlice(64L * i, 64), pair.atServer));
                }
                List<Thread> waiting = new ArrayList<>();
                for (int first = 0; first < 3; first++) {
                    int begin = first;
                    waiting.add(Thread.ofPlatform().start(() -> {
                        for (int i = begin; i < messages; i += 3) {
                            got.get(i).handle((message, failure) -> failure).join();
                        }
                    }));
                }
                CompletableFuture<?>[] sent = new CompletableFuture<?>[messages];
                for (int i = 0; i < messages; i++) {
                    sent[i] = client.send(out, pair.atClient);
                }
                get(CompletableFuture.allOf(sent));
                pair.atClient.close();
                for (CompletableFuture<Received> one : got) {
                    assertThat(get(one).length()).isEqualTo(64);
                }
                for (Thread thread : waiting) {
                    thread.join();
                }
            }
        }
    }

    /** More than are ended together. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("msg")
    void manyAreLostAtOnce(Providers.Choice choice) throws Exception {
        int many = 150;
        try (Node other = open(choice); Node client = open(choice); NodeListener alive = other.listen()) {
            Connection stays = Connection.make(client, alive);
            List<Peer> lost = new ArrayList<>();
            List<CompletableFuture<Received>> receives = new ArrayList<>();
            try (Node server = open(choice); NodeListener listener = server.listen()) {
                for (int i = 0; i < many; i++) {
                    Peer one = Connection.make(client, listener).atClient;
                    lost.add(one);
                    receives.add(client.receive(client.allocate(8), one));
                }
            }
            for (int i = 0; i < many; i++) {
                assertThat(failure(lost.get(i).ended()).error()).isEqualTo(FabricError.ECONNRESET);
                assertThat(failure(receives.get(i))).hasMessageContaining(lost.get(i).toString());
            }
            assertThat(client.underWay()).isZero();
            CompletableFuture<Received> got = other.receive(other.allocate(8), stays.atServer);
            get(client.send(client.allocate(8), stays.atClient));
            assertThat(get(got).length()).isEqualTo(8);
        }
    }

    /** Whatever of the node is gone already. */
    @ParameterizedTest
    @MethodSource("msg")
    @Tag("long")
    void connectsAndListensWhileItsNodeIsClosed(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); NodeListener listener = server.listen()) {
            for (int run = 0; run < 30; run++) {
                Node client = open(choice);
                AtomicReference<Throwable> wrong = new AtomicReference<>();
                List<Thread> threads = new ArrayList<>();
                List<Runnable> actions = List.of(() -> client.connect(listener.address()), client::listen);
                for (Runnable action : actions) {
                    threads.add(Thread.ofPlatform().start(() -> {
                        try {
                            while (true) {
                                action.run();
                            }
                        } catch (IllegalStateException e) {
                            if (!e.getMessage().endsWith("the node is closed")) {
                                wrong.set(e);
                            }
                        } catch (Throwable e) {
                            wrong.set(e);
                        }
                    }));
                }
                Thread.sleep(run % 10);
                client.close();
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(wrong.get()).isNull();
            }
        }
    }

    /** And says so, whatever its capabilities. */
    @ParameterizedTest
    @MethodSource("msg")
    void whatNeedsANodeOfMessagesRefusesOne(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            Peer peer = Connection.make(client, listener).atClient;
            assertThatThrownBy(() -> KeepAlive.open(client)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("KeepAlive.open: this node is connection-oriented");
            assertThatThrownBy(() -> Service.open(server, 1, CallHandler.of(request -> request)))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("Service.open: this node is");
            assertThatThrownBy(() -> Caller.open(peer, 1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Caller.open: this node is");
        }
    }

    @ParameterizedTest
    @MethodSource("msg")
    void cancelledOffersAndConnects(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice)) {
            NodeListener listener = server.listen();
            CompletableFuture<ConnectionOffer> given = listener.next();
            assertThat(given.cancel(true)).isTrue();
            CompletableFuture<Peer> gone = client.connect(listener.address());
            ConnectionOffer offer = get(listener.next());
            gone.cancel(true);
            offer.close();
            Connection.make(client, listener);
            CompletableFuture<ConnectionOffer> last = listener.next();
            listener.close();
            assertThat(failure(last).error()).isEqualTo(FabricError.ECANCELED);
        }
    }

    /** With {@code -Djfabric.test.connections=10000} as many as a server has on a day. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("msg")
    void manyConnectionsLeaveNothing(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            Connection.make(client, listener).atClient.close();
            int count = Integer.getInteger("jfabric.test.connections", 300);
            long before = descriptors();
            int open = Fabric.openObjects().size();
            long resident = 0;
            for (int i = 0; i < count; i++) {
                resident = i == count / 3 ? Resident.bytes("VmRSS") >> 10 : resident;
                Connection pair = Connection.make(client, listener);
                pair.atClient.close();
                assertThat(failure(pair.atServer.ended())).isNotNull();
            }
            long end = System.nanoTime() + 5_000_000_000L;
            while (descriptors() > before + 4 && System.nanoTime() < end) {
                Thread.sleep(20);
            }
            assertThat(descriptors()).isLessThanOrEqualTo(before + 4);
            assertThat(Fabric.openObjects()).hasSizeLessThanOrEqualTo(open);
            long grown = (Resident.bytes("VmRSS") >> 10) - resident;
            // the compiler's memory comes in as well; a buffer of each connection's would be more
            assertThat(grown / (count * 2 / 3)).as("KiB of each of the later connections").isLessThan(200);
            System.out.println(count + " connections of " + choice + ": " + before + " files before, " + descriptors()
                    + " after; resident KiB after a third " + resident + ", at the end "
                            + (Resident.bytes("VmRSS") >> 10));
        }
    }

    @ParameterizedTest
    @MethodSource("msg")
    void nobodyListensAtAnAddressThatIsTakenOrElsewhere(Providers.Choice choice) throws Exception {
        Node closed = open(choice);
        closed.close();
        assertThatThrownBy(closed::listen).isInstanceOf(IllegalStateException.class);
        try (Node one = open(choice); ServerSocket taken = new ServerSocket(0)) {
            Address there = Address.of(new InetSocketAddress("127.0.0.1", taken.getLocalPort()));
            assertThatThrownBy(() -> one.listen(there)).isInstanceOfSatisfying(FabricException.class,
                    why -> assertThat(why.error()).isEqualTo(FabricError.EADDRINUSE));
            Address elsewhere = Address.of(new InetSocketAddress("192.0.2.1", 0));
            assertThatThrownBy(() -> one.listen(elsewhere)).isInstanceOfSatisfying(FabricException.class,
                    why -> assertThat(why.error()).isEqualTo(FabricError.EADDRNOTAVAIL));
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> fds = Files.list(Path.of("/proc/self/fd"))) {
            return fds.count();
        }
    }
}
