// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.Hints;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.Providers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names of shm that a program gives itself. */
@Timeout(60)
class NameGivenTest {
    private static final String NAME = "name-given-" + ProcessHandle.current().pid();

    @BeforeAll
    static void names() {
        assumeTrue(Providers.SHM.isOffered(), "shm is not offered");
    }

    @Test
    void aNameOfTheRightKindIsTheAddress() throws Exception {
        Address name = Address.of("fi_ns://" + NAME + "-exact");
        try (Node server = open(name); Node client = open(null)) {
            assertThat(server.address()).isEqualTo(name);
            CompletableFuture<Received> mail = server.receive(server.allocate(8), 7);
            client.send(client.allocate(8), client.peer(name), 7).get(20, TimeUnit.SECONDS);
            assertThat(mail.get(20, TimeUnit.SECONDS).length()).isEqualTo(8);
        }
    }

    @Test
    void whoIsNotThereMayHaveALongerName() {
        assumeTrue(Quirks.of("shm").has(Quirk.ABSENT_PEERS_SHARE), "who is not there may come later");
        Address name = Address.of("fi_shm://" + NAME);
        try (Node server = open(name); Node client = open(null)) {
            String made = server.address().toText().replace("fi_shm://", "");
            assertThatExceptionOfType(FabricException.class).isThrownBy(() -> client.peer(name))
                    .withMessageContaining("FI_ENOENT").withMessageContaining(" but " + made)
                    .withMessageContaining("fi_ns://" + NAME);
        }
    }

    private static Node open(Address at) {
        try (Hints hints = Hints.rdm().provider("shm")) {
            return Node.open(at == null ? hints : hints.sourceAddress(at));
        }
    }
}
