// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.EndpointType;
import io.jfabric.testkit.Bytes;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HexFormat;

/** The everyday layer: a tagged message there and back, in place of the party's own endpoint. */
final class NodeTrial {
    private static final HexFormat HEX = HexFormat.of();
    private static final Duration DEADLINE = Duration.ofSeconds(20L * Link.PATIENCE);

    private NodeTrial() {
    }

    static void run(Party party) {
        if (party.choice.type() != EndpointType.RDM) {
            throw new Feature.NotThere("nodes are tried on RDM");
        }
        party.side.endpoint.close();
        try (Node node = Node.open(party.info, NodeOptions.DEFAULT)) {
            party.link.tell(HEX.formatHex(node.address().bytes()));
            Peer peer = node.peer(HEX.parseHex(party.hear()));
            MemorySegment ball = node.allocate(4096);
            MemorySegment pattern = Bytes.pattern(party.arena, 4096, 8);
            if (party.left) {
                MemorySegment.copy(pattern, 0, ball, 0, 4096);
                node.within(DEADLINE).send(ball, peer, 7).join();
                ball.fill((byte) 0);
                node.within(DEADLINE).receive(ball, 8).join();
            } else {
                node.within(DEADLINE).receive(ball, 7).join();
                node.within(DEADLINE).send(ball, peer, 8).join();
            }
            party.expect(pattern, ball);
            party.together("over");
        }
    }
}
