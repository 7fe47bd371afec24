// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.jfabric.Messages;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sends by a vector whose addresses are not counted up, as those of verbs and ucx: here by one that has seen such. */
@Timeout(60)
class ScatteredPeersTest {
    private static final long POINTER = 0x7f00_1234_5678L;
    private static final int SENDS = 200;

    private final MemorySegment memory = Arena.ofAuto().allocate(8);

    @BeforeEach
    void offered() {
        assumeTrue(Providers.SHM.isOffered());
    }

    private static long scatter(Pair pair) throws ReflectiveOperationException {
        Field known = AddressVectorImpl.class.getDeclaredField("known");
        known.setAccessible(true);
        ((KnownAddresses) known.get(pair.a.addresses)).add(POINTER);
        return pair.a.addresses.insert(pair.a.endpoint.address().bytes());
    }

    private void sends(Messages messages, long one, long other) {
        for (int i = 0; i < SENDS; i++) {
            messages.inject(memory, i % 2 == 0 ? one : other);
        }
    }

    @Test
    void sendsToSeveralPeersAllocateNothing() throws ReflectiveOperationException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            long other = scatter(pair);
            sends(pair.a.endpoint.messages(), pair.a.peer, other);
            long before = threads.getCurrentThreadAllocatedBytes();
            sends(pair.a.endpoint.messages(), pair.a.peer, other);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16 * SENDS);
        }
    }

    @Test
    void onlyThoseThatAreInAreReached() throws ReflectiveOperationException {
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            long other = scatter(pair);
            sends(pair.a.endpoint.messages(), pair.a.peer, other);
            pair.a.addresses.remove(other);
            sends(pair.a.endpoint.messages(), pair.a.peer, pair.a.peer);
            for (long nobody : new long[] {other, POINTER + 8, 77, -1}) {
                assertThatThrownBy(() -> pair.a.endpoint.messages().inject(memory, nobody))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not in the address vector");
            }
        }
    }
}
