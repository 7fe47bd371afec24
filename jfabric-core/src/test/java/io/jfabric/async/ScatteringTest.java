// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receives into several buffers: one message fills them in their order, and nothing beside them. */
@Timeout(60)
class ScatteringTest {
    private static final int GAP = 16;

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private interface Send {
        CompletableFuture<Void> start(MemorySegment message);
    }

    private interface Receive {
        CompletableFuture<Received> start(List<MemorySegment> buffers);
    }

    /** Buffers in one piece of memory, with gaps between them that nobody may write to. */
    private record Room(MemorySegment all, List<MemorySegment> buffers) {
        /** That many, the one in the middle of that size and the others short and different. */
        static Room make(Node node, int count, long middle) {
            long[] sizes = new long[count];
            for (int i = 0; i < count; i++) {
                sizes[i] = i == count / 2 ? middle : 3 + 5 * i;
            }
            return of(node, sizes);
        }

        static Room of(Node node, long... sizes) {
            long total = GAP;
            for (long size : sizes) {
                total += size + GAP;
            }
            MemorySegment all = node.allocate(total).fill((byte) 0x55);
            List<MemorySegment> buffers = new ArrayList<>();
            long at = GAP;
            for (long size : sizes) {
                buffers.add(all.asSlice(at, size));
                at += size + GAP;
            }
            return new Room(all, buffers);
        }

        long size() {
            return buffers.stream().mapToLong(MemorySegment::byteSize).sum();
        }

        /** What it holds once the buffers were filled with that. */
        void holds(MemorySegment message) {
            MemorySegment expected = Arena.ofAuto().allocate(all.byteSize()).fill((byte) 0x55);
            long done = 0;
            for (MemorySegment buffer : buffers) {
                long bytes = Math.min(buffer.byteSize(), message.byteSize() - done);
                expected.asSlice(buffer.address() - all.address(), bytes).copyFrom(message.asSlice(done, bytes));
                done += bytes;
            }
            assertThat(all.mismatch(expected)).as("%s of %s", message, buffers).isEqualTo(-1);
        }
    }

    private static void arrives(Node from, Room room, long length, Send send, Receive receive) throws Exception {
        MemorySegment message = Bytes.pattern(from.memory(), length, (int) length + 1);
        CompletableFuture<Received> got = receive.start(room.buffers);
        CompletableFuture<Void> sent = send.start(message);
        assertThat(get(got).length()).isEqualTo(length);
        get(sent);
        room.holds(message);
    }

    /** How many buffers a node takes, as its refusal of too many says. */
    private static int limit(Node node, Receive receive) {
        int said = (int) node.info().rx().iovLimit();
        for (int most : new int[] {said, said - 1}) {
            List<MemorySegment> more = Room.make(node, most + 1, 8).buffers;
            try {
                receive.start(more).cancel(true);
            } catch (IllegalArgumentException tooMany) {
                assertThat(tooMany).hasMessageContaining("receive: " + (most + 1) + " buffers are too many")
                        .hasMessageContaining("take slices of it")
                        .hasMessageContaining("rx().iovLimit()");
                if (tooMany.getMessage().contains("at most " + most)) {
                    return most;
                }
            }
        }
        throw new AssertionError("takes any number");
    }

    private static void allCountsAndSizes(Nodes nodes, Send send, Receive receive) throws Exception {
        int limit = limit(nodes.b, receive);
        assertThat(limit).isGreaterThan(1);
        long inject = nodes.a.info().tx().injectSize();
        long largest = nodes.a.info().endpoint().maxMessageSize();
        for (int count : new int[] {1, 2, limit}) {
            for (long middle : new long[] {0, inject + 1, count == limit ? 1 << 20 : 20_000}) {
                Room room = Room.make(nodes.b, count, middle);
                if (room.size() <= largest) {
                    arrives(nodes.a, room, room.size(), send, receive);
                    // ends in the middle one
                    room.all.fill((byte) 0x55);
                    arrives(nodes.a, room, room.size() / 2, send, receive);
                }
            }
        }
        arrives(nodes.a, Room.of(nodes.b), 0, send, receive);
        arrives(nodes.a, Room.of(nodes.b, 0, 0), 0, send, receive);
        arrives(nodes.a, Room.of(nodes.b, 40, 0), 30, send, receive);
        arrives(nodes.a, Room.of(nodes.b, 8, 1000), 8, send, receive);
        arrives(nodes.a, Room.of(nodes.b, 0, 1000), 1000, send, receive);
        assertThat(nodes.b.underWay() + nodes.b.waiting()).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void withoutTags(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            allCountsAndSizes(nodes, message -> nodes.a.send(message, nodes.toB), nodes.b::receive);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void withTags(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            allCountsAndSizes(nodes, message -> nodes.a.send(message, nodes.toB, 7),
                    buffers -> nodes.b.receive(buffers, 7));
            arrives(nodes.a, Room.of(nodes.b, 8, 100), 50, message -> nodes.a.send(message, nodes.toB, 0x47),
                    buffers -> nodes.b.receiveMatching(buffers, 0x40, 0xf));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void fromOnePeer(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> hints.addCapabilities(Capability.MSG, Capability.TAGGED,
                Capability.DIRECTED_RECV))) {
            for (long length : new long[] {50, 5000}) {
                Room room = Room.of(nodes.b, 8, length);
                arrives(nodes.a, room, length, message -> nodes.a.send(message, nodes.toB),
                        buffers -> nodes.b.receive(buffers, nodes.toA));
                arrives(nodes.a, room, length + 8, message -> nodes.a.send(message, nodes.toB, 7),
                        buffers -> nodes.b.receive(buffers, nodes.toA, 7));
                arrives(nodes.a, room, length + 8, message -> nodes.a.send(message, nodes.toB, 0x47),
                        buffers -> nodes.b.receiveMatching(buffers, nodes.toA, 0x40, 0xf));
            }
        }
    }

    /** Also with as many buffers as there may be: then, too, it is seen that the message is longer. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aMessageThatIsTooLongFailsItsReceive(Providers.Choice choice) throws Exception {
        for (boolean many : new boolean[] {false, true}) {
            // one each: libfabric before 1.18 may end the connection below
            try (Nodes nodes = Nodes.open(choice)) {
                Send send = message -> nodes.a.send(message, nodes.toB);
                int limit = limit(nodes.b, nodes.b::receive);
                // they know each other then
                arrives(nodes.a, Room.of(nodes.b, 100), 100, send, nodes.b::receive);
                Room room = Room.make(nodes.b, many ? limit : 2, 300);
                MemorySegment message = Bytes.pattern(nodes.a.memory(), room.size() + 1, 9);
                CompletableFuture<Received> got = nodes.b.receive(room.buffers);
                CompletableFuture<Void> sent = send.start(message);
                assertThatThrownBy(() -> get(got)).cause().isInstanceOfSatisfying(FabricException.class,
                        e -> assertThat(e.error()).isEqualTo(FabricError.ETRUNC)).hasMessageContaining(
                        "receive of at most " + room.size() + " bytes in " + room.buffers.size() + " buffers");
                sent.handle((done, why) -> done).get(30, TimeUnit.SECONDS);
                for (MemorySegment buffer : room.buffers) {
                    buffer.fill((byte) 0x55);
                }
                assertThat(room.all.mismatch(Arena.ofAuto().allocate(room.all.byteSize()).fill((byte) 0x55)))
                        .as("beside the buffers").isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.async.ConnectionsTest#msg")
    void overConnections(Providers.Choice choice) throws Exception {
        try (Node server = ConnectionsTest.open(choice); Node client = ConnectionsTest.open(choice);
             NodeListener listener = server.listen()) {
            ConnectionsTest.Connection pair = ConnectionsTest.Connection.make(client, listener);
            Receive receive = buffers -> server.receive(buffers, pair.atServer());
            for (long length : new long[] {0, 8, 9, 100, 64 << 10, 1 << 20}) {
                arrives(client, Room.of(server, 8, length), length, out -> client.send(out, pair.atClient()), receive);
            }
            assertThatThrownBy(() -> server.receive(List.of(server.allocate(8), server.allocate(8))))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("connection-oriented");
            CompletableFuture<Received> last = receive.start(Room.of(server, 8, 8).buffers);
            pair.atClient().close();
            assertThatThrownBy(() -> get(last)).hasMessageContaining("FI_ECONNRESET");
        }
    }

    /** More than the provider takes: most wait in the node, and all get their messages in order. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void manyAtOnce(Providers.Choice choice) throws Exception {
        int count = 200;
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withReceiveLimit(16))) {
            MemorySegment in = nodes.b.allocate(108L * count);
            List<CompletableFuture<Received>> got = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                got.add(nodes.b.receive(List.of(in.asSlice(108L * i + 100, 8), in.asSlice(108L * i, 100)), 3));
            }
            assertThat(nodes.b.waiting()).isPositive();
            MemorySegment payload = Bytes.pattern(nodes.a.memory(), 100, 5);
            for (int i = 0; i < count; i++) {
                MemorySegment number = nodes.a.allocate(8);
                number.set(ValueLayout.JAVA_LONG, 0, i);
                nodes.a.send(List.of(number, payload), nodes.toB, 3);
            }
            for (int i = 0; i < count; i++) {
                assertThat(get(got.get(i)).length()).isEqualTo(108);
                assertThat(in.get(ValueLayout.JAVA_LONG_UNALIGNED, 108L * i + 100)).isEqualTo(i);
                assertThat(in.asSlice(108L * i, 100).mismatch(payload)).isEqualTo(-1);
            }
        }
    }
}
