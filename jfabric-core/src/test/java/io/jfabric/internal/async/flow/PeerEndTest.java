// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.Providers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that is told to be gone while an operation to it is about to get its number. */
@Timeout(60)
class PeerEndTest {
    @Test
    void waitsForWhatIsBeingGivenToTheProvider() throws Exception {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first());
                Node other = Node.open(infos.first())) {
            PeerImpl peer = (PeerImpl) node.peer(other.address());
            assertThat(peer.transmits().enter()).isTrue();
            Thread ends = Thread.ofPlatform().start(() -> peer.fail(FabricException.of("this test",
                    FabricError.EHOSTDOWN.code(), "it is gone")));
            ends.join(200);
            assertThat(ends.isAlive()).isTrue();
            assertThat(peer.ended()).isNotDone();
            peer.transmits().leave();
            ends.join(20_000);
            assertThat(ends.isAlive()).isFalse();
            assertThat(peer.ended()).isCompletedExceptionally();
        }
    }

    /** As what was under way does, whatever came first; what the program itself has closed it should not use. */
    @Test
    void whatIsBegunWithOneThatIsGoneFails() throws Exception {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { }); Node node = Node.open(infos.first());
                Node other = Node.open(infos.first())) {
            PeerImpl peer = (PeerImpl) node.peer(other.address());
            peer.fail(FabricException.of("this test", FabricError.EHOSTDOWN.code(), "it is gone"));
            CompletableFuture<Void> sent = node.send(node.allocate(8), peer);
            assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class)
                    .hasMessageContaining("EHOSTDOWN");
            assertThat(node.waiting()).isZero();
            Peer another = node.peer(other.address());
            another.close();
            assertThatThrownBy(() -> node.send(node.allocate(8), another)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
        }
    }
}
