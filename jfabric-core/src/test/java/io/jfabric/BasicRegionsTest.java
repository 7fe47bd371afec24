// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.info.MrMode;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The oldest mode of registration is short for four of the newer ones, and no more. */
class BasicRegionsTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.TCP_RDM, Providers.RXM, Providers.SOCKETS, Providers.SHM)
                .filter(choice -> choice.isOffered(BasicRegionsTest::basic));
    }

    private static void basic(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.RMA).domain().mrMode(MrMode.BASIC);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aRegionOfAnEndpointIsEnabledWithoutACall(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, BasicRegionsTest::basic); Arena arena = Arena.ofShared()) {
            MemoryRegion region = pair.a.endpoint.register(arena.allocate(64), MemoryAccess.REMOTE_READ);
            assertThat(region.enable().isOpen()).isTrue();
            region.close();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void itDemandsRegisteredLocalMemory(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, BasicRegionsTest::basic); Arena arena = Arena.ofShared()) {
            assertThat(((DomainImpl) pair.domain).state().registersLocally()).isTrue();
            MemorySegment out = arena.allocate(100).fill((byte) 7);
            MemorySegment in = arena.allocate(100);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
            pair.await(pair.b, 1);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }
}
