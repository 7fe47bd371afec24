// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** That the kit's pairs work on every provider: nothing else can be tested otherwise. */
class PairTest {
    @FabricTest
    void carriesAMessageEachWay(Pair pair) {
        bothWays(pair);
    }

    @FabricTest(type = EndpointType.DGRAM)
    void carriesADatagramEachWay(Pair pair) {
        bothWays(pair);
    }

    private static void bothWays(Pair pair) {
        try (Arena arena = Arena.ofConfined()) {
            exchange(arena, pair, pair.a, pair.b);
            exchange(arena, pair, pair.b, pair.a);
        }
    }

    private static void exchange(Arena arena, Pair pair, Side from, Side to) {
        MemorySegment sent = Bytes.pattern(arena, 500, 1);
        MemorySegment received = arena.allocate(500);
        pair.post(() -> to.endpoint.messages().receive(received, Address.ANY, 1));
        pair.post(() -> from.endpoint.messages().send(sent, from.peer, 2));
        assertThat(pair.await(to, 1).length()).isEqualTo(500);
        pair.await(from, 2);
        assertThat(received.mismatch(sent)).isEqualTo(-1);
    }
}
