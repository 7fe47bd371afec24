// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.examples.Program.Result;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every example does what it says, in a process of its own. */
class ExamplesTest {
    @BeforeEach
    void libfabricIsAvailable() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
    }

    private static String run(Class<?> example, String... args) {
        try (Program program = Program.java(Map.of(), example, args)) {
            Result result = program.await();
            assertThat(result.status()).as(result.toString()).isZero();
            assertThat(result.err()).isEmpty();
            return result.out();
        }
    }

    @Test
    void listProviders() {
        assertThat(run(ListProviders.class))
                .startsWith("libfabric " + Fabric.versionText())
                .containsPattern("(?m)^shm \\d+\\.\\d+$")
                .containsPattern("(?m)^tcp.* \\d+\\.\\d+$")
                .contains("FI_EP_RDM", "FI_EP_MSG", "fi_sockaddr_in://127.0.0.1:", "FI_TAGGED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void sendOneMessage(String provider) {
        assertThat(run(SendOneMessage.class, provider))
                .startsWith("using " + provider)
                .endsWith("received 14 bytes: Hello, fabric\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void taggedExchange(String provider) {
        assertThat(run(TaggedExchange.class, provider).lines()).containsExactlyInAnyOrder(
                "buffer 0: \"mail 7\", tag 200000007",
                "buffer 1: \"news 1\", tag 100000001",
                "buffer 2: \"mail 8\", tag 200000008");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp;ofi_rxm"})
    void outOfBand(String provider) {
        try (Program server = Program.java(Map.of(), OutOfBand.class, "server", provider)) {
            String port = server.awaitLine("listening: client localhost ");
            try (Program client = Program.java(Map.of(), OutOfBand.class, "client", "localhost", port, provider)) {
                String line = "received over " + provider + ": greetings from process ";
                assertThat(Long.parseLong(client.awaitLine(line))).isEqualTo(server.pid());
                assertThat(Long.parseLong(server.awaitLine(line))).isEqualTo(client.pid());
                assertThat(client.await().status()).isZero();
                assertThat(server.await().status()).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void remoteWrite(String provider) {
        assertThat(run(RemoteWrite.class, provider).lines()).containsExactly(
                "told 42, memory has \"written from afar\"",
                "read back \"written from afar\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void atomicCounter(String provider) {
        assertThat(run(AtomicCounter.class, provider).lines().skip(1)).containsExactly(
                "first draws 0", "second draws 1", "first draws 2", "second draws 3", "first draws 4",
                "second draws 5", "6 tickets drawn");
    }
}
