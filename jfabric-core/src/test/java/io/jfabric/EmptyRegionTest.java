// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.option.MemoryAccess;
import io.jfabric.option.MemoryRegionAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No bytes are no region, however they are registered. */
class EmptyRegionTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void isRefused(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice); Arena arena = Arena.ofShared()) {
            MemorySegment empty = arena.allocate(8).asSlice(8);
            assertThatThrownBy(() -> pair.domain.register(empty, MemoryAccess.RECV))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0 bytes");
            assertThatThrownBy(() -> pair.domain.register(List.of(empty), MemoryAccess.RECV))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0 bytes");
            assertThatThrownBy(() -> MemoryRegionAttributes.of(empty))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0 bytes");
        }
    }
}
