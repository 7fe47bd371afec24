// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Leftovers;
import io.jfabric.testkit.Providers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A killed process leaves its file, and who meets it then tells its name to nobody. */
@Timeout(120)
@Tag("long")
class DeadNameTest {
    private static final String NAME = "dead-name-" + ProcessHandle.current().pid();

    @BeforeAll
    static void regions() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
        assumeTrue(Quirks.of("shm").has(Quirk.LOCK_OUTLIVES_PROCESS), "regions of another layout");
    }

    @AfterEach
    void removeFiles() throws Exception {
        Leftovers.removeFiles(NAME);
    }

    @Test
    void aPeerThatWasMetAfterItsDeathIsReachedWhenItIsStartedAgain() throws Exception {
        try (ChildJvm killed = ChildJvm.of(KeepAliveChild.class, "shm", "250", NAME).start();
                Node node = KeepAliveChild.open("shm", null)) {
            byte[] address = ChildAddress.of(killed);
            killed.kill();
            Peer peer = node.peer(address);
            CompletableFuture<Void> first = node.send(node.allocate(8), peer, 1);
            // as long as it takes to see whose region it is
            TimeUnit.SECONDS.sleep(1);
            assertThat(first).as("a message to a process that is dead").isNotDone();
            try (ChildJvm again = killed.restart()) {
                assertThat(ChildAddress.of(again)).isEqualTo(address);
                first.get(10, TimeUnit.SECONDS);
                try (Caller caller = Caller.open(peer, 1)) {
                    assertThat(caller.call(new byte[20_000]).get(10, TimeUnit.SECONDS)).hasSize(20_000);
                }
            }
        }
    }
}
