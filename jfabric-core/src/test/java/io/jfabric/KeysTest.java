// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.MrMode;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.MemoryRegionAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys that jfabric picks, beside those of the program. */
@Timeout(60)
class KeysTest {
    private static final int MANY = 20;

    private final Arena arena = Arena.ofAuto();

    static Stream<Providers.Choice> providers() {
        return Providers.rdm();
    }

    private static Pair open(Providers.Choice choice, Consumer<FabricInfo> change) {
        Pair pair = Pair.openChanged(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA), change);
        if (state(pair).requires(MrMode.PROV_KEY)) {
            pair.close();
            assumeFalse(true, "the provider picks the keys");
        }
        return pair;
    }

    private static DomainState state(Pair pair) {
        return ((DomainImpl) pair.domain).state();
    }

    /** Where jfabric would come next. */
    private void take(Pair pair) {
        long next = state(pair).nextKey() + 1;
        LongStream.range(next, next + MANY).forEach(key -> assertThat(
                pair.domain.register(arena.allocate(8), key, MemoryAccess.REMOTE_READ).key()).isEqualTo(key));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void regionsLeaveOutKeysInUse(Providers.Choice choice) {
        try (Pair pair = open(choice, info -> { })) {
            MemorySegment memory = arena.allocate(8).fill((byte) 7);
            take(pair);
            pair.domain.register(memory, MemoryAccess.REMOTE_READ).close();
            take(pair);
            pair.domain.register(List.of(memory), MemoryAccess.REMOTE_READ).close();
            take(pair);
            pair.domain.register(MemoryRegionAttributes.of(memory).withAccess(MemoryAccess.REMOTE_READ)).close();
            take(pair);
            RemoteRegion region = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_READ).remote();
            pair.connect();
            MemorySegment in = arena.allocate(8);
            pair.post(() -> pair.a.endpoint.rma().read(in, pair.a.peer, region, 0, 1));
            pair.await(pair.a, 1);
            assertThat(in.mismatch(memory)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void buffersOfOperationsLeaveThemOutToo(Providers.Choice choice) {
        try (Pair pair = open(choice, info -> info.domain().mrMode(info.domain().mrMode().with(MrMode.LOCAL)))) {
            pair.connect();
            MemorySegment out = arena.allocate(8).fill((byte) 5);
            MemorySegment in = arena.allocate(8);
            take(pair);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 2));
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 1));
            pair.await(pair.a, 1);
            pair.await(pair.b, 2);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    /** As a process that was started again at the address of another: peers may still have the keys of that. */
    @ParameterizedTest
    @MethodSource("providers")
    void whoComesNextTakesOtherKeys(Providers.Choice choice) {
        long former;
        try (Pair pair = open(choice, info -> { })) {
            former = pair.domain.register(arena.allocate(8), MemoryAccess.REMOTE_READ).key();
        }
        try (Pair pair = open(choice, info -> { })) {
            assertThat(pair.domain.register(arena.allocate(8), MemoryAccess.REMOTE_READ).key()).isNotEqualTo(former);
        }
    }

    /** Of one byte: 128 for the program, and 128 for jfabric, again and again. */
    @ParameterizedTest
    @MethodSource("providers")
    void shortKeysDoNotGrow(Providers.Choice choice) {
        try (Pair pair = open(choice, info -> info.domain().limits().mrKeySize(1))) {
            List<MemoryRegion> regions = new ArrayList<>();
            for (int i = 0; i < 128; i++) {
                regions.add(pair.domain.register(arena.allocate(8), MemoryAccess.REMOTE_READ));
            }
            assertThat(regions).extracting(MemoryRegion::key).doesNotHaveDuplicates()
                    .allSatisfy(key -> assertThat(key).isBetween(128L, 255L));
            MemorySegment more = arena.allocate(8);
            assertThatThrownBy(() -> pair.domain.register(more, MemoryAccess.REMOTE_READ)).isInstanceOfSatisfying(
                    FabricException.class, e -> assertThat(e.error()).isEqualTo(FabricError.ENOKEY));
            MemoryRegion one = regions.get(77);
            long free = one.key();
            one.close();
            assertThat(pair.domain.register(more, MemoryAccess.REMOTE_READ).key()).isEqualTo(free);
        }
    }
}
