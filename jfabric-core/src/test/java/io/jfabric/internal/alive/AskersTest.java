// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.KeepAlive;
import io.jfabric.info.Capability;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;

/** What is believed of those who ask, and for how long. */
@Timeout(60)
class AskersTest {
    private static final long PROCESS = 5;
    private static final long KEY = 77;
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final Askers askers = new Askers();

    /** Anybody can ask in another's name, with a key of his own: then the true one is there as well. */
    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void theKeyOfWhoHasAnsweredStays(NodePair nodes) {
        PeerImpl peer = (PeerImpl) nodes.toB;
        Askers.Asker asker = askers.at(peer);
        assertThat(askers.asksWith(peer)).isEmpty();
        asker.asksWith(KEY, PROCESS);
        assertThat(askers.asksWith(peer)).as("it has not answered").containsExactly(KEY);
        assertThat(asker.answered(PROCESS)).isTrue();
        asker.asksWith(KEY + 1, PROCESS + 1);
        assertThat(askers.asksWith(peer)).as("another process").containsExactly(KEY, KEY + 1);
        asker.asksWith(KEY + 2, PROCESS);
        assertThat(askers.asksWith(peer)).containsExactly(KEY + 2, KEY + 1);
        assertThat(asker.answered(PROCESS + 1)).isFalse();
    }

    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void whoIsForgottenHasAskedNothing(NodePair nodes) {
        PeerImpl peer = (PeerImpl) nodes.toB;
        Askers.Asker asker = askers.at(peer);
        assertThat(askers.find(asker.key)).isSameAs(asker);
        assertThat(askers.forget(asker)).isTrue();
        assertThat(askers.find(asker.key)).isNull();
        assertThat(askers.forget(asker)).isFalse();
        Askers.Asker next = askers.at(peer);
        assertThat(askers.forget(asker)).as("the next is another").isFalse();
        nodes.toB.close();
        askers.forgetClosed();
        assertThat(askers.find(next.key)).isNull();
    }

    /** Who asks in its name may do so again much later, and it has asked nothing itself in between. */
    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void whoHasAnsweredIsNotGone(NodePair nodes) {
        Askers.Asker asker = askers.at((PeerImpl) nodes.toB);
        assertThat(asker.answered(PROCESS)).isTrue();
        assertThat(asker.isDoubtful(PROCESS + 1, 0)).isTrue();
        assertThat(asker.answered(PROCESS)).isTrue();
        assertThat(asker.isGone(PROCESS + 1, 100, 50)).isFalse();
        assertThat(asker.isDoubtful(PROCESS + 1, 100)).isTrue();
        assertThat(asker.isGone(PROCESS + 1, 150, 50)).isFalse();
        assertThat(asker.isGone(PROCESS + 1, 151, 50)).as("it does not answer").isTrue();
    }

    /** Or each that ever asked would take memory. */
    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void whoIsClosedIsForgotten(NodePair nodes) {
        try (KeepAlive _ = KeepAlive.open(nodes.a, INTERVAL, 50);
                KeepAlive asks = KeepAlive.open(nodes.b, INTERVAL, 50)) {
            asks.watch(nodes.toA);
            Askers all = Askers.of((NodeImpl) nodes.a);
            Waits.until("it has asked", () -> !all.latestFirst().isEmpty());
            asks.forget(nodes.toA);
            Waits.until("it is forgotten", () -> {
                // a last question may come later
                all.latestFirst().forEach(PeerImpl::close);
                return all.latestFirst().isEmpty();
            });
        }
    }
}
