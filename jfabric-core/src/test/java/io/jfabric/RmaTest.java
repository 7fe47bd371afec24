// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.MessageOrder;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Remote memory access (fi_rma(3)) between two endpoints, on every provider that has it. */
class RmaTest {
    private static final int SIZE = 1 << 16;
    private static final OperationFlag[] DELIVERED = {OperationFlag.COMPLETION, OperationFlag.DELIVERY_COMPLETE};

    static Stream<Providers.Choice> providers() {
        return Providers.rdm();
    }

    private static Pair open(Providers.Choice choice) {
        return Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA));
    }

    /** Memory of b's that a may read and write; travels as bytes, as it would between processes. */
    private static RemoteRegion share(Pair pair, MemorySegment memory) {
        MemoryRegion region = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
        return RemoteRegion.of(region.remote().toBytes());
    }

    /** A write may complete before the target has it: until then both sides make progress. */
    private static void untilEqual(Pair pair, MemorySegment actual, MemorySegment expected) {
        pair.until("the bytes have not arrived", () -> actual.mismatch(expected) == -1);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void writesAndReadsBack(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(SIZE, 8);
            RemoteRegion region = share(pair, memory);
            assertThat(region.byteSize()).isEqualTo(SIZE);
            Rma rma = pair.a.endpoint.rma();
            for (long size : new long[] {1, 8, 200, 4096, SIZE - 40}) {
                MemorySegment out = Bytes.pattern(arena, size, (int) size);
                MemorySegment in = arena.allocate(size, 8);
                pair.post(() -> rma.write(out, pair.a.peer, region, 40, size));
                Done written = pair.await(pair.a, size);
                assertThat(written.is(CompletionFlag.RMA)).isTrue();
                assertThat(written.is(CompletionFlag.WRITE)).isTrue();
                untilEqual(pair, memory.asSlice(40, size), out);
                pair.post(() -> rma.read(in, pair.a.peer, region, 40, size + 1));
                Done read = pair.await(pair.a, size + 1);
                assertThat(read.is(CompletionFlag.READ)).isTrue();
                assertThat(in.mismatch(out)).isEqualTo(-1);
            }
            assertThat(memory.asSlice(0, 40).mismatch(arena.allocate(40))).as("bytes before the target")
                    .isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void writesAndReadsParts(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(SIZE, 8);
            RemoteRegion half = share(pair, memory).slice(SIZE / 2, SIZE / 2);
            MemorySegment out = Bytes.pattern(arena, 1000, 3);
            MemorySegment in = arena.allocate(1000, 8);
            Rma rma = pair.a.endpoint.rma();
            pair.post(() -> rma.write(out, 100, 50, pair.a.peer, half, 10, 1));
            pair.await(pair.a, 1);
            untilEqual(pair, memory.asSlice(SIZE / 2 + 10, 50), out.asSlice(100, 50));
            pair.post(() -> rma.read(in, 200, 50, pair.a.peer, half, 10, 2));
            pair.await(pair.a, 2);
            assertThat(in.asSlice(200, 50).mismatch(out.asSlice(100, 50))).isEqualTo(-1);
            assertThat(in.asSlice(0, 200).mismatch(arena.allocate(200))).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void gathersAndScatters(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(SIZE, 8);
            RemoteRegion region = share(pair, memory);
            MemorySegment out = Bytes.pattern(arena, 300, 5);
            MemorySegment in = arena.allocate(300, 8);
            Rma rma = pair.a.endpoint.rma();
            RmaRequest from = rma.writeRequest().buffers(out.asSlice(0, 100), out.asSlice(100, 200))
                    .peer(pair.a.peer).range(region, 8, 300);
            RmaRequest into = rma.readRequest()
                    .buffers(in.asSlice(0, 16), in.asSlice(16, 84), in.asSlice(100, 200))
                    .peer(pair.a.peer).range(region, 8, 300);
            pair.post(() -> from.post(1));
            pair.await(pair.a, 1);
            untilEqual(pair, memory.asSlice(8, 300), out);
            pair.post(() -> into.post(2));
            pair.await(pair.a, 2);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void injects(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(SIZE, 8);
            RemoteRegion region = share(pair, memory);
            MemorySegment out = Bytes.pattern(arena, 32, 9);
            MemorySegment expected = Bytes.pattern(arena, 32, 9);
            Rma rma = pair.a.endpoint.rma();
            pair.post(() -> rma.inject(out, pair.a.peer, region, 64));
            out.fill((byte) 0);
            untilEqual(pair, memory.asSlice(64, 32), expected);
            Bytes.fill(out, 9);
            pair.post(() -> rma.inject(out, 8, 16, pair.a.peer, region, 128));
            untilEqual(pair, memory.asSlice(128, 16), expected.asSlice(8, 16));
            long tooMuch = pair.info.tx().injectSize() + 1;
            MemorySegment large = arena.allocate(tooMuch);
            if (tooMuch <= SIZE) {
                assertThatThrownBy(() -> rma.inject(large, pair.a.peer, region, 0))
                        .isInstanceOf(FabricException.class)
                        .hasMessageContaining("fi_inject_write").hasMessageContaining("inject takes at most");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void tellsThePeerByImmediateData(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(SIZE, 8);
            RemoteRegion region = share(pair, memory);
            MemorySegment out = Bytes.pattern(arena, 48, 4);
            Rma rma = pair.a.endpoint.rma();
            pair.post(() -> rma.writeData(out, 0x1234, pair.a.peer, region, 0, 1));
            pair.await(pair.a, 1);
            expectData(pair, 0x1234);
            // the completion says that the memory is written: no more progress is needed
            assertThat(memory.asSlice(0, 48).mismatch(out)).isEqualTo(-1);
            pair.post(() -> rma.injectData(out, 0x5678, pair.a.peer, region, 512));
            expectData(pair, 0x5678);
            assertThat(memory.asSlice(512, 48).mismatch(out)).isEqualTo(-1);
            pair.post(() -> rma.writeRequest().buffers(out).data(0x9ABC).peer(pair.a.peer)
                    .range(region, 1024, 48).flags(OperationFlag.COMPLETION).post(3));
            pair.await(pair.a, 3);
            expectData(pair, 0x9ABC);
            assertThat(memory.asSlice(1024, 48).mismatch(out)).isEqualTo(-1);
        }
    }

    /** Reads come with several completions at a time: ends of own writes between what the peer has written. */
    @ParameterizedTest
    @MethodSource("providers")
    void contextsAmongImmediateData(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            RemoteRegion region = share(pair, arena.allocate(SIZE, 8));
            RemoteRegion back = pair.a.endpoint.register(arena.allocate(SIZE, 8), MemoryAccess.REMOTE_WRITE).remote();
            MemorySegment out = Bytes.pattern(arena, SIZE, 4);
            pair.b.queue.ignoreSources();
            pair.connect();
            for (int round = 1; round <= 40; round++) {
                for (int i = 0; i < 4; i++) {
                    long context = round * 8L + i;
                    pair.post(() -> pair.a.endpoint.rma().writeData(out, 1, pair.a.peer, region, 0, context));
                }
                // some are left in the queue, and its own follow them there
                pair.untilWithoutProgress("the first has arrived", () -> pair.a.poll() + pair.b.poll(1) > 0
                        && !pair.b.done().isEmpty());
                for (int i = 4; i < 8; i++) {
                    long context = round * 8L + i;
                    pair.post(() -> pair.b.endpoint.rma().writeData(out, 1, pair.b.peer, back, 0, context));
                }
                for (int i = 0; i < 4; i++) {
                    pair.await(pair.a, round * 8L + i);
                    pair.await(pair.b, round * 8L + 4 + i);
                    expectData(pair, 1);
                }
            }
        }
    }

    private static void expectData(Pair pair, long data) {
        Done told = pair.awaitAny(pair.b, d -> d.is(CompletionFlag.REMOTE_CQ_DATA));
        assertThat(told.error()).isNull();
        assertThat(told.data()).isEqualTo(data);
        assertThat(told.context()).isZero();
        assertThat(told.is(CompletionFlag.REMOTE_WRITE)).as("flags 0x%x", told.flags()).isTrue();
        assertThat(told.is(CompletionFlag.RECV)).as("flags 0x%x", told.flags()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void usesSeveralRemoteRangesAtOnce(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            assumeTrue(pair.info.tx().rmaIovLimit() > 1, "one remote range per operation");
            MemorySegment first = arena.allocate(1000, 8);
            MemorySegment second = arena.allocate(1000, 8);
            RemoteRegion one = share(pair, first);
            RemoteRegion two = share(pair, second);
            MemorySegment out = Bytes.pattern(arena, 300, 5);
            MemorySegment in = arena.allocate(300, 8);
            Rma rma = pair.a.endpoint.rma();
            RmaRequest from = rma.writeRequest().buffers(out.asSlice(0, 60), out.asSlice(60, 240)).peer(pair.a.peer)
                    .range(one, 100, 200).addRange(two, 0, 100).flags(DELIVERED);
            RmaRequest back = rma.readRequest().buffers(in).peer(pair.a.peer).range(one, 100, 200)
                    .addRange(two, 0, 100).flags(OperationFlag.COMPLETION);
            pair.post(() -> from.post(1));
            pair.await(pair.a, 1);
            untilEqual(pair, first.asSlice(100, 200), out.asSlice(0, 200));
            untilEqual(pair, second.asSlice(0, 100), out.asSlice(200, 100));
            pair.post(() -> back.post(2));
            pair.await(pair.a, 2);
            assertThat(in.mismatch(out)).isEqualTo(-1);
            pair.post(() -> back.range(one, 100, 300).post(3));
            pair.await(pair.a, 3);
            assertThat(in.mismatch(first.asSlice(100, 300))).isEqualTo(-1);
            assertThatThrownBy(() -> back.buffers(in.asSlice(1)).post(2))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("299")
                    .hasMessageContaining("300");
        }
    }

    /** All but shm promise that writes arrive in order. */
    static Stream<Providers.Choice> ordered() {
        return providers().filter(c -> c.isOffered(RmaTest::askForOrder));
    }

    private static void askForOrder(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.RMA).tx().messageOrder(Flags.of(MessageOrder.RMA_WAW));
    }

    @ParameterizedTest
    @MethodSource("ordered")
    void laterWritesToTheSameBytesWin(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice, RmaTest::askForOrder)) {
            MemorySegment memory = arena.allocate(8, 8);
            RemoteRegion region = share(pair, memory);
            Rma rma = pair.a.endpoint.rma();
            int rounds = 64;
            for (int i = 1; i <= rounds; i++) {
                MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_LONG, i);
                long context = i;
                pair.post(() -> rma.write(value, pair.a.peer, region, 0, context));
            }
            for (int i = 1; i <= rounds; i++) {
                pair.await(pair.a, i);
            }
            pair.until("the last write", () -> memory.get(ValueLayout.JAVA_LONG, 0) == rounds);
        }
    }

    static Stream<Providers.Choice> withEvents() {
        // tcp grants RMA_EVENT, but never counts
        return providers().filter(c -> !c.provider().equals("tcp") && c.isOffered(RmaTest::askForEvents));
    }

    private static void askForEvents(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.RMA, Capability.RMA_EVENT);
    }

    @ParameterizedTest
    @MethodSource("withEvents")
    void aCounterCountsWhatPeersWrite(Providers.Choice choice) {
        List<Counter> counters = new ArrayList<>();
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice, RmaTest::askForEvents,
                CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> {
                    Counter counter = endpoint.domain().openCounter();
                    endpoint.bind(counter, BindFlag.REMOTE_WRITE);
                    counters.add(counter);
                })) {
            MemorySegment memory = arena.allocate(SIZE, 8);
            RemoteRegion region = share(pair, memory);
            MemorySegment out = Bytes.pattern(arena, 100, 3);
            for (int i = 1; i <= 5; i++) {
                long context = i;
                pair.post(() -> pair.a.endpoint.rma().write(out, pair.a.peer, region, context * 100, context));
                pair.await(pair.a, i);
                pair.until("write " + i, () -> counters.get(1).read() == context);
            }
            assertThat(counters.get(0).read()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void refusesWhatIsOutsideTheRegion(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(100, 8);
            RemoteRegion region = share(pair, memory);
            MemorySegment buffer = arena.allocate(64, 8);
            Rma rma = pair.a.endpoint.rma();
            long peer = pair.a.peer;
            for (long offset : new long[] {37, 100, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> rma.write(buffer, peer, region, offset, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("fi_write").hasMessageContaining("100 bytes");
                assertThatThrownBy(() -> rma.read(buffer, peer, region, offset, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining("fi_read");
            }
            assertThatThrownBy(() -> rma.write(MemorySegment.ofArray(new byte[8]), peer, region, 0, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("heap");
            assertThatThrownBy(() -> rma.read(buffer.asReadOnly(), peer, region, 0, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("read-only");
            assertThatThrownBy(() -> rma.readRequest().buffers(buffer.asReadOnly()))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("read-only");
            assertThatThrownBy(() -> rma.write((MemorySegment) null, peer, region, 0, 1))
                    .isInstanceOf(NullPointerException.class).hasMessageContaining("fi_write");
            assertThatThrownBy(() -> rma.write(buffer, 60, 5, peer, region, 0, 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            pair.a.endpoint.close();
            assertThatThrownBy(() -> rma.write(buffer, peer, region, 0, 1))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        }
    }

    /**
     * The target answers for a key that nobody registered. Not where nobody does: on shm this side copies from process
     * to process by address and looks at no key, and on rxd of 1.17 the target drops the request, after which nothing
     * completes any more.
     */
    static Stream<Providers.Choice> checkingKeys() {
        return providers().filter(c -> !c.provider().equals("shm") && !c.provider().contains("rxd"));
    }

    @ParameterizedTest
    @MethodSource("checkingKeys")
    void aWrongKeyIsAnErrorCompletion(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(100, 8);
            RemoteRegion region = share(pair, memory);
            RemoteRegion forged = RemoteRegion.of(region.base(), 100, region.key() + 77);
            MemorySegment buffer = Bytes.pattern(arena, 64, 1);
            pair.post(() -> pair.a.endpoint.rma().read(buffer, pair.a.peer, forged, 0, 5));
            Done done = pair.awaitError(pair.a, 5);
            assertThat(done.error().toException()).isInstanceOf(FabricException.class);
        }
    }

    @Test
    void providersWithoutItSayWhatToAskFor() {
        assumeTrue(Providers.UDP.isOffered(), "no udp");
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.UDP)) {
            MemorySegment buffer = arena.allocate(8, 8);
            RemoteRegion region = RemoteRegion.of(0, 8, 1);
            Rma rma = pair.a.endpoint.rma();
            assertThatThrownBy(() -> rma.write(buffer, pair.a.peer, region, 0, 1)).satisfies(RmaTest::isRefused);
            assertThatThrownBy(() -> rma.read(buffer, pair.a.peer, region, 0, 1)).satisfies(RmaTest::isRefused);
            assertThatThrownBy(() -> rma.writeData(buffer, 1, pair.a.peer, region, 0, 1))
                    .satisfies(RmaTest::isRefused);
            RmaRequest request = rma.writeRequest().buffers(buffer).peer(pair.a.peer).range(region, 0, 8)
                    .flags(DELIVERED);
            assertThatThrownBy(() -> request.post(1)).satisfies(RmaTest::isRefused);
        }
    }

    private static void isRefused(Throwable t) {
        assertThat(t).isInstanceOfSatisfying(FabricException.class, e -> {
            assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP);
            assertThat(e).hasMessageContaining("udp").hasMessageContaining("capability");
        });
    }
}
