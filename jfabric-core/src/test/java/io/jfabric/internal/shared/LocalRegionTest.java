// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Registrations of jfabric's own, which operations on the same memory share. */
@Timeout(60)
class LocalRegionTest {
    @Test
    void onlyTheMemoryThatItHasIsShared() {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.SHM)) {
            DomainState domain = ((DomainImpl) pair.domain).state();
            long address = arena.allocate(4096, 4096).address();
            LocalRegion first = LocalRegion.of(domain, address, 64);
            LocalRegion inside = LocalRegion.of(domain, address + 16, 48);
            assertThat(inside).isSameAs(first);
            LocalRegion longer = LocalRegion.of(domain, address + 16, 49);
            assertThat(longer).isNotSameAs(first);
            assertThat(longer.is(longer.descriptor(), address + 16, 49)).isTrue();
            LocalRegion sameStart = LocalRegion.of(domain, address, 4096);
            assertThat(sameStart.is(sameStart.descriptor(), address, 4096)).isTrue();
            first.close();
            assertThat(LocalRegion.of(domain, address, 1)).as("one user is left").isSameAs(first);
            first.close();
            inside.close();
            longer.close();
            sameStart.close();
        }
    }
}
