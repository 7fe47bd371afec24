// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Leftovers;
import io.jfabric.testkit.Providers;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A message on shm whose sender is killed before it is received, from whose memory it was to be read. */
@Timeout(60)
class DeadSenderTest {
    @Test
    void isNotSaidToHaveSentTooMuch() throws Exception {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        String name = "jfabric-dead-sender-" + ProcessHandle.current().pid();
        try (Node node = KeepAliveChild.open("shm", null)) {
            try (ChildJvm child = ChildJvm.of(DeadSender.class, name,
                    HexFormat.of().formatHex(node.address().bytes())).start()) {
                node.receive(node.allocate(DeadSender.SHORT), DeadSender.SHORT_TAG).get(50, TimeUnit.SECONDS);
                child.kill();
            }
            assertThatThrownBy(() -> node.receive(node.allocate(DeadSender.SIZE), DeadSender.LONG_TAG)
                    .get(20, TimeUnit.SECONDS)).cause()
                    .isInstanceOfSatisfying(FabricException.class,
                            why -> assertThat(why.error()).isEqualTo(FabricError.EIO))
                    .hasMessageContaining("its process has probably died");
        } finally {
            Leftovers.removeFiles(name);
        }
    }
}
