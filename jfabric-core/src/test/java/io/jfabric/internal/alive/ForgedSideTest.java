// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.address.AddressVectorImpl;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
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
            Waits.until("it has said where its side endpoint is", () -> side.find(peer(node, victim)) != null);
            MemorySegment heard = stranger.allocate(Beat.LARGEST);
            List<byte[]> stated = new ArrayList<>(List.of(new byte[3], new byte[400], new byte[16]));
            for (int port = 1; port < 10; port++) {
                stated.add(Address.of(new InetSocketAddress("127.0.0.1", port)).bytes());
            }
            stated.add(stranger.address().bytes());
            for (byte[] where : stated) {
                asks(stranger, node, victim.address().bytes(), where, HEADER + 16 + where.length);
                // in its own name, which is answered after that
                asks(stranger, node, stranger.address().bytes(), new byte[0], HEADER + 16);
                do {
                    stranger.internal().receive(heard, OwnTags.ALIVE).get(20, TimeUnit.SECONDS);
                } while (Beat.type(heard) != Beat.PONG || Beat.key(heard) != OWN_KEY);
            }
            AddressVectorImpl vector = (AddressVectorImpl) side.vector();
            assertThat(known(vector)).as("one of the victim's own, one that was stated").isEqualTo(2);
            assertThat(side.find(peer(node, victim))).as("of the victim").isNotNull()
                    .isNotSameAs(side.toAnswer(peer(node, victim), stranger.address().bytes()));
            SidePlaces.Place itsOwn = side.find(peer(node, victim));
            assertThat(side.toAnswer(peer(node, victim), itsOwn.where().bytes())).as("inserted once").isSameAs(itsOwn);
            assertThat(known(vector)).isEqualTo(1);
            assertThat(peer.ended()).isNotDone();
            peer.close();
            assertThat(known(vector)).as("of who is closed").isZero();
        }
    }

    /** It is asked by both ways who it is, or nobody would hear that it is there. */
    @Test
    @Tag("long")
    void endsNobodyWhoseAnswersAreNotRead() throws Exception {
        Providers.TCP_RDM.assumeOffered();
        Duration interval = Duration.ofMillis(800);
        try (FabricInfoList infos = Providers.TCP_RDM.find(hints ->
                hints.capabilities(Capability.MSG, Capability.TAGGED));
                NodeImpl node = (NodeImpl) Node.open(infos.first());
                NodeImpl victim = (NodeImpl) Node.open(infos.first());
                NodeImpl stranger = (NodeImpl) Node.open(infos.first());
                KeepAlive _ = KeepAlive.open(node, interval, 4);
                KeepAlive victims = KeepAlive.open(victim, interval, 4)) {
            Peer peer = node.peer(victim.address());
            victims.watch(victim.peer(node.address()));
            Waits.until("it has asked, and answered who it is", () -> Askers.of(node).at((PeerImpl) peer).isKnown());
            victims.forget(victim.peer(node.address()));
            victim.send(victim.allocate(8), victim.peer(node.address()));
            for (int i = 0; i < 8; i++) {
                asks(stranger, node, victim.address().bytes(), new byte[0], HEADER + 16);
                Thread.sleep(interval.toMillis() / 4);
            }
            assertThat(peer.ended()).isNotDone();
            assertThat(victims.ended()).isZero();
        }
    }

    private static long known(AddressVectorImpl vector) {
        return LongStream.range(0, vector.known()).filter(vector::has).count();
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
