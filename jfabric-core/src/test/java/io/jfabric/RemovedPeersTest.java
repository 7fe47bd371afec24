// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A peer that was removed may still be sending: its messages do not seem to come from others. */
@Timeout(60)
class RemovedPeersTest {
    private static final int FIRST = 5;
    private static final int EARLY = 6;
    private static final int LATE = 7;

    static Stream<Providers.Choice> choices() {
        return Providers.offered(Providers.TCP_RDM, new Providers.Choice("net", EndpointType.RDM));
    }

    /** The other's address is inserted where that of the pair's first endpoint was removed. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("choices")
    void nobodyElseGetsTheirMessages(Providers.Choice choice) {
        try (Pair pair = open(choice); Pair others = open(choice); Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(8);
            long removed = pair.b.peer;
            exchange(pair, buffer, FIRST, removed);
            exchange(pair, buffer, EARLY, removed);
            pair.b.addresses.remove(removed);
            long other = pair.b.addresses.insert(others.a.endpoint.address());
            assertThat(other).isNotEqualTo(removed);
            assertThat(exchange(pair, buffer, LATE, Address.ANY).source()).isNotEqualTo(other);
            long again = pair.b.addresses.insert(pair.a.endpoint.address());
            assertThat(again).isNotEqualTo(other);
            assertThat(exchange(pair, buffer, EARLY, again).source()).isEqualTo(again);
            others.a.peer = others.a.addresses.insert(pair.b.endpoint.address());
            pair.post(() -> {
                others.progress();
                return others.a.endpoint.tagged().send(buffer, others.a.peer, FIRST, 3);
            });
            pair.post(() -> pair.b.endpoint.tagged().receive(buffer, other, FIRST, 0, 4));
            pair.until("the message of the other", () -> {
                others.progress();
                return pair.b.take(done -> done.context() == 4 && done.source() == other) != null;
            });
        }
    }

    private static Pair open(Providers.Choice choice) {
        return Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.SOURCE,
                Capability.DIRECTED_RECV));
    }

    /** The message is there before its receive. */
    private static Done exchange(Pair pair, MemorySegment buffer, long tag, long from) {
        pair.post(() -> pair.a.endpoint.tagged().send(buffer, pair.a.peer, tag, 1));
        pair.await(pair.a, 1);
        for (int i = 0; i < 1000; i++) {
            pair.progress();
        }
        pair.post(() -> pair.b.endpoint.tagged().receive(buffer, from, tag, 0, 2));
        return pair.await(pair.b, 2);
    }
}
