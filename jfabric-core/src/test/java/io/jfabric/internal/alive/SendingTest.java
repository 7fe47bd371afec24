// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricArena;
import io.jfabric.info.Capability;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;

/** Heartbeats of a keep-alive that is closed while the clock's thread sends them. */
@Timeout(30)
class SendingTest {
    @FabricTest(providers = {"shm", "tcp;ofi_rxm"}, capabilities = {Capability.MSG, Capability.TAGGED})
    void theirMemoryIsFreed(NodePair nodes) {
        NodeImpl node = (NodeImpl) nodes.a;
        Way way = Way.main((PeerImpl) nodes.toB);
        FabricArena arena = node.domain().openArena();
        Sending sending = new Sending(node, null, arena, Duration.ofSeconds(20).toNanos());
        MemorySegment memory = sending.room();
        arena.close();
        assertThat(sending.ask(memory, Beat.PING, 1, way)).isFalse();
        assertThat(sending.answer(memory, Beat.PONG, 1, way)).isFalse();
    }
}
