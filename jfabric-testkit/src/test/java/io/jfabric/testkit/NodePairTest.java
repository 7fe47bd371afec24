// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.info.EndpointType;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** That two nodes know each other on every provider. */
class NodePairTest {
    @FabricTest
    void carriesAMessageEachWay(NodePair pair) {
        exchange(pair, pair.a, pair.toB, pair.b);
        exchange(pair, pair.b, pair.toA, pair.a);
    }

    @FabricTest(type = EndpointType.DGRAM)
    void carriesADatagramEachWay(NodePair pair) {
        exchange(pair, pair.a, pair.toB, pair.b);
        exchange(pair, pair.b, pair.toA, pair.a);
    }

    private static void exchange(NodePair pair, Node from, Peer peer, Node to) {
        MemorySegment out = Bytes.pattern(from.memory(), 500, 3);
        MemorySegment in = to.allocate(500);
        CompletableFuture<Received> got = to.receive(in);
        pair.await(from.send(out, peer));
        assertThat(pair.await(got).length()).isEqualTo(500);
        assertThat(in.mismatch(out)).isEqualTo(-1);
    }

    @FabricTest(type = EndpointType.MSG)
    void isConnected(NodePair pair) {
        overConnection(pair.a, pair.toB, pair.b, pair.toA);
        overConnection(pair.b, pair.toA, pair.a, pair.toB);
    }

    private static void overConnection(Node from, Peer peer, Node to, Peer source) {
        MemorySegment out = Bytes.pattern(from.memory(), 500, 5);
        MemorySegment in = to.allocate(500);
        CompletableFuture<Received> got = to.receive(in, source);
        from.send(out, peer).join();
        assertThat(got.join().source()).containsSame(source);
        assertThat(in.mismatch(out)).isEqualTo(-1);
    }

    @FabricTest
    void whatNeverComesEndsTheWait(NodePair pair) {
        CompletableFuture<Received> never = pair.b.receive(pair.b.allocate(8));
        assertThatThrownBy(() -> pair.await(never, Duration.ofMillis(50))).isInstanceOf(AssertionError.class)
                .hasMessage("the operation is done: not after PT0.05S");
        never.cancel(false);
    }

    /** Nobody else drives them. */
    @Test
    void nodesThatLeaveProgressToTheCaller() {
        try (NodePair pair = NodePair.open(Providers.SHM, hints -> { }, NodeOptions.DEFAULT.withCallerProgress())) {
            exchange(pair, pair.a, pair.toB, pair.b);
        }
    }
}
