// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import org.junit.jupiter.api.Timeout;

/** What is believed of those who ask, and for how long. */
@Timeout(60)
class AskersTest {
    private static final long PROCESS = 5;
    private static final long KEY = 77;

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
}
