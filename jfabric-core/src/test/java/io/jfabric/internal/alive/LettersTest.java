// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricArena;
import io.jfabric.async.KeepAlive;
import io.jfabric.info.Capability;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;

/** Heartbeats that are too long to be injected. */
@Timeout(60)
class LettersTest {
    /** A node sends them for as long as it lives. */
    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void theirMemoryIsUsedAgain(NodePair nodes) {
        NodeImpl node = (NodeImpl) nodes.a;
        FabricArena arena = node.domain().openArena();
        Letters letters = new Letters(node, arena, Duration.ofSeconds(20).toNanos());
        // it drops what makes no sense
        try (KeepAlive _ = KeepAlive.open(nodes.b)) {
            MemorySegment senseless = MemorySegment.ofArray(new byte[Beat.HEADER]);
            for (int i = 0; i < 2 * Flow.FIRST; i++) {
                Waits.spin("the provider has taken it", () -> letters.send(senseless, (PeerImpl) nodes.toB));
            }
            Waits.until("all are sent", () -> nodes.a.underWay() == 0);
        }
        assertThat(arena.tryClose(Duration.ofSeconds(20))).isTrue();
    }
}
