// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Hints;
import io.jfabric.testkit.FreePort;
import io.jfabric.testkit.Providers;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever has been silent for long is not reached any more; a new node reaches it. */
@Timeout(150)
@Tag("long")
class RxdSilenceTest {
    /** 31 tries take 80 seconds. */
    private static final Duration SILENCE = Duration.ofSeconds(86);
    private static final double LONG_UP = 24 * 86_400;

    private static Node open(Address address) {
        try (Hints hints = Hints.rdm().provider("udp;ofi_rxd").sourceAddress(address)) {
            return Node.open(hints, NodeOptions.DEFAULT.withDeadline(NodeOptions.NO_DEADLINE));
        }
    }

    private static Address local(int port) {
        return Address.of(new InetSocketAddress("127.0.0.1", port));
    }

    @Test
    void lasts() throws Exception {
        Providers.RXD.assumeOffered();
        assumeTrue(Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ")[0]) < LONG_UP,
                "the machine has run for so long that the provider's sum does not overflow");
        Address where = local(FreePort.choose());
        try (Node a = open(local(0)); Node other = open(local(0))) {
            CompletableFuture<Void> early = a.send(a.allocate(8), a.peer(where), 1);
            Thread.sleep(SILENCE);
            try (Node b = open(where)) {
                CompletableFuture<Received> first = b.receive(b.allocate(8), 1);
                CompletableFuture<Received> second = b.receive(b.allocate(8), 2);
                other.send(other.allocate(8), other.peer(where), 2).get(10, TimeUnit.SECONDS);
                second.get(10, TimeUnit.SECONDS);
                // the longest pause between two tries is 4 seconds
                Thread.sleep(6000);
                assertThat(early).isNotDone();
                assertThat(first).isNotDone();
            }
        }
    }
}
