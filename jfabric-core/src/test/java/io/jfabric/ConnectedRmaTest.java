// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Mode;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Remote memory access and atomic operations over connections, on every provider that has connections. */
class ConnectedRmaTest {
    private static final int SIZE = 1 << 16;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /** A connection, memory of the server's, and the client that works on it. */
    private static final class Link implements AutoCloseable {
        final Arena arena = Arena.ofShared();
        final Connected connected;
        final Side client;
        final Side server;
        final MemorySegment memory = arena.allocate(SIZE, 8);
        final RemoteRegion region;
        final Rma rma;

        Link(Providers.Choice choice) {
            this(choice, Capability.MSG, Capability.RMA);
        }

        Link(Providers.Choice choice, Capability... capabilities) {
            connected = new Connected(choice, hints -> hints.capabilities(capabilities));
            Side[] sides = connected.connect(endpoint -> { });
            client = sides[0];
            server = sides[1];
            region = RemoteRegion.of(server.endpoint.register(memory, MemoryAccess.REMOTE_READ,
                    MemoryAccess.REMOTE_WRITE).remote().toBytes());
            rma = client.endpoint.rma();
        }

        void post(BooleanSupplier operation) {
            connected.await(() -> operation.getAsBoolean() ? true : null);
        }

        Done done(Side side, long context) {
            Done done = connected.await(() -> side.take(d -> d.context() == context));
            assertThat(done.error()).isNull();
            return done;
        }

        /** Posts and waits for the completion. */
        Done run(long context, BooleanSupplier operation) {
            post(operation);
            return done(client, context);
        }

        /** A write may complete before the target has it. */
        void untilEqual(long offset, MemorySegment expected) {
            MemorySegment target = memory.asSlice(offset, expected.byteSize());
            connected.await(() -> target.mismatch(expected) == -1 ? true : null);
        }

        @Override
        public void close() {
            connected.close();
            arena.close();
        }
    }

    static Stream<Providers.Choice> providers() {
        return Providers.msg().filter(c -> c.isOffered(h -> h.capabilities(Capability.MSG, Capability.RMA)));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void writesAndReadsBack(Providers.Choice choice) {
        try (Link link = new Link(choice)) {
            for (long size : new long[] {1, 8, 200, 4096, SIZE - 40}) {
                MemorySegment out = Bytes.pattern(link.arena, size, (int) size);
                MemorySegment in = link.arena.allocate(size, 8);
                Done written = link.run(1, () -> link.rma.write(out, Address.ANY, link.region, 40, 1));
                assertThat(written.is(CompletionFlag.RMA)).isTrue();
                assertThat(written.is(CompletionFlag.WRITE)).isTrue();
                link.untilEqual(40, out);
                Done read = link.run(2, () -> link.rma.read(in, Address.ANY, link.region, 40, 2));
                assertThat(read.is(CompletionFlag.READ)).isTrue();
                assertThat(in.mismatch(out)).isEqualTo(-1);
            }
            assertThat(link.memory.asSlice(0, 40).mismatch(link.arena.allocate(40))).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void gathersScattersAndTakesParts(Providers.Choice choice) {
        try (Link link = new Link(choice)) {
            MemorySegment out = Bytes.pattern(link.arena, 300, 5);
            MemorySegment in = link.arena.allocate(300, 8);
            RmaRequest from = link.rma.writeRequest().buffers(out.asSlice(0, 100), out.asSlice(100, 200))
                    .range(link.region, 8, 300);
            RmaRequest into = link.rma.readRequest().buffers(in.asSlice(0, 16), in.asSlice(16, 284))
                    .range(link.region, 8, 300);
            link.run(1, () -> from.post(1));
            link.untilEqual(8, out);
            link.run(2, () -> into.post(2));
            assertThat(in.mismatch(out)).isEqualTo(-1);
            RemoteRegion half = link.region.slice(SIZE / 2, SIZE / 2);
            link.run(3, () -> link.rma.write(out, 100, 50, Address.ANY, half, 10, 3));
            link.untilEqual(SIZE / 2 + 10, out.asSlice(100, 50));
            in.fill((byte) 0);
            link.run(4, () -> link.rma.read(in, 200, 50, Address.ANY, half, 10, 4));
            assertThat(in.asSlice(200, 50).mismatch(out.asSlice(100, 50))).isEqualTo(-1);
            assertThat(in.asSlice(0, 200).mismatch(link.arena.allocate(200))).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void injects(Providers.Choice choice) {
        try (Link link = new Link(choice)) {
            MemorySegment out = Bytes.pattern(link.arena, 32, 9);
            link.post(() -> link.rma.inject(out, Address.ANY, link.region, 64));
            out.fill((byte) 0);
            link.untilEqual(64, Bytes.pattern(link.arena, 32, 9));
            assertThat(link.memory.asSlice(0, 64).mismatch(link.arena.allocate(64))).isEqualTo(-1);
            assertThat(link.client.done()).as("an inject has no completion").isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void tellsThePeerByImmediateData(Providers.Choice choice) {
        try (Link link = new Link(choice)) {
            MemorySegment out = Bytes.pattern(link.arena, 48, 4);
            told(link, 0x1234, 0, out, () -> link.rma.writeData(out, 0x1234, Address.ANY, link.region, 0, 1));
            link.done(link.client, 1);
            told(link, 0x5678, 512, out, () -> link.rma.injectData(out, 0x5678, Address.ANY, link.region, 512));
            told(link, 0x9ABC, 1024, out, () -> link.rma.writeRequest().buffers(out).data(0x9ABC)
                    .range(link.region, 1024, out.byteSize()).flags(OperationFlag.COMPLETION).post(3));
            link.done(link.client, 3);
        }
    }

    /** The server's completion says that the memory is written: no more progress is needed then. */
    private static void told(Link link, long data, long offset, MemorySegment expected, BooleanSupplier operation) {
        if (link.connected.info().mode().contains(Mode.RX_CQ_DATA)) {
            MemorySegment unused = link.arena.allocate(8, 8);
            link.post(() -> link.server.endpoint.messages().receive(unused, Address.ANY, 77));
        }
        link.post(operation);
        Done told = link.connected.await(() -> link.server.take(d -> d.is(CompletionFlag.REMOTE_CQ_DATA)));
        assertThat(told.error()).isNull();
        assertThat(told.data()).isEqualTo(data);
        assertThat(told.is(CompletionFlag.REMOTE_WRITE)).as("flags 0x%x", told.flags()).isTrue();
        assertThat(link.memory.asSlice(offset, expected.byteSize()).mismatch(expected)).isEqualTo(-1);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void messagesGoBetweenWritesBothWays(Providers.Choice choice) {
        try (Link link = new Link(choice)) {
            MemorySegment in = link.arena.allocate(4096, 8);
            for (int i = 1; i <= 4; i++) {
                int seed = i;
                Side from = i % 2 == 0 ? link.client : link.server;
                Side to = i % 2 == 0 ? link.server : link.client;
                MemorySegment out = Bytes.pattern(link.arena, 1000 * i, seed);
                link.post(() -> to.endpoint.messages().receive(in, Address.ANY, 100));
                link.post(() -> link.rma.write(out, Address.ANY, link.region, 0, 101));
                link.post(() -> from.endpoint.messages().send(out, Address.ANY, 102));
                assertThat(link.done(to, 100).length()).isEqualTo(out.byteSize());
                link.done(link.client, 101);
                link.done(from, 102);
                assertThat(in.asSlice(0, out.byteSize()).mismatch(out)).isEqualTo(-1);
                link.untilEqual(0, out);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void tagsMatchOrAreRefused(Providers.Choice choice) {
        Capability[] wanted = {Capability.MSG, Capability.RMA, Capability.TAGGED};
        boolean offered = choice.isOffered(h -> h.capabilities(wanted));
        try (Link link = offered ? new Link(choice, wanted) : new Link(choice)) {
            MemorySegment one = Bytes.pattern(link.arena, 100, 1);
            MemorySegment two = Bytes.pattern(link.arena, 100, 2);
            MemorySegment in = link.arena.allocate(200, 8);
            TaggedMessages client = link.client.endpoint.tagged();
            TaggedMessages server = link.server.endpoint.tagged();
            if (offered) {
                link.post(() -> server.receive(in.asSlice(0, 100), Address.ANY, 22, 0, 1));
                link.post(() -> server.receive(in.asSlice(100, 100), Address.ANY, 11, 0, 2));
                link.post(() -> client.send(one, Address.ANY, 11, 3));
                link.post(() -> client.send(two, Address.ANY, 22, 4));
                link.done(link.server, 1);
                link.done(link.server, 2);
                assertThat(in.asSlice(0, 100).mismatch(two)).isEqualTo(-1);
                assertThat(in.asSlice(100, 100).mismatch(one)).isEqualTo(-1);
            } else {
                isRefused(choice, () -> server.receive(in, Address.ANY, 22, 0, 1));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void atomicsWorkOrAreRefused(Providers.Choice choice) {
        Capability[] wanted = {Capability.MSG, Capability.RMA, Capability.ATOMIC};
        boolean offered = choice.isOffered(h -> h.capabilities(wanted));
        try (Link link = offered ? new Link(choice, wanted) : new Link(choice)) {
            MemorySegment start = link.arena.allocateFrom(LONG, 40);
            MemorySegment operand = link.arena.allocateFrom(LONG, 2);
            MemorySegment comparand = link.arena.allocateFrom(LONG, 42);
            MemorySegment result = link.arena.allocate(8, 8);
            Atomics atomics = link.client.endpoint.atomics();
            if (!offered) {
                isRefused(choice, () -> atomics.apply(operand, Address.ANY, link.region, 8, Datatype.UINT64,
                        AtomicOp.SUM, 1));
                isRefused(choice, () -> atomics.fetchAndApply(operand, result, Address.ANY, link.region, 8,
                        Datatype.UINT64, AtomicOp.SUM, 1));
                assertThat(link.memory.getAtIndex(LONG, 1)).isZero();
                return;
            }
            link.run(1, () -> atomics.apply(start, Address.ANY, link.region, 8, Datatype.UINT64,
                    AtomicOp.ATOMIC_WRITE, 1));
            link.connected.await(() -> link.memory.getAtIndex(LONG, 1) == 40 ? true : null);
            link.run(2, () -> atomics.fetchAndApply(null, result, Address.ANY, link.region, 8, Datatype.UINT64,
                    AtomicOp.ATOMIC_READ, 2));
            assertThat(result.get(LONG, 0)).isEqualTo(40);
            if (atomics.maxCount(AtomicForm.FETCH, Datatype.UINT64, AtomicOp.SUM) > 0) {
                link.run(3, () -> atomics.fetchAndApply(operand, result, Address.ANY, link.region, 8, Datatype.UINT64,
                        AtomicOp.SUM, 3));
                assertThat(result.get(LONG, 0)).isEqualTo(40);
                link.run(4, () -> atomics.compareAndApply(operand, comparand, result, Address.ANY, link.region, 8,
                        Datatype.UINT64, AtomicOp.CSWAP, 4));
                assertThat(result.get(LONG, 0)).isEqualTo(42);
                link.connected.await(() -> link.memory.getAtIndex(LONG, 1) == 2 ? true : null);
            } else {
                // libfabric's issue 10911
                assertThat(choice).isEqualTo(Providers.VERBS_MSG);
                isRefused(choice, () -> atomics.fetchAndApply(operand, result, Address.ANY, link.region, 8,
                        Datatype.UINT64, AtomicOp.SUM, 5));
                isRefused(choice, () -> atomics.compareAndApply(operand, comparand, result, Address.ANY, link.region,
                        8, Datatype.UINT64, AtomicOp.CSWAP, 6));
                assertThat(link.memory.getAtIndex(LONG, 1)).isEqualTo(40);
            }
        }
    }

    private static void isRefused(Providers.Choice choice, BooleanSupplier operation) {
        assertThatThrownBy(operation::getAsBoolean).isInstanceOfSatisfying(FabricException.class, e -> {
            assertThat(e.error()).isIn(FabricError.ENOSYS, FabricError.EOPNOTSUPP);
            assertThat(e).hasMessageContaining(choice.provider());
        });
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aWrongKeyIsAnErrorCompletion(Providers.Choice choice) {
        try (Link link = new Link(choice)) {
            RemoteRegion forged = RemoteRegion.of(link.region.base(), SIZE, link.region.key() + 77);
            MemorySegment in = link.arena.allocate(64, 8);
            link.post(() -> link.rma.read(in, Address.ANY, forged, 0, 5));
            Done done = link.connected.await(() -> link.client.take(d -> d.context() == 5));
            assertThat(done.error()).isNotNull();
            assertThat(done.error().toException()).isInstanceOf(FabricException.class);
            assertThat(in.mismatch(link.arena.allocate(64))).isEqualTo(-1);
        }
    }
}
