// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who states in another's name where that is to be answered by the side way. */
@Timeout(60)
class ForgedSideTest {
    private static final int HEADER = Beat.HEADER;
    private static final int OWN_KEY = 4711;

    /** What each says of a peer takes the place of what was said before, and is not believed. */
    @Test
    void changesNothing() throws Exception {
        Providers.TCP_RDM.assumeOffered();
        try (FabricInfoList infos = Providers.TCP_RDM.find(hints ->
                hints.capabilities(Capability.MSG, Capability.TAGGED));
                NodeImpl node = (NodeImpl) Node.open(infos.first());
                NodeImpl victim = (NodeImpl) Node.open(infos.first());
                NodeImpl stranger = (NodeImpl) Node.open(infos.first());
                KeepAlive alive = KeepAlive.open(node, Duration.ofSeconds(20), 4);
                KeepAlive _ = KeepAlive.open(victim, Duration.ofSeconds(20), 4)) {
            Peer peer = node.peer(victim.address());
            alive.watch(peer);
            SideWay side = SideWay.of(node);
            Waits.until("it has said where its side endpoint is", () -> side.places() == 1);
            MemorySegment heard = stranger.allocate(Beat.LARGEST);
            for (byte[] where : List.of(new byte[0], new byte[3], new byte[400], new byte[16],
                    new byte[] {2, 0, 1, 2, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0},
                    new byte[] {2, 0, 1, 3, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, stranger.address().bytes())) {
                asks(stranger, node, victim.address().bytes(), where, HEADER + 16 + where.length);
                // in its own name, which is answered after that
                asks(stranger, node, stranger.address().bytes(), new byte[0], HEADER + 16);
                do {
                    stranger.internal().receive(heard, OwnTags.ALIVE).get(20, TimeUnit.SECONDS);
                } while (Beat.type(heard) != Beat.PONG || Beat.key(heard) != OWN_KEY);
                // one of the victim's own, one that was stated in its name
                assertThat(side.places()).isBetween(1, 2);
            }
            assertThat(side.find(peer(node, victim))).as("of the victim").isNotNull()
                    .isNotSameAs(side.toAnswer(peer(node, victim), stranger.address().bytes()));
            assertThat(peer.ended()).isNotDone();
            peer.close();
            Waits.until("nothing is kept of who is closed", () -> side.places() == 0);
        }
    }

    private static PeerImpl peer(NodeImpl node, Node of) {
        return node.peer(of.address());
    }

    private static void asks(NodeImpl from, Node to, byte[] inTheNameOf, byte[] where, int length) throws Exception {
        MemorySegment question = from.allocate(length);
        if (where.length == 0) {
            Beat.write(question, Beat.PING, OWN_KEY, 1, inTheNameOf.length);
        } else {
            Beat.writeForSide(question, Beat.PING, 5, 1, inTheNameOf.length, where.length);
        }
        MemorySegment.copy(inTheNameOf, 0, question, ValueLayout.JAVA_BYTE, HEADER, inTheNameOf.length);
        MemorySegment.copy(where, 0, question, ValueLayout.JAVA_BYTE, HEADER + inTheNameOf.length, where.length);
        from.internal().send(question, 0, length, from.peer(to.address()), OwnTags.ALIVE).get(20, TimeUnit.SECONDS);
    }
}
