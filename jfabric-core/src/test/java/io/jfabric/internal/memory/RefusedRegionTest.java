// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricArena;
import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.async.BufferPool;
import io.jfabric.async.PooledBuffer;
import io.jfabric.bindings.fid_mr;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.MrMode;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.life.FidObject;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.FailingCalls;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A region that the provider does not close at once keeps neither its memory's owner nor the domain open. */
@Timeout(60)
class RefusedRegionTest {
    /** Of rxm: what it registered with the provider below stands behind what it gave out. */
    private static final LongUnaryOperator BELOW = region -> Memory.getLong(region + fid_mr.sizeof());

    private final FailingCalls closing = new FailingCalls(Errno.EBUSY);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.SOCKETS);
    }

    private static void demandRegistration(FabricInfo info) {
        info.domain().mrMode(info.domain().mrMode().with(MrMode.LOCAL));
    }

    private Pair open(Providers.Choice choice, LongUnaryOperator whose) {
        Pair pair = Pair.openChanged(choice, hints -> { }, RefusedRegionTest::demandRegistration).connect();
        closing.closeRegions(((FidObject) pair.domain).fid(), whose);
        return pair;
    }

    private Pair open(Providers.Choice choice) {
        return open(choice, region -> region);
    }

    /** One that the provider did not make, as another has the key. */
    @ParameterizedTest
    @MethodSource("providers")
    void oneThatIsNotMadeDoesNotKeepItsArenaOpen(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA))) {
            assumeFalse(pair.domain.info().domain().mrMode().contains(MrMode.PROV_KEY));
            FabricArena arena = pair.domain.openArena();
            MemoryRegion first = pair.domain.register(Arena.ofAuto().allocate(64), 7, MemoryAccess.REMOTE_READ);
            MemorySegment memory = arena.allocate(64);
            assertThatThrownBy(() -> pair.domain.register(memory, 7, MemoryAccess.REMOTE_READ))
                    .isInstanceOf(FabricException.class).hasMessageContaining("fi_mr_reg");
            arena.close();
            assertThat(arena.scope().isAlive()).isFalse();
            first.close();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void anArenaIsClosedNowAndItsRegionWithTheDomain(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            FabricArena arena = pair.domain.openArena();
            arena.allocate(1 << 20);
            arena.allocate(1 << 20);
            closing.next(1);
            assertThat(arena.tryClose()).isTrue();
            assertThat(arena.scope().isAlive()).isFalse();
            assertThat(closing.failed()).isOne();
            assertThat(closing.passed()).isOne();
            pair.domain.close();
            assertThat(closing.passed()).isEqualTo(2);
            assertThat(pair.domain.isOpen()).isFalse();
        }
    }

    /** The domain stays as it is until all are closed. */
    @ParameterizedTest
    @MethodSource("providers")
    void aDomainCanBeClosedOnceTheRegionCan(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            FabricArena arena = pair.domain.openArena();
            arena.allocate(1 << 20);
            arena.allocate(1 << 20);
            closing.next(3);
            arena.close();
            assertThatThrownBy(pair.domain::close).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_EBUSY").hasMessageContaining("close it again later");
            assertThat(pair.domain.isOpen()).isTrue();
            // one of the two stayed, the other did not
            assertThat(closing.passed()).isOne();
            pair.domain.close();
            assertThat(pair.domain.isOpen()).isFalse();
            assertThat(closing.passed()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aPoolIsClosed(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            BufferPool pool = BufferPool.open(pair.domain, 4096, 4);
            pool.tryTake().ifPresent(PooledBuffer::close);
            closing.next(1);
            assertThat(pool.tryClose()).isTrue();
            assertThat(pool.isOpen()).isFalse();
            assertThatThrownBy(pool::tryTake).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
            pair.domain.close();
            assertThat(closing.failed()).isOne();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatAnOperationUsedIsClosedWithTheDomain(Providers.Choice choice) {
        MemorySegment memory = Arena.ofAuto().allocate(64, 8);
        try (Pair pair = open(choice)) {
            pair.post(() -> pair.b.endpoint.messages().receive(memory.asSlice(32), Address.ANY, 1));
            closing.next(2);
            pair.post(() -> pair.a.endpoint.messages().send(memory.asSlice(0, 32), pair.a.peer, 2));
            pair.await(pair.a, 2);
            pair.await(pair.b, 1);
            assertThat(closing.failed()).isEqualTo(2);
            assertThat(closing.passed()).isZero();
            pair.domain.close();
            assertThat(pair.domain.isOpen()).isFalse();
            assertThat(closing.passed()).isEqualTo(2);
        }
    }

    /** It has freed the region: closed again, it would be freed twice. What is below may use the memory on. */
    @Test
    void rxmIsNotAskedAgain() {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM)) {
            FabricArena arena = pair.domain.openArena();
            MemoryRegion region = pair.domain.register(arena.allocate(1 << 20), MemoryAccess.REMOTE_WRITE);
            closing.close(BELOW.applyAsLong(((FidObject) region).fid()));
            closing.next(1);
            assertThatThrownBy(region::close).isInstanceOf(FabricException.class).hasMessageContaining("FI_EBUSY")
                    .hasMessageContaining("It is closed now");
            assertThat(region.isOpen()).isFalse();
            region.close();
            assertThat(arena.tryClose()).isFalse();
            pair.fabric.close();
            assertThat(arena.scope().isAlive()).isFalse();
            assertThat(pair.fabric.isOpen()).isFalse();
            assertThat(closing.passed()).isZero();
        }
    }

    private WeakReference<?> loseMemory(Pair pair) {
        Arena arena = Arena.ofAuto();
        MemoryRegion region = pair.domain.register(arena.allocate(1 << 20), MemoryAccess.REMOTE_WRITE);
        closing.close(BELOW.applyAsLong(((FidObject) region).fid()));
        closing.next(1);
        assertThatThrownBy(region::close).hasMessageContaining("It is closed now");
        return new WeakReference<>(arena.scope());
    }

    @Test
    void whatIsBelowRxmKeepsGarbage() throws InterruptedException {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM)) {
            WeakReference<?> lost = loseMemory(pair);
            WeakReference<Object> garbage = new WeakReference<>(new Object());
            for (int i = 0; i < 500 && garbage.get() != null; i++) {
                System.gc();
                Thread.sleep(10);
            }
            assertThat(garbage.get()).isNull();
            System.gc();
            assertThat(lost.get()).isNotNull();
        }
    }

    @Test
    void rxmIsNotAskedAgainForJfabricsOwn() {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = open(Providers.RXM, BELOW)) {
            FabricArena arena = pair.domain.openArena();
            arena.allocate(1 << 20);
            closing.next(1);
            arena.close();
            assertThatThrownBy(pair.fabric::close).isInstanceOf(FabricException.class).hasMessageContaining("FI_EBUSY")
                    .hasMessageContaining("It is closed now");
            assertThat(pair.domain.isOpen()).isFalse();
            pair.fabric.close();
            assertThat(pair.fabric.isOpen()).isFalse();
            assertThat(closing.failed()).isOne();
            assertThat(closing.passed()).isZero();
        }
    }
}
