// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Fabric;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.launch.JobException;
import io.jfabric.launch.internal.rendezvous.Meet;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks that could not talk find out when they exchange their addresses. */
@Timeout(60)
class CardTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @BeforeEach
    void isOffered() {
        Providers.RXM.assumeOffered();
        Providers.SHM.assumeOffered();
    }

    private static Node open(Providers.Choice choice) {
        return Node.open(choice.hints());
    }

    @Test
    void anotherProviderIsNamed() throws Exception {
        try (Meet meet = new Meet(2); Node one = open(Providers.RXM); Node other = open(Providers.SHM)) {
            List<Future<List<Peer>>> ranks = meet.all(job -> job.exchange(job.rank() == 0 ? one : other));
            for (Future<List<Peer>> rank : ranks) {
                assertThatThrownBy(() -> Meet.result(rank)).isInstanceOf(JobException.class)
                        .hasMessageStartingWith("exchange: rank ")
                        .hasMessageContaining("tcp;ofi_rxm FI_EP_RDM, jfabric ")
                        .hasMessageContaining("has shm FI_EP_RDM, jfabric ").hasMessageContaining("cannot talk");
            }
        }
    }

    @Test
    void anotherReleaseIsRefusedAndAnotherLibraryIsNot() throws Exception {
        try (Node node = open(Providers.RXM)) {
            Card mine = Card.of(node.info(), node.address().bytes());
            Card older = new Card("0.0.9", mine.libfabric(), mine.provider(), mine.address());
            assertThatThrownBy(() -> exchange(node, older.bytes())).isInstanceOf(JobException.class)
                    .hasMessageContaining("rank 1 on ").hasMessageContaining("jfabric 0.0.9, libfabric ")
                    .hasMessageContaining("jfabric " + Fabric.jfabricVersion());
            assertThatThrownBy(() -> exchange(node, mine.address())).isInstanceOf(JobException.class)
                    .hasMessageContaining("what rank 1 on ").hasMessageContaining("is not a node");
            assertThatThrownBy(() -> exchange(node, new byte[1])).hasMessageContaining("is not a node");
            Card library = new Card(mine.jfabric(), "9.9", mine.provider(), mine.address());
            assertThat(exchange(node, library.bytes())).hasSize(2).allMatch(
                    peer -> peer.address().equals(node.address()));
        }
    }

    /** What rank 0 gets if it is that which rank 1 gives. */
    private static List<Peer> exchange(Node node, byte[] given) throws Exception {
        try (Meet meet = new Meet(2)) {
            Future<List<Peer>> zero = meet.one(0, DEADLINE, job -> job.exchange(node));
            Future<List<byte[]>> one = meet.one(1, DEADLINE, job -> job.exchange(given));
            assertThat(Meet.result(one)).hasSize(2);
            return Meet.result(zero);
        }
    }
}
