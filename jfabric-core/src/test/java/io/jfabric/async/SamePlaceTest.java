// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Text ends at its first NUL: what follows makes no other place of it, whoever states it. */
@Timeout(60)
class SamePlaceTest {
    private static Node open() {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { })) {
            return Node.open(infos.first());
        }
    }

    private static Received message(Node from, Node to, long tag) throws Exception {
        CompletableFuture<Received> got = to.receive(to.allocate(8), tag);
        from.send(from.allocate(8), from.peer(to.address()), tag).get(20, TimeUnit.SECONDS);
        return got.get(20, TimeUnit.SECONDS);
    }

    @Test
    void oneNameIsOnePeer() throws Exception {
        try (Node node = open(); Node friend = open()) {
            byte[] name = friend.address().bytes();
            Peer peer = node.peer(name);
            byte[] longer = Arrays.copyOf(name, name.length + 3);
            assertThat(node.peer(longer)).isSameAs(peer);
            longer[name.length] = 'x';
            assertThat(node.peer(longer)).isSameAs(peer);
            assertThat(node.peer(Address.of(friend.address().toText()))).isSameAs(peer);
            assertThat(peer.address()).isEqualTo(friend.address());
            assertThat(message(friend, node, 1).source()).containsSame(peer);
            peer.close();
            assertThat(node.peer(longer)).isNotSameAs(peer).isSameAs(node.peer(name));
        }
    }
}
