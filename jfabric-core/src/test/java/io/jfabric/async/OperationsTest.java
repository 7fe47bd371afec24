// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operations of nodes that NodeTest does not show, and what they refuse. */
class OperationsTest {
    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void tagsOfTheNodesOwnMessagesAreRefused(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment out = Bytes.pattern(nodes.a.memory(), 8, 1);
            MemorySegment in = nodes.b.allocate(8);
            for (long tag : new long[] {1L << 61, 1L << 62, 3L << 61, -1, 1L << 62 | 5}) {
                for (Runnable wrong : List.<Runnable>of(() -> nodes.a.send(out, nodes.toB, tag),
                        () -> nodes.a.send(out, 0, 8, nodes.toB, tag), () -> nodes.a.sendData(out, 1, nodes.toB, tag),
                        () -> nodes.b.receive(in, tag), () -> nodes.b.receiveMatching(in, tag, 0),
                        () -> nodes.b.receiveMatching(in, 0, 8, tag, 0))) {
                    assertThatIllegalArgumentException().isThrownBy(wrong::run).withMessageContaining("bit 61 or 62")
                            .withMessageContaining(Long.toHexString(tag));
                }
            }
            assertThat(nodes.a.underWay() + nodes.b.underWay()).isZero();
            // those beside them are the program's
            CompletableFuture<Received> got = nodes.b.receive(in, 1L << 60);
            get(nodes.a.send(out, nodes.toB, 1L << 60));
            assertThat(get(got).tag()).isEqualTo(1L << 60);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    private static FabricError failure(CompletableFuture<?> future) {
        assertThatThrownBy(() -> get(future)).isInstanceOf(ExecutionException.class).cause()
                .isInstanceOf(FabricException.class);
        return ((FabricException) future.exceptionNow()).error();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aMessageThatIsTooLongFailsItsReceive(Providers.Choice choice) throws Exception {
        for (boolean tagged : new boolean[] {false, true}) {
            // one each: libfabric before 1.18 may end the connection below
            try (Nodes nodes = Nodes.open(choice)) {
                MemorySegment out = Bytes.pattern(nodes.a.memory(), 100, 1);
                MemorySegment in = nodes.b.allocate(100);
                // they know each other then
                CompletableFuture<Received> first = nodes.b.receive(in, 1);
                get(nodes.a.send(out, nodes.toB, 1));
                get(first);
                in.fill((byte) 0);
                MemorySegment room = in.asSlice(0, 50);
                CompletableFuture<Received> got = tagged ? nodes.b.receive(room, 7) : nodes.b.receive(room);
                CompletableFuture<Void> sent = tagged ? nodes.a.send(out, nodes.toB, 7) : nodes.a.send(out, nodes.toB);
                assertThat(failure(got)).isEqualTo(FabricError.ETRUNC);
                sent.handle((done, why) -> done).get(30, TimeUnit.SECONDS);
                assertThat(in.asSlice(50).mismatch(nodes.a.allocate(50))).as("behind the receive").isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void taggedMessagesWithImmediateData(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment out = Bytes.pattern(nodes.a.memory(), 1000, 3);
            MemorySegment in = nodes.b.allocate(1000);
            CompletableFuture<Received> got = nodes.b.receive(in, 42);
            get(nodes.a.sendData(out, 77, nodes.toB, 42));
            Received received = get(got);
            assertThat(received.data()).hasValue(77);
            assertThat(received.tag()).isEqualTo(42);
            assertThat(received.length()).isEqualTo(1000);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    private static MemorySegment longs(Node node, long... values) {
        return node.allocate(8L * values.length).copyFrom(MemorySegment.ofArray(values));
    }

    /** Each way by itself: what a write or an operand brings is sent, what a read or a result brings is received. */
    @Test
    void theBytesOfEachOperationAreCounted() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.SHM, hints -> hints.capabilities(Capability.ATOMIC, Capability.RMA,
                Capability.MSG, Capability.TAGGED))) {
            RemoteRegion region = nodes.b.register(nodes.b.allocate(512), MemoryAccess.REMOTE_WRITE,
                    MemoryAccess.REMOTE_READ).remote();
            get(nodes.a.write(nodes.a.allocate(24), nodes.toB, region, 0));
            assertMoved(nodes.a, 24, 0);
            get(nodes.a.read(nodes.a.allocate(40), nodes.toB, region, 0));
            assertMoved(nodes.a, 24, 40);
            get(nodes.a.fetchAndAdd(nodes.toB, region, 0, 1));
            assertMoved(nodes.a, 32, 48);
            get(nodes.a.apply(longs(nodes.a, 10, 20), nodes.toB, region, 8, Datatype.INT64, AtomicOp.SUM));
            assertMoved(nodes.a, 48, 48);
            get(nodes.a.compareAndApply(longs(nodes.a, 20), longs(nodes.a, 2), nodes.a.allocate(8), nodes.toB, region,
                    8, Datatype.INT64, AtomicOp.CSWAP));
            assertMoved(nodes.a, 56, 56);
            CompletableFuture<Received> message = nodes.b.receive(nodes.b.allocate(200), 3);
            get(nodes.a.send(nodes.a.allocate(100), nodes.toB, 3));
            get(message);
            assertMoved(nodes.a, 156, 56);
            assertMoved(nodes.b, 0, 100);
        }
    }

    private static void assertMoved(Node node, long sent, long received) {
        assertThat(node.statistics().bytesSent()).as("sent").isEqualTo(sent);
        assertThat(node.statistics().bytesReceived()).as("received").isEqualTo(received);
    }

    private static Nodes openForAtomics(Providers.Choice choice) {
        assumeTrue(choice.isOffered(hints -> hints.capabilities(Capability.ATOMIC, Capability.RMA)),
                choice + " has no atomics");
        return Nodes.open(choice, hints -> hints.capabilities(Capability.ATOMIC, Capability.RMA));
    }

    /** What is beside the target stays as it is. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void operandsAreApplied(Providers.Choice choice) throws Exception {
        try (Nodes nodes = openForAtomics(choice)) {
            MemorySegment target = longs(nodes.b, 1, 2, 3, 4);
            RemoteRegion region = nodes.b.register(target, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ)
                    .remote();
            get(nodes.a.apply(longs(nodes.a, 10, 20), nodes.toB, region, 8, Datatype.INT64, AtomicOp.SUM));
            // the future says only that the operands may be used again; reads need not wait for the target's turn
            MemorySegment before = nodes.a.allocate(32);
            long[] after = {1, 12, 23, 4};
            Waits.until("the operands are applied", () -> {
                nodes.a.read(before, nodes.toB, region, 0).join();
                return Arrays.equals(before.toArray(ValueLayout.JAVA_LONG), after);
            });
            assertThat(target.toArray(ValueLayout.JAVA_LONG)).containsExactly(after);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whereAComparisonHoldsMemoryIsReplaced(Providers.Choice choice) throws Exception {
        try (Nodes nodes = openForAtomics(choice)) {
            MemorySegment target = longs(nodes.b, 1, 2, 3, 4);
            RemoteRegion region = nodes.b.register(target, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ)
                    .remote();
            // rxd would crash if a fetch were the first operation to a peer; jfabric says so
            get(nodes.a.write(longs(nodes.a, 1), nodes.toB, region, 0));
            MemorySegment previous = nodes.a.allocate(16);
            get(nodes.a.compareAndApply(longs(nodes.a, 20, 30), longs(nodes.a, 2, 5), previous, nodes.toB, region, 8,
                    Datatype.INT64, AtomicOp.CSWAP));
            assertThat(previous.toArray(ValueLayout.JAVA_LONG)).containsExactly(2, 3);
            assertThat(target.toArray(ValueLayout.JAVA_LONG)).containsExactly(1, 20, 3, 4);
        }
    }
}
