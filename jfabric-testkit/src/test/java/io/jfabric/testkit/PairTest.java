// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The test helpers themselves. */
class PairTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void carriesAMessageEachWay(Providers.Choice choice) {
        try (Arena arena = Arena.ofConfined(); Pair pair = Pair.open(choice)) {
            exchange(arena, pair, pair.a, pair.b);
            exchange(arena, pair, pair.b, pair.a);
        }
    }

    private static void exchange(Arena arena, Pair pair, Side from, Side to) {
        MemorySegment out = arena.allocateFrom("hello");
        MemorySegment in = arena.allocate(64);
        pair.post(() -> to.endpoint.messages().receive(in, Address.ANY, 2));
        pair.post(() -> from.endpoint.messages().send(out, from.peer, 1));
        pair.await(from, 1);
        assertThat(pair.await(to, 2).length()).isEqualTo(6);
        assertThat(in.getString(0)).isEqualTo("hello");
    }
}
