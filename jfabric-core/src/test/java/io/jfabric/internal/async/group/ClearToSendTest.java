// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tells members that they may send takes no more and more memory. */
@Timeout(60)
class ClearToSendTest {
    @Test
    void theOldestKeysAreForgotten() {
        EarlyKeys keys = new EarlyKeys();
        keys.add(-1);
        keys.add(-1);
        for (int i = 0; i < EarlyKeys.MOST; i++) {
            keys.add(i);
        }
        assertThat(keys.size()).isEqualTo(EarlyKeys.MOST);
        assertThat(keys.take(-1)).isFalse();
        keys.add(0);
        assertThat(keys.take(0)).isTrue();
        assertThat(keys.take(0)).isTrue();
        assertThat(keys.take(0)).isFalse();
        assertThat(keys.size()).isEqualTo(EarlyKeys.MOST - 1);
    }

    @Test
    void whatCannotBeToldGivesItsMemoryBack() {
        try (FabricInfoList infos = Providers.RXM.find(hints -> { });
                Node node = Node.open(infos.first()); Node other = Node.open(infos.first())) {
            GroupMemory memory = new GroupMemory(node.memory());
            ClearToSend clearance = new ClearToSend((NodeImpl) node, memory, 1);
            MemorySegment word = memory.take(8);
            memory.give(word);
            PeerImpl gone = (PeerImpl) node.peer(other.address());
            gone.close();
            Operation<?> receive = (Operation<?>) node.receive(node.allocate(8), 1);
            clearance.tell(gone, 5, receive);
            assertThat(receive).isCompletedExceptionally();
            assertThat(memory.take(8).address()).isEqualTo(word.address());
        }
    }
}
