// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Address;
import io.jfabric.Counter;
import io.jfabric.Trigger;
import io.jfabric.info.Capability;
import io.jfabric.testing.Pair;
import io.jfabric.testing.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Triggered operations on sockets, the only provider here that has them. */
class TriggeredOperationsTest {
    private static Pair open() {
        Providers.offered(Providers.SOCKETS).findAny().orElseThrow();
        return Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.TRIGGER));
    }

    @Test
    void sendsStartAtTheirThreshold() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            Counter counter = pair.domain.openCounter();
            MemorySegment in = arena.allocate(16);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            pair.post(() -> pair.b.endpoint.tagged().receive(in.asSlice(8), Address.ANY, 4, 0, 2));
            Trigger one = Trigger.at(counter, 1);
            pair.post(() -> pair.a.endpoint.triggered().send(one, arena.allocateFrom("one"), pair.a.peer, 11));
            pair.post(() -> pair.a.endpoint.triggered().sendTagged(Trigger.at(counter, 2),
                    arena.allocateFrom("two"), pair.a.peer, 4, 12));
            LockSupport.parkNanos(20_000_000);
            pair.progress();
            assertThat(pair.b.done()).isEmpty();
            counter.add(1);
            pair.await(pair.b, 1);
            pair.await(pair.a, 11);
            LockSupport.parkNanos(20_000_000);
            pair.progress();
            assertThat(pair.b.done()).isEmpty();
            counter.add(1);
            pair.await(pair.b, 2);
            pair.await(pair.a, 12);
            assertThat(in.getString(0)).isEqualTo("one");
            assertThat(in.getString(8)).isEqualTo("two");
            assertThatThrownBy(() -> pair.a.endpoint.triggered().send(one, in, pair.a.peer, 11))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("used");
        }
    }

    @Test
    void receivesStartAtTheirThreshold() {
        try (Arena arena = Arena.ofShared(); Pair pair = open()) {
            Counter counter = pair.domain.openCounter();
            MemorySegment in = arena.allocate(16);
            pair.post(() -> pair.b.endpoint.triggered().receive(Trigger.at(counter, 1), in, Address.ANY, 21));
            pair.post(() -> pair.b.endpoint.triggered().receiveTagged(Trigger.at(counter, 1), in.asSlice(8),
                    Address.ANY, 9, 0, 22));
            pair.post(() -> pair.a.endpoint.messages().send(arena.allocateFrom("abc"), pair.a.peer, 1));
            pair.post(() -> pair.a.endpoint.tagged().send(arena.allocateFrom("def"), pair.a.peer, 9, 2));
            counter.add(1);
            pair.await(pair.b, 21);
            pair.await(pair.b, 22);
            assertThat(in.getString(0)).isEqualTo("abc");
            assertThat(in.getString(8)).isEqualTo("def");
        }
    }
}
