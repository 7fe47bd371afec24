// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of several buffers: the peer gets one message, with the bytes of all of them in their order. */
@Timeout(60)
class GatheringTest {
    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private interface Send {
        CompletableFuture<Void> start(List<MemorySegment> buffers);
    }

    private interface Receive {
        CompletableFuture<Received> start(MemorySegment buffer);
    }

    /** That many, the one in the middle of that size and the others short and different. */
    private static List<MemorySegment> buffers(Node node, int count, long middle) {
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            buffers.add(Bytes.pattern(node.memory(), i == count / 2 ? middle : 3 + 5 * i, i + 1));
        }
        return buffers;
    }

    private static long size(List<MemorySegment> buffers) {
        return buffers.stream().mapToLong(MemorySegment::byteSize).sum();
    }

    private static MemorySegment joined(Node node, List<MemorySegment> buffers) {
        MemorySegment all = node.allocate(size(buffers));
        long at = 0;
        for (MemorySegment buffer : buffers) {
            all.asSlice(at, buffer.byteSize()).copyFrom(buffer);
            at += buffer.byteSize();
        }
        return all;
    }

    /** One message arrives, and nothing is written behind it. */
    private static void arrives(Nodes nodes, List<MemorySegment> buffers, Send send, Receive receive)
            throws Exception {
        MemorySegment expected = joined(nodes.b, buffers);
        MemorySegment in = nodes.b.allocate(expected.byteSize() + 64);
        CompletableFuture<Received> got = receive.start(in);
        CompletableFuture<Void> sent = send.start(buffers);
        assertThat(get(got).length()).isEqualTo(expected.byteSize());
        get(sent);
        assertThat(in.asSlice(0, expected.byteSize()).mismatch(expected)).as("%s", buffers).isEqualTo(-1);
        assertThat(in.asSlice(expected.byteSize()).mismatch(nodes.b.allocate(64))).isEqualTo(-1);
    }

    private static void allCountsAndSizes(Nodes nodes, Send send, Receive receive) throws Exception {
        int limit = (int) nodes.a.info().tx().iovLimit();
        long inject = nodes.a.info().tx().injectSize();
        long largest = nodes.a.info().endpoint().maxMessageSize();
        for (int count : LongStream.of(1, 2, limit - 1, limit).filter(n -> n > 0 && n <= limit).distinct()
                .mapToInt(n -> (int) n).toArray()) {
            for (long middle : new long[] {0, 1, inject - 1, inject, inject + 1, 64 << 10, 1 << 20}) {
                if (middle >= 0 && middle + 10L * count * count <= largest) {
                    arrives(nodes, buffers(nodes.a, count, middle), send, receive);
                }
            }
        }
        for (List<MemorySegment> empty : List.of(List.<MemorySegment>of(),
                limit < 2 ? List.<MemorySegment>of() : List.of(nodes.a.allocate(0), MemorySegment.NULL))) {
            arrives(nodes, empty, send, receive);
        }
        assertThatThrownBy(() -> send.start(buffers(nodes.a, limit + 1, 8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining((limit + 1) + " buffers").hasMessageContaining("at most " + limit)
                .hasMessageContaining("copy some of them into one");
        assertThat(nodes.a.underWay() + nodes.a.waiting()).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void withoutTags(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            allCountsAndSizes(nodes, buffers -> nodes.a.send(buffers, nodes.toB), nodes.b::receive);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void withTags(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            allCountsAndSizes(nodes, buffers -> nodes.a.within(Duration.ofSeconds(20)).send(buffers, nodes.toB, 7),
                    in -> nodes.b.receive(in, 7));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void toItself(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            Peer itself = nodes.a.peer(nodes.a.address());
            for (long middle : new long[] {0, 100, 64 << 10}) {
                arrives(nodes, buffers(nodes.a, 2, middle), buffers -> nodes.a.send(buffers, itself, 7),
                        in -> nodes.a.receive(in, 7));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.async.ConnectionsTest#msg")
    void overConnections(Providers.Choice choice) throws Exception {
        try (Node server = ConnectionsTest.open(choice); Node client = ConnectionsTest.open(choice);
             NodeListener listener = server.listen()) {
            ConnectionsTest.Connection pair = ConnectionsTest.Connection.make(client, listener);
            int limit = (int) client.info().tx().iovLimit();
            for (long middle : new long[] {0, 1, 64, 65, 64 << 10, 1 << 20}) {
                List<MemorySegment> buffers = buffers(client, limit, middle);
                MemorySegment expected = joined(server, buffers);
                MemorySegment in = server.allocate(expected.byteSize() + 64);
                CompletableFuture<Received> got = server.receive(in, pair.atServer());
                get(client.send(buffers, pair.atClient()));
                assertThat(get(got).length()).isEqualTo(expected.byteSize());
                assertThat(in.asSlice(0, expected.byteSize()).mismatch(expected)).isEqualTo(-1);
            }
            assertThatThrownBy(() -> client.send(buffers(client, limit + 1, 8), pair.atClient()))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("at most " + limit);
            pair.atServer().close();
            assertThatThrownBy(() -> get(pair.atClient().ended())).isInstanceOf(ExecutionException.class);
            MemorySegment letter = client.allocate(8);
            for (CompletableFuture<Void> late : List.of(client.send(letter, pair.atClient()),
                    client.send(List.of(letter, letter), pair.atClient()))) {
                assertThatThrownBy(() -> get(late)).isInstanceOf(ExecutionException.class)
                        .hasMessageContaining("FI_ECONNRESET").hasMessageContaining("the peer is gone");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whereCallersMakeAllProgress(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withCallerProgress());
             Arena own = Arena.ofConfined()) {
            List<MemorySegment> buffers = List.of(Bytes.pattern(own, 8, 1), Bytes.pattern(own, 5000, 2));
            MemorySegment in = nodes.b.allocate(5008);
            CompletableFuture<Received> got = nodes.b.receive(in, 4);
            CompletableFuture<Void> sent = nodes.a.send(buffers, nodes.toB, 4);
            nodes.drive(got, sent);
            assertThat(get(got).length()).isEqualTo(5008);
            get(sent);
            assertThat(in.mismatch(joined(nodes.b, buffers))).isEqualTo(-1);
        }
    }

    /** Nobody receives at first, or polls: most wait in the node, and go in their order. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void manyAtOnce(Providers.Choice choice) throws Exception {
        for (NodeOptions options : List.of(NodeOptions.DEFAULT,
                NodeOptions.DEFAULT.withCallerProgress().withPeerLimit(32))) {
            try (Nodes nodes = Nodes.open(choice, hints -> { }, options)) {
                sendMany(nodes, 2000, options != NodeOptions.DEFAULT);
            }
        }
    }

    private static void sendMany(Nodes nodes, int count, boolean mustWait) throws Exception {
        MemorySegment payload = Bytes.pattern(nodes.a.memory(), 100, 5);
        MemorySegment numbers = nodes.a.allocate(8L * count);
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.setAtIndex(ValueLayout.JAVA_LONG, i, i);
            all.add(nodes.a.send(List.of(numbers.asSlice(8L * i, 8), payload), nodes.toB, 3));
        }
        assertThat(nodes.toB.waiting()).isGreaterThanOrEqualTo(mustWait ? count - 32 : 0);
        MemorySegment in = nodes.b.allocate(108L * count);
        List<CompletableFuture<Received>> got = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            got.add(nodes.b.receive(in, 108L * i, 108, 3));
        }
        all.addAll(got);
        CompletableFuture<Void> everything = CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
        if (mustWait) {
            nodes.drive(everything);
        }
        get(everything);
        for (int i = 0; i < count; i++) {
            assertThat(get(got.get(i)).length()).isEqualTo(108);
            assertThat(in.get(ValueLayout.JAVA_LONG_UNALIGNED, 108L * i)).isEqualTo(i);
            assertThat(in.asSlice(108L * i + 8, 100).mismatch(payload)).isEqualTo(-1);
        }
        assertThat(nodes.a.underWay() + nodes.a.waiting()).isZero();
    }
}
