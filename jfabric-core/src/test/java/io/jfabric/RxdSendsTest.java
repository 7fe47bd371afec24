// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More sends than there is room for: none of those that were taken is lost. */
@Timeout(60)
class RxdSendsTest {
    private static final int TRIES = 3000;
    private static final long RECEIVED = 10_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsTakenArrives(boolean tagged) {
        Providers.RXD.assumeOffered();
        try (Pair pair = Pair.open(Providers.RXD); Arena arena = Arena.ofConfined()) {
            pair.connect();
            MemorySegment out = arena.allocate(8L * TRIES);
            MemorySegment in = arena.allocate(8);
            int taken = 0;
            for (int i = 0; i < TRIES; i++) {
                out.setAtIndex(ValueLayout.JAVA_LONG, i, i);
                boolean now = tagged ? pair.a.endpoint.tagged().send(out, 8L * i, 8, pair.a.peer, 1, i)
                        : pair.a.endpoint.messages().send(out, 8L * i, 8, pair.a.peer, i);
                taken += now ? 1 : 0;
                assertThat(now).as("send %d after one that was refused", i).isEqualTo(taken == i + 1);
            }
            assertThat(taken).isBetween(1, (int) pair.info.tx().size());
            BitSet came = new BitSet();
            for (int i = 0; i < taken; i++) {
                pair.post(() -> tagged ? pair.b.endpoint.tagged().receive(in, Address.ANY, 1, 0, RECEIVED)
                        : pair.b.endpoint.messages().receive(in, Address.ANY, RECEIVED));
                pair.await(pair.b, RECEIVED);
                came.set((int) in.get(ValueLayout.JAVA_LONG, 0));
            }
            assertThat(came.cardinality()).isEqualTo(taken);
            for (int i = 0; i < taken; i++) {
                pair.await(pair.a, i);
            }
        }
    }
}
