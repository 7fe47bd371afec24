// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a target does not grant neither fails on rxd nor lets anything pass. Once it does, the table is wrong. */
@Timeout(60)
class RefusedAccessTest {
    @Test
    void aRefusedWriteIsInTheWay() {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.RXD,
                hints -> hints.capabilities(Capability.MSG, Capability.RMA)).connect()) {
            MemorySegment memory = arena.allocate(64, 8);
            MemorySegment out = arena.allocate(8).fill((byte) 1);
            RemoteRegion readOnly = pair.b.endpoint.register(memory, MemoryAccess.REMOTE_READ).remote();
            pair.post(() -> pair.a.endpoint.rma().write(out, pair.a.peer, readOnly, 0, 1));
            pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(8), Address.ANY, 2));
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 3));
            pair.progressFor(Duration.ofSeconds(1));
            assertThat(pair.a.done()).isEmpty();
            assertThat(pair.b.done()).isEmpty();
            assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isZero();
        }
    }
}
