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

    /** Anybody can ask in another's name, with a key of his own. */
    @FabricTest(providers = "shm", capabilities = {Capability.MSG, Capability.TAGGED})
    void theKeyIsThatOfWhoHasAnswered(NodePair nodes) {
        PeerImpl peer = (PeerImpl) nodes.toB;
        Askers.Asker asker = askers.at(peer);
        asker.asksWith(KEY, PROCESS);
        assertThat(askers.asksWith(peer)).as("it has not answered").isZero();
        assertThat(asker.answered(PROCESS)).isTrue();
        asker.asksWith(KEY, PROCESS + 1);
        assertThat(askers.asksWith(peer)).as("of another process").isZero();
        asker.asksWith(KEY, PROCESS);
        assertThat(askers.asksWith(peer)).isEqualTo(KEY);
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
