// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.info.MrMode;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
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
}
