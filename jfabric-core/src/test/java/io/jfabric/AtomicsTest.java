// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.Direction;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Atomic operations (fi_atomic(3)) between two endpoints, on every provider that has them. */
class AtomicsTest {
    private static final OperationFlag[] DELIVERED = {OperationFlag.COMPLETION, OperationFlag.DELIVERY_COMPLETE};
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    static Stream<Providers.Choice> providers() {
        return Providers.rdm().filter(c -> c.isOffered(h -> h.capabilities(Capability.MSG, Capability.ATOMIC)));
    }

    /**
     * A write goes first: rxd of 1.17 is not ready for a fetching or comparing operation as the very first to a peer.
     * It reports it completed without a result, and then crashes.
     */
    private static Pair open(Providers.Choice choice) {
        Pair pair = Pair.open(choice, h -> h.capabilities(Capability.MSG, Capability.RMA, Capability.ATOMIC));
        RemoteRegion region = share(pair, Arena.ofAuto().allocate(8, 8));
        MemorySegment one = Arena.ofAuto().allocate(8, 8);
        pair.post(() -> pair.a.endpoint.rma().write(one, pair.a.peer, region, 0, -1));
        pair.await(pair.a, -1);
        return pair;
    }

    private static RemoteRegion share(Pair pair, MemorySegment memory) {
        return RemoteRegion.of(pair.b.endpoint
                .register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE).remote().toBytes());
    }

    private static MemorySegment longs(Arena arena, long... values) {
        return arena.allocateFrom(LONG, values);
    }

    private static void run(Pair pair, long context, BooleanSupplier operation) {
        pair.post(operation);
        Done done = pair.await(pair.a, context);
        assertThat(done.is(CompletionFlag.ATOMIC)).as("flags 0x%x", done.flags()).isTrue();
    }

    /** One target is all that verbs has. */
    private static boolean lacksSeveralTargets(Pair pair, ThrowingCallable operation) {
        boolean lacks = pair.info.tx().rmaIovLimit() < 2;
        if (lacks) {
            assertThatThrownBy(operation).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at most 1");
        }
        return lacks;
    }

    @ParameterizedTest
    @MethodSource("providers")
    void appliesInAllForms(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = longs(arena, 10, 20, 30, 40);
            RemoteRegion region = share(pair, memory);
            Atomics atomics = pair.a.endpoint.atomics();
            long peer = pair.a.peer;
            MemorySegment operand = longs(arena, 1, 2);
            run(pair, 1, () -> atomics.apply(operand, peer, region, 8, Datatype.INT64, AtomicOp.SUM, 1));
            pair.until("sum", () -> memory.getAtIndex(LONG, 1) == 21 && memory.getAtIndex(LONG, 2) == 32);
            if (choice.equals(Providers.RXD)) {
                run(pair, 4, () -> atomics.apply(operand, peer, region, 0, Datatype.INT64, AtomicOp.PROD, 4));
            } else {
                pair.post(() -> atomics.inject(operand, peer, region, 0, Datatype.INT64, AtomicOp.PROD));
            }
            pair.until("product", () -> memory.getAtIndex(LONG, 0) == 10 && memory.getAtIndex(LONG, 1) == 42);
            AtomicRequest vector = atomics.request(AtomicForm.BASE, Datatype.INT64, AtomicOp.MAX).peer(peer)
                    .buffers(longs(arena, 100), longs(arena, 5, 200)).target(region, 8, 24);
            run(pair, 2, () -> vector.post(2));
            pair.until("maximum", () -> memory.getAtIndex(LONG, 3) == 200);
            assertThat(memory.toArray(LONG)).containsExactly(10, 100, 32, 200);
            AtomicRequest several = atomics.request(AtomicForm.BASE, Datatype.INT64, AtomicOp.ATOMIC_WRITE)
                    .peer(peer).buffers(operand).target(region, 24, 8);
            if (!Quirks.of(pair.info.provider()).has(Quirk.DELIVERED_ATOMICS_FREE_TWICE)) {
                several.flags(DELIVERED);
            }
            if (lacksSeveralTargets(pair, () -> several.addTarget(region, 0, 8))) {
                return;
            }
            several.addTarget(region, 0, 8);
            run(pair, 3, () -> several.post(3));
            pair.until("write", () -> memory.getAtIndex(LONG, 0) == 2 && memory.getAtIndex(LONG, 3) == 1);
            assertThat(memory.toArray(LONG)).containsExactly(2, 100, 32, 1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void fetchesInAllForms(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = longs(arena, 10, 20, 30, 40);
            RemoteRegion region = share(pair, memory);
            Atomics atomics = pair.a.endpoint.atomics();
            long peer = pair.a.peer;
            MemorySegment operand = longs(arena, 1, 2);
            MemorySegment result = arena.allocate(16, 8);
            run(pair, 1, () -> atomics.fetchAndApply(operand, result, peer, region, 16, Datatype.INT64, AtomicOp.SUM,
                    1));
            assertThat(result.toArray(LONG)).containsExactly(30, 40);
            assertThat(memory.toArray(LONG)).containsExactly(10, 20, 31, 42);
            // without an operand, from another arena
            MemorySegment read = Arena.ofAuto().allocate(32, 8);
            BooleanSupplier reading = () -> atomics.fetchAndApply((MemorySegment) null, read, peer, region, 0,
                    Datatype.INT64, AtomicOp.ATOMIC_READ, 2);
            if (Quirks.of(pair.info.provider()).has(Quirk.READS_FETCH_RUBBISH)) {
                assertThatThrownBy(reading::getAsBoolean).isInstanceOf(FabricException.class)
                        .hasMessageContaining("fetch with BOR or SUM");
            } else {
                run(pair, 2, reading);
                assertThat(read.toArray(LONG)).containsExactly(10, 20, 31, 42);
            }
            AtomicRequest vector = atomics.request(AtomicForm.FETCH, Datatype.UINT64, AtomicOp.BXOR).peer(peer)
                    .buffers(longs(arena, 0xF0), longs(arena, 0x0F)).results(result).target(region, 0, 16);
            run(pair, 3, () -> vector.post(3));
            assertThat(result.toArray(LONG)).containsExactly(10, 20);
            assertThat(memory.toArray(LONG)).containsExactly(10 ^ 0xF0, 20 ^ 0x0F, 31, 42);
            AtomicRequest several = atomics.request(AtomicForm.FETCH, Datatype.INT64, AtomicOp.MIN).peer(peer)
                    .buffers(operand).results(result).target(region, 24, 8).flags(DELIVERED);
            if (lacksSeveralTargets(pair, () -> several.addTarget(region, 8, 8))) {
                return;
            }
            several.addTarget(region, 8, 8);
            run(pair, 4, () -> several.post(4));
            assertThat(result.toArray(LONG)).containsExactly(42, 20 ^ 0x0F);
            assertThat(memory.toArray(LONG)).containsExactly(10 ^ 0xF0, 2, 31, 1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void comparesInAllForms(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = longs(arena, 10, 20, 30, 40);
            RemoteRegion region = share(pair, memory);
            Atomics atomics = pair.a.endpoint.atomics();
            long peer = pair.a.peer;
            MemorySegment values = longs(arena, 1, 2);
            MemorySegment comparand = longs(arena, 10, 21);
            MemorySegment result = arena.allocate(16, 8);
            run(pair, 1, () -> atomics.compareAndApply(values, comparand, result, peer, region, 0, Datatype.INT64,
                    AtomicOp.CSWAP, 1));
            assertThat(result.toArray(LONG)).containsExactly(10, 20);
            assertThat(memory.toArray(LONG)).containsExactly(1, 20, 30, 40);
            MemorySegment mask = longs(arena, 0xFF, 0x0F);
            AtomicRequest vector = atomics.request(AtomicForm.COMPARE, Datatype.UINT64, AtomicOp.MSWAP).peer(peer)
                    .buffers(longs(arena, 0xABCD), longs(arena, 0x1234)).comparands(mask).results(result)
                    .target(region, 16, 16);
            run(pair, 2, () -> vector.post(2));
            assertThat(result.toArray(LONG)).containsExactly(30, 40);
            assertThat(memory.toArray(LONG)).containsExactly(1, 20, 0xCD, 0x24);
            AtomicRequest several = atomics.request(AtomicForm.COMPARE, Datatype.INT64, AtomicOp.CSWAP_GE).peer(peer)
                    .buffers(values).comparands(comparand).results(result).target(region, 0, 8).flags(DELIVERED);
            if (lacksSeveralTargets(pair, () -> several.addTarget(region, 16, 8))) {
                return;
            }
            several.addTarget(region, 16, 8);
            run(pair, 3, () -> several.comparands(longs(arena, 5, 5)).post(3));
            assertThat(result.toArray(LONG)).containsExactly(1, 0xCD);
            assertThat(memory.toArray(LONG)).containsExactly(1, 20, 0xCD, 0x24);
        }
    }

    /** Operands are copied: the flag changes nothing but when they can be reused. */
    @ParameterizedTest
    @MethodSource("providers")
    void completesWithTheFlagInject(Providers.Choice choice) {
        assumeTrue(!choice.equals(Providers.RXD), "refuses the flag");
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = longs(arena, 5);
            AtomicRequest request = pair.a.endpoint.atomics().request(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM)
                    .peer(pair.a.peer).buffers(longs(arena, 3)).target(share(pair, memory), 0, 8)
                    .flags(OperationFlag.INJECT, OperationFlag.COMPLETION);
            run(pair, 1, () -> request.post(1));
            pair.until("sum", () -> memory.get(LONG, 0) == 8);
        }
    }

    @Test
    void injectsNotByDefaultWhereThatNeverCompletes() {
        Providers.RXM.assumeOffered();
        try (Pair pair = open(Providers.RXM)) {
            Flags<OperationFlag> inject = Flags.of(OperationFlag.INJECT);
            assertThatThrownBy(() -> pair.a.endpoint.setOperationFlags(Direction.TRANSMIT, inject))
                    .isInstanceOfSatisfying(FabricException.class,
                            e -> assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP))
                    .hasMessageContaining("without Capability.ATOMIC");
        }
        Pair.open(Providers.RXM, hints -> hints.tx().operationFlags(OperationFlag.INJECT)).close();
    }

    /** Once, and to whom it concerns. */
    @Test
    void refusalsAreReportedOnce() {
        Providers.RXM.assumeOffered();
        try (Arena arena = Arena.ofShared(); Pair pair = open(Providers.RXM)) {
            RemoteRegion readOnly = pair.b.endpoint.register(longs(arena, 5), MemoryAccess.REMOTE_READ).remote();
            MemorySegment one = longs(arena, 1);
            Atomics atomics = pair.a.endpoint.atomics();
            for (long context = 1; context <= 3; context++) {
                long each = context;
                pair.post(() -> atomics.apply(one, pair.a.peer, readOnly, 0, Datatype.INT64, AtomicOp.SUM, each));
                assertThat(pair.awaitError(pair.a, context).error().error()).isEqualTo(FabricError.EACCES);
            }
            RemoteRegion region = share(pair, longs(arena, 5));
            run(pair, 4, () -> atomics.apply(one, pair.a.peer, region, 0, Datatype.INT64, AtomicOp.SUM, 4));
            assertThat(pair.a.done()).isEmpty();
            assertThat(pair.b.done()).isEmpty();
        }
    }

    /** Every operation on every type, by its own idea of 6 and 2, against what the provider says it can do. */
    @ParameterizedTest
    @MethodSource("providers")
    void doesWhatItSaysForEveryTypeAndOperation(Providers.Choice choice) {
        Map<AtomicOp, Integer> expected = Map.of(AtomicOp.MIN, 2, AtomicOp.MAX, 6, AtomicOp.SUM, 8, AtomicOp.PROD, 12,
                AtomicOp.BOR, 6, AtomicOp.BAND, 2, AtomicOp.BXOR, 4, AtomicOp.ATOMIC_WRITE, 2, AtomicOp.LOR, 1,
                AtomicOp.LAND, 1);
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(32, 32);
            RemoteRegion region = share(pair, memory);
            Atomics atomics = pair.a.endpoint.atomics();
            int done = 0;
            for (Datatype type : Datatype.values()) {
                if (type == Datatype.VOID) {
                    continue;
                }
                MemorySegment operand = arena.allocate(type.byteSize(), 32);
                MemorySegment result = arena.allocate(type.byteSize(), 32);
                for (AtomicOp op : AtomicOp.values()) {
                    if (op == AtomicOp.NOOP) {
                        continue;
                    }
                    memory.fill((byte) 0);
                    put(memory, type, 6);
                    put(operand, type, 2);
                    long context = ++done;
                    long target = pair.a.peer;
                    BooleanSupplier fetch =
                            () -> atomics.fetchAndApply(operand, result, target, region, 0, type, op, context);
                    if (atomics.maxCount(AtomicForm.FETCH, type, op) == 0) {
                        assertThatThrownBy(fetch::getAsBoolean).isInstanceOf(FabricException.class)
                                .hasMessageContaining("no " + op + " of " + type);
                        continue;
                    }
                    run(pair, context, fetch);
                    assertThat(get(result, type)).as("%s of %s fetches", op, type).isEqualTo(6);
                    if (expected.containsKey(op) && known(type)) {
                        assertThat(get(memory, type)).as("%s of %s", op, type).isEqualTo((double) expected.get(op));
                    }
                }
            }
        }
    }

    private static boolean known(Datatype type) {
        return type.compareTo(Datatype.DOUBLE) <= 0;
    }

    private static void put(MemorySegment memory, Datatype type, int value) {
        switch (type) {
            case FLOAT, FLOAT_COMPLEX -> memory.set(ValueLayout.JAVA_FLOAT, 0, value);
            case DOUBLE, DOUBLE_COMPLEX -> memory.set(ValueLayout.JAVA_DOUBLE, 0, value);
            default -> memory.set(ValueLayout.JAVA_BYTE, 0, (byte) value);
        }
    }

    private static double get(MemorySegment memory, Datatype type) {
        return switch (type) {
            case FLOAT, FLOAT_COMPLEX -> memory.get(ValueLayout.JAVA_FLOAT, 0);
            case DOUBLE, DOUBLE_COMPLEX -> memory.get(ValueLayout.JAVA_DOUBLE, 0);
            default -> memory.get(ValueLayout.JAVA_BYTE, 0);
        };
    }

    @ParameterizedTest
    @MethodSource("providers")
    void takesAsManyElementsAsItSays(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            Atomics atomics = pair.a.endpoint.atomics();
            int most = (int) Math.min(4096, atomics.maxCount(AtomicForm.BASE, Datatype.INT32, AtomicOp.SUM));
            assertThat(most).isPositive();
            MemorySegment memory = arena.allocate((most + 1) * 4L, 8);
            RemoteRegion region = share(pair, memory);
            MemorySegment operand = arena.allocate((most + 1) * 4L, 8);
            for (int i = 0; i <= most; i++) {
                operand.setAtIndex(ValueLayout.JAVA_INT, i, i + 1);
            }
            MemorySegment exactly = operand.asSlice(0, most * 4L);
            run(pair, 1, () -> atomics.apply(exactly, pair.a.peer, region, 0, Datatype.INT32, AtomicOp.SUM, 1));
            pair.until("all elements", () -> memory.asSlice(0, most * 4L).mismatch(exactly) == -1);
            if (most < 4096) {
                assertThatThrownBy(() ->
                        atomics.apply(operand, pair.a.peer, region, 0, Datatype.INT32, AtomicOp.SUM, 1))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(most + " elements");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void theDomainSaysTheSame(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            AtomicAttributes sum = pair.domain.queryAtomic(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM).orElseThrow();
            assertThat(sum.elementSize()).isEqualTo(8);
            assertThat(sum.maxCount())
                    .isEqualTo(pair.a.endpoint.atomics().maxCount(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM));
            assertThat(pair.domain.queryAtomic(AtomicForm.FETCH, Datatype.INT16, AtomicOp.SUM)
                    .map(AtomicAttributes::elementSize)).hasValue(2L);
            assertThat(pair.domain.queryAtomic(AtomicForm.COMPARE, Datatype.INT32, AtomicOp.CSWAP)
                    .map(AtomicAttributes::maxCount)).hasValue(pair.a.endpoint.atomics().maxCount(
                            AtomicForm.COMPARE, Datatype.INT32, AtomicOp.CSWAP));
            assertThat(pair.domain.queryAtomic(AtomicForm.BASE, Datatype.INT32, AtomicOp.CSWAP)).isEmpty();
            assertThat(pair.domain.queryAtomic(AtomicForm.BASE, Datatype.FLOAT, AtomicOp.BOR)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void refusesWhatWouldDoHarm(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            MemorySegment memory = arena.allocate(64, 16);
            RemoteRegion region = share(pair, memory);
            Atomics atomics = pair.a.endpoint.atomics();
            long peer = pair.a.peer;
            MemorySegment one = arena.allocate(8, 8);
            assertThatThrownBy(() -> atomics.apply(one, peer, region, 60, Datatype.INT32, AtomicOp.SUM, 1))
                    .isInstanceOf(IndexOutOfBoundsException.class).hasMessageContaining("64 bytes");
            assertThatThrownBy(() -> atomics.apply(one.asSlice(0, 7), peer, region, 0, Datatype.INT32, AtomicOp.SUM, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("7 bytes");
            assertThatThrownBy(() -> atomics.apply(one.asSlice(0, 0), peer, region, 0, Datatype.INT32, AtomicOp.SUM, 1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> atomics.apply(one, peer, region, 2, Datatype.INT64, AtomicOp.SUM, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("multiples of 8");
            assertThatThrownBy(() -> atomics.apply(one, peer, region, 0, Datatype.INT64, AtomicOp.CSWAP, 1))
                    .isInstanceOf(FabricException.class).hasMessageContaining("no CSWAP of INT64");
            assertThatThrownBy(() -> atomics.apply(one, peer, region, 0, Datatype.VOID, AtomicOp.SUM, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("collective");
            assertThatThrownBy(() -> atomics.fetchAndApply(one, one.asSlice(0, 4), peer, region, 0, Datatype.INT32,
                    AtomicOp.SUM, 1)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("result");
            assertThatThrownBy(() -> atomics.fetchAndApply((MemorySegment) null, one, peer, region, 0, Datatype.INT32,
                    AtomicOp.SUM, 1)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> atomics.compareAndApply(one, one, one.asReadOnly(), peer, region, 0,
                    Datatype.INT64, AtomicOp.CSWAP, 1)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
            if (!Fabric.version().atLeast(new Version(2, 0))) {
                assertThat(atomics.maxCount(AtomicForm.BASE, Datatype.INT64, AtomicOp.DIFF)).isZero();
                assertThat(atomics.maxCount(AtomicForm.BASE, Datatype.FLOAT16, AtomicOp.SUM)).isZero();
            }
        }
    }

    /** Complex numbers may begin at half of one, but none may end there: each buffer's elements are counted. */
    @ParameterizedTest
    @MethodSource("providers")
    void buffersHaveWholeElements(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice)) {
            Atomics atomics = pair.a.endpoint.atomics();
            assumeTrue(atomics.maxCount(AtomicForm.FETCH, Datatype.FLOAT_COMPLEX, AtomicOp.SUM) > 1, "no such sum");
            MemorySegment memory = arena.allocate(64, 16);
            RemoteRegion region = share(pair, memory);
            MemorySegment[] whole = {memory.asSlice(0, 8), memory.asSlice(12, 8)};
            MemorySegment[] halves = {memory.asSlice(0, 4), memory.asSlice(8, 12)};
            AtomicRequest sum = atomics.request(AtomicForm.FETCH, Datatype.FLOAT_COMPLEX, AtomicOp.SUM)
                    .peer(pair.a.peer).target(region, 32, 16);
            sum.buffers(halves).results(whole);
            assertThatThrownBy(() -> sum.post(1)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a buffer of 4 bytes ends within an element of FLOAT_COMPLEX");
            sum.buffers(whole).results(halves);
            assertThatThrownBy(() -> sum.post(1)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("whole");
            sum.results(whole);
            run(pair, 1, () -> sum.post(1));
        }
    }

    @Test
    void typesAreAlignedAsInC() {
        assertThat(Datatype.VOID.byteAlignment()).isEqualTo(1);
        assertThat(Datatype.INT8.byteAlignment()).isEqualTo(1);
        assertThat(Datatype.FLOAT_COMPLEX.byteAlignment()).isEqualTo(4);
        assertThat(Datatype.DOUBLE.byteAlignment()).isEqualTo(8);
        assertThat(Datatype.LONG_DOUBLE_COMPLEX.byteAlignment()).isEqualTo(16);
    }

    @Test
    void providersWithoutThemSayWhatToAskFor() {
        assumeTrue(Providers.UDP.isOffered() && Providers.RXM.isOffered(), "no udp or no tcp;ofi_rxm");
        try (Arena arena = Arena.ofShared(); Pair udp = Pair.open(Providers.UDP);
             Pair rxm = Pair.open(Providers.RXM, h -> h.capabilities(Capability.MSG, Capability.RMA))) {
            MemorySegment one = arena.allocate(8, 8);
            RemoteRegion region = RemoteRegion.of(0, 8, 1);
            for (Pair pair : new Pair[] {udp, rxm}) {
                Atomics atomics = pair.a.endpoint.atomics();
                assertThat(atomics.maxCount(AtomicForm.BASE, Datatype.INT64, AtomicOp.SUM)).isZero();
                assertThatThrownBy(() -> atomics.apply(one, pair.a.peer, region, 0, Datatype.INT64, AtomicOp.SUM, 1))
                        .isInstanceOfSatisfying(FabricException.class,
                                e -> assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP))
                        .hasMessageContaining("Capability.ATOMIC");
            }
        }
    }

    @Test
    void whoSaysThatItHasThemIsNotAskedAgain() {
        Providers.Choice net = new Providers.Choice("net", Providers.RXM.type());
        net.assumeOffered();
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.open(net, h -> h.capabilities(Capability.MSG, Capability.RMA, Capability.ATOMIC))) {
            assertThat(pair.info.capabilities().contains(Capability.ATOMIC)).isTrue();
            MemorySegment one = arena.allocate(8, 8);
            RemoteRegion region = RemoteRegion.of(0, 8, 1);
            assertThatThrownBy(() -> pair.a.endpoint.atomics().apply(one, pair.a.peer, region, 0, Datatype.INT64,
                    AtomicOp.SUM, 1)).isInstanceOf(FabricException.class).hasMessageContaining("take another info");
        }
    }
}
