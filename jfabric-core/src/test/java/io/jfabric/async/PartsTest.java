// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts of buffers, in the operations that have immediate data or a sender: up to the last byte, and no further. */
class PartsTest {
    private static final int SIZE = 1000;
    private static final long[][] OUTSIDE = {{-1, 1}, {0, -1}, {0, SIZE + 1}, {SIZE, 1}, {1, SIZE}, {SIZE + 1, 0},
        {Long.MAX_VALUE, 1}, {1, Long.MAX_VALUE}, {Long.MIN_VALUE, Long.MIN_VALUE}};

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private interface Part {
        CompletableFuture<?> start(long offset, long length);
    }

    private static void isRefused(String operation, Part part) {
        for (long[] wrong : OUTSIDE) {
            assertThatThrownBy(() -> part.start(wrong[0], wrong[1])).as("%s from %d, %d", operation, wrong[0], wrong[1])
                    .isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining(operation)
                    .hasMessageContaining("" + wrong[0]).hasMessageContaining("buffer of " + SIZE + " bytes");
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void messagesWithImmediateData(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment out = Bytes.pattern(nodes.a.memory(), SIZE, 3);
            MemorySegment in = nodes.b.allocate(SIZE);
            for (long[] part : new long[][] {{0, 1}, {7, 500}, {SIZE - 1, 1}, {0, SIZE}}) {
                MemorySegment sent = out.asSlice(part[0], part[1]);
                CompletableFuture<Received> got = nodes.b.receive(in);
                get(nodes.a.sendData(out, part[0], part[1], 77, nodes.toB));
                Received received = get(got);
                assertThat(received.data()).hasValue(77);
                assertThat(received.length()).isEqualTo(part[1]);
                assertThat(in.asSlice(0, part[1]).mismatch(sent)).isEqualTo(-1);
                CompletableFuture<Received> tagged = nodes.b.receive(in.fill((byte) 0), 42);
                get(nodes.a.within(NodeOptions.DEFAULT.deadline()).sendData(out, part[0], part[1], 78, nodes.toB, 42));
                received = get(tagged);
                assertThat(received.data()).hasValue(78);
                assertThat(received.length()).isEqualTo(part[1]);
                assertThat(in.asSlice(0, part[1]).mismatch(sent)).isEqualTo(-1);
            }
            isRefused("sendData", (offset, length) -> nodes.a.sendData(out, offset, length, 1, nodes.toB));
            isRefused("sendData", (offset, length) -> nodes.a.sendData(out, offset, length, 1, nodes.toB, 5));
            assertThatThrownBy(() -> nodes.a.sendData(null, 0, 1, 1, nodes.toB))
                    .isInstanceOf(NullPointerException.class).hasMessageContaining("sendData: the buffer is null");
            assertThat(nodes.a.underWay()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void writesWithImmediateData(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment target = nodes.b.allocate(SIZE);
            RemoteRegion region = nodes.b.register(target, MemoryAccess.REMOTE_WRITE).remote();
            BlockingQueue<Long> told = new LinkedBlockingQueue<>();
            nodes.b.onWritten(told::add);
            MemorySegment out = Bytes.pattern(nodes.a.memory(), SIZE, 5);
            get(nodes.a.writeData(out, SIZE - 10, 10, 9, nodes.toB, region, 100));
            assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(9);
            assertThat(target.asSlice(100, 10).mismatch(out.asSlice(SIZE - 10))).isEqualTo(-1);
            assertThat(target.asSlice(110).mismatch(nodes.a.allocate(SIZE - 110))).as("behind it").isEqualTo(-1);
            isRefused("writeData", (offset, length) -> nodes.a.writeData(out, offset, length, 1, nodes.toB, region,
                    0));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void receivesFromAnyone(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment out = Bytes.pattern(nodes.a.memory(), 10, 8);
            MemorySegment in = nodes.b.allocate(SIZE);
            CompletableFuture<Received> plain = nodes.b.receive(in, SIZE - 10, 10);
            CompletableFuture<Received> tagged = nodes.b.receive(in, 1, 10, 3);
            CompletableFuture<Received> matching = nodes.b.receiveMatching(in, 21, 10, 0x40, 0xf);
            get(nodes.a.send(out, nodes.toB));
            get(nodes.a.send(out, nodes.toB, 3));
            get(nodes.a.send(out, nodes.toB, 0x47));
            assertThat(get(plain).length()).isEqualTo(10);
            assertThat(get(tagged).tag()).isEqualTo(3);
            assertThat(get(matching).tag()).isEqualTo(0x47);
            for (long at : new long[] {1, 21, SIZE - 10}) {
                assertThat(in.asSlice(at, 10).mismatch(out)).as("at %s", at).isEqualTo(-1);
            }
            assertThat(in.asSlice(31, SIZE - 41).mismatch(nodes.a.allocate(SIZE - 41))).isEqualTo(-1);
            for (Part part : List.<Part>of((offset, length) -> nodes.b.receive(in, offset, length),
                    (offset, length) -> nodes.b.receive(in, offset, length, 3),
                    (offset, length) -> nodes.b.receiveMatching(in, offset, length, 3, 1))) {
                areRefused(part);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void receivesFromOnePeer(Providers.Choice choice) throws Exception {
        Consumer<Hints> hints = h -> h.capabilities(Capability.MSG, Capability.TAGGED, Capability.DIRECTED_RECV);
        assumeTrue(choice.isOffered(hints), choice + " has no directed receives");
        try (Nodes nodes = Nodes.open(choice, hints)) {
            MemorySegment out = Bytes.pattern(nodes.a.memory(), 10, 7);
            MemorySegment in = nodes.b.allocate(SIZE);
            CompletableFuture<Received> plain = nodes.b.receive(in, SIZE - 10, 10, nodes.toA);
            CompletableFuture<Received> tagged = nodes.b.receive(in, 1, 10, nodes.toA, 3);
            CompletableFuture<Received> matching = nodes.b.receiveMatching(in, 21, 10, nodes.toA, 0x40, 0xf);
            get(nodes.a.send(out, nodes.toB));
            get(nodes.a.send(out, nodes.toB, 3));
            get(nodes.a.send(out, nodes.toB, 0x47));
            assertThat(get(plain).length()).isEqualTo(10);
            assertThat(get(tagged).length()).isEqualTo(10);
            assertThat(get(matching).tag()).isEqualTo(0x47);
            for (long at : new long[] {1, 21, SIZE - 10}) {
                assertThat(in.asSlice(at, 10).mismatch(out)).as("at %s", at).isEqualTo(-1);
            }
            assertThat(in.asSlice(31, SIZE - 41).mismatch(nodes.a.allocate(SIZE - 41))).isEqualTo(-1);
            for (Part part : List.<Part>of((offset, length) -> nodes.b.receive(in, offset, length, nodes.toA),
                    (offset, length) -> nodes.b.receive(in, offset, length, nodes.toA, 3),
                    (offset, length) -> nodes.b.receiveMatching(in, offset, length, nodes.toA, 3, 1))) {
                areRefused(part);
            }
        }
    }

    private static void areRefused(Part part) {
        for (long[] wrong : OUTSIDE) {
            assertThatThrownBy(() -> get(part.start(wrong[0], wrong[1]))).satisfiesAnyOf(
                    e -> assertThat(e).isInstanceOf(IndexOutOfBoundsException.class),
                    e -> assertThat(e).hasCauseInstanceOf(IndexOutOfBoundsException.class));
        }
    }
}
