// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.examples.Program.Result;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each example of one process does what it says. */
class ExamplesTest {
    @BeforeEach
    void libfabricIsAvailable() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
    }

    @Test
    void listProviders() {
        assertThat(Program.output(ListProviders.class))
                .startsWith("libfabric " + Fabric.versionText())
                .containsPattern("(?m)^shm \\d+\\.\\d+$")
                .containsPattern("(?m)^tcp.* \\d+\\.\\d+$")
                .contains("FI_EP_RDM", "FI_EP_MSG", "fi_sockaddr_in://127.0.0.1:", "FI_TAGGED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void sendOneMessage(String provider) {
        assertThat(Program.output(SendOneMessage.class, provider))
                .startsWith("using " + provider)
                .endsWith("received 14 bytes: Hello, fabric\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void taggedExchange(String provider) {
        assertThat(Program.output(TaggedExchange.class, provider).lines()).containsExactlyInAnyOrder(
                "buffer 0: \"mail 7\", tag 200000007",
                "buffer 1: \"news 1\", tag 100000001",
                "buffer 2: \"mail 8\", tag 200000008");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "sockets"})
    void remoteWrite(String provider) {
        assertThat(Program.output(RemoteWrite.class, provider).lines()).containsExactly(
                "told 42, memory has \"written from afar\"",
                "read back \"written from afar\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void atomicCounter(String provider) {
        assertThat(Program.output(AtomicCounter.class, provider).lines().skip(1)).containsExactly(
                "first draws 0", "second draws 1", "first draws 2", "second draws 3", "first draws 4",
                "second draws 5", "6 tickets drawn");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void mappedFile(String provider) {
        assertThat(Program.output(MappedFile.class, provider)).isEqualTo("copied 190000 bytes, the same\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shm RDM", "tcp RDM", "udp DGRAM 127.0.0.1"})
    void loopback(String args) {
        assertThat(Program.output(Loopback.class, args.isEmpty() ? new String[0] : args.split(" ")))
                .containsPattern("\nmessages of 1 to " + (args.startsWith("udp") ? "\\d+" : "1048576")
                        + " bytes arrived\n$");
    }

    @Test
    void connectAndAcceptWithoutArgumentsSaysWhatItWants() {
        try (Program program = Program.java(Map.of(), ConnectAndAccept.class)) {
            Result result = program.await();
            assertThat(result.status()).isEqualTo(2);
            assertThat(result.err()).startsWith("Usage: ConnectAndAccept server PORT");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"OutOfBand", "OutOfBand client", "OutOfBand client localhost abc", "AllReduce two",
        "DistributedSort tcp all", "KeyValueStore shm 1 -3", "RequestServer shm 0", "WorkStealing shm 1e3"})
    void wrongArgumentsAreAnsweredWithALine(String line) throws ClassNotFoundException {
        String[] words = line.split(" ");
        try (Program program = Program.java(Map.of(), Class.forName("io.jfabric.examples." + words[0]),
                Arrays.copyOfRange(words, 1, words.length))) {
            Result result = program.await();
            assertThat(result.status()).as(result.toString()).isEqualTo(2);
            assertThat(result.err()).containsPattern("^(Usage: OutOfBand|error: \".+\" is not a positive number)")
                    .hasLineCount(1);
        }
    }

    @Test
    void waitOnFd() {
        assertThat(Program.output(WaitOnFd.class).lines()).containsExactlyInAnyOrder(
                "completed 1", "completed 2", "received: worth waking up for");
    }

    @Test
    void counters() {
        assertThat(Program.output(Counters.class)).isEqualTo("received 10 messages\n");
    }

    @Test
    void deferredChain() {
        assertThat(Program.output(DeferredChain.class).lines()).containsExactly(
                "queued; the target holds 0", "done; written and read back: 42");
    }

    @Test
    void scalableEndpoints() {
        assertThat(Program.output(ScalableEndpoints.class)).contains(" got: for context 0\n", " got: for context 1\n");
    }

    @Test
    void sharedReceive() {
        assertThat(Program.output(SharedReceive.class).lines()).hasSizeGreaterThan(1)
                .allMatch(line -> line.matches("buffer \\d: from endpoint \\d"));
    }

    @Test
    void allReduce() {
        assertThat(Program.output(AllReduce.class)).endsWith("rank 0 of 1: the sum of 1 to 1 is 1\n");
    }
}
