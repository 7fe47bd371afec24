// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricArena;
import io.jfabric.async.Node;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.testkit.Providers;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that has been asked by more than it can tell in time that it is closed. */
@Timeout(60)
class ManyGoodbyesTest {
    private static final int MANY = 1000;

    /** To each of them it would have to connect again. */
    @Test
    void areNotAllSaid() throws Exception {
        Providers.RXM.assumeOffered();
        try (FabricInfoList infos = Providers.RXM.find(hints ->
                hints.capabilities(Capability.MSG, Capability.TAGGED));
                NodeImpl node = (NodeImpl) Node.open(infos.first());
                FabricArena arena = node.domain().openArena()) {
            Askers askers = new Askers();
            for (int i = 1; i <= MANY; i++) {
                askers.at(node.peer(Address.of(new InetSocketAddress("127.0.0.1", i)))).asksWith(i, 1);
            }
            Goodbye goodbye = new Goodbye(new Sending(node, null, arena, 1), askers);
            goodbye.say();
            assertThat(goodbye.unheard.size()).isBetween(1, MANY - 1);
        }
    }
}
