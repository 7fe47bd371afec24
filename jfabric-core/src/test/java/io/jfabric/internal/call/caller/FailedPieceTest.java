// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One of the messages that a long request is made of cannot be sent. */
@Timeout(60)
class FailedPieceTest {
    private static final int PIECE = 32 << 10;
    private static final int PIECES = 4;
    private static final Duration DEADLINE = Duration.ofSeconds(40);

    /** The service, made by hand, gives the call up before the others are over: that is not why it failed. */
    @Test
    void isWhyTheCallFails() throws Exception {
        Providers.RXM.assumeOffered();
        try (FabricInfoList infos = Providers.RXM.find(hints -> hints.capabilities(Capability.MSG,
                Capability.TAGGED))) {
            FabricInfo info = infos.first();
            info.endpoint().maxMessageSize(PIECE);
            try (Node a = Node.open(info, NodeOptions.DEFAULT.withPeerLimit(1)); Node b = Node.open(info)) {
                play(a, b);
            }
        }
    }

    private static void play(Node a, Node b) throws Exception {
        int size = PIECE * PIECES;
        SilentService service = new SilentService(b, size);
        service.join();
        Peer peer = a.peer(b.address());
        try (Caller caller = Caller.open(peer, ServiceByHand.NUMBER)) {
            CompletableFuture<byte[]> call = caller.call(new byte[size], DEADLINE);
            long id = service.next().id();
            // the one message to the peer, until it is received
            a.send(a.allocate(PIECE), peer, 1);
            Wire.Incoming incoming = service.hub().wire.receivePayload(b.allocate(size), DEADLINE);
            service.says(Frame.GO, id, size, incoming.tag());
            Waits.until("all of it waits", () -> peer.waiting() == PIECES);
            FabricException why = FabricException.of("a test", 5, null);
            AtomicBoolean first = new AtomicBoolean(true);
            ((PeerImpl) peer).transmits().drop(one -> first.getAndSet(false), why);
            service.says(Frame.LATE, id, 0, 0);
            assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS)).hasRootCause(why);
            assertThat(b.receive(b.allocate(PIECE), 1).get(20, TimeUnit.SECONDS).length()).isEqualTo(PIECE);
            // nothing in place of that one
            assertThat(incoming.received().get(20, TimeUnit.SECONDS)).isLessThan(size);
        }
    }
}
