// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.async.Node;
import io.jfabric.examples.Program.Result;
import io.jfabric.info.Hints;
import io.jfabric.launch.Launcher;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every example does what it says, in a process of its own. */
class ExamplesTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void libfabricIsAvailable() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
    }

    private static String run(Class<?> example, String... args) {
        try (Program program = Program.java(Map.of(), example, args)) {
            Result result = program.await();
            assertThat(result.status()).as(result.toString()).isZero();
            // a busy machine keeps threads from running for longer than is said without a warning, and whoever was
            // killed before may have had the same process id
            assertThat(result.err().lines().filter(line -> !line.contains(" stood still for ")
                    && !line.contains("which a killed process had left"))).isEmpty();
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
    @ValueSource(strings = {"shm", "tcp"})
    void helloNode(String provider) {
        try (Program server = Program.java(Map.of(), HelloNode.class, "server", provider)) {
            String port = server.awaitLine("listening: client ");
            try (Program client = Program.java(Map.of(), HelloNode.class, "client", port, provider)) {
                Pattern line = Pattern.compile("(?m)^received \\d+ bytes: greetings from process (\\d+)$");
                for (Program program : List.of(client, server)) {
                    Result result = program.await();
                    assertThat(result.status()).as(result.toString()).isZero();
                    assertThat(result.err()).isEmpty();
                    Matcher greeting = line.matcher(result.out());
                    assertThat(greeting.find()).as(result.out()).isTrue();
                    assertThat(Long.parseLong(greeting.group(1)))
                            .isEqualTo(program == client ? server.pid() : client.pid());
                }
            }
        }
    }

    /** The other process is this test, which sends something else than it says. */
    @Test
    void helloNodeComparesWhatCame() throws IOException {
        try (Program server = Program.java(Map.of(), HelloNode.class, "server", "tcp");
                Socket socket = new Socket("localhost", Integer.parseInt(server.awaitLine("listening: client ")));
                Hints hints = Hints.rdm().provider("tcp"); Node node = Node.open(hints)) {
            CompletableFuture<?> greeting = node.receive(node.allocate(256), 1);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] address = swap(socket, in, node.address().bytes());
            node.send(node.memory().allocateFrom("one thing"), node.peer(address), 1).join();
            greeting.join();
            assertThat(swap(socket, in, "another".getBytes())).asString().startsWith("greetings from process ");
            Result result = server.await();
            assertThat(result.status()).as(result.toString()).isEqualTo(1);
            assertThat(result.err()).contains("the greeting: one thing came, expected was another");
        }
    }

    private static byte[] swap(Socket socket, DataInputStream in, byte[] mine) throws IOException {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(mine.length);
        out.write(mine);
        return in.readNBytes(in.readInt());
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void distributedSort(String provider) throws IOException {
        Path picture = directory.resolve("sort.svg");
        String out = run(Launcher.class, "-n", "3", Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp",
                System.getProperty("java.class.path"), DistributedSort.class.getName(), provider, "1",
                picture.toString());
        assertThat(out).contains("[2] rank 2 on ").contains("[0] ok: 3 ranks by RENDEZVOUS have sorted 3 MB in ")
                .contains(", verified");
        assertThat(picture).content().contains("<svg").contains("rank 2 on ").contains("all-to-all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void workStealing(String provider) {
        String out = run(WorkStealing.class, provider, "3");
        assertThat(out).contains("ok: 600 tasks, each done once\n");
        assertThat(Pattern.compile("process \\d has done (\\d+) tasks and stolen \\d+").matcher(out).results()
                .mapToInt(m -> Integer.parseInt(m.group(1))).sum()).isEqualTo(600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void requestServer(String provider) {
        // 10 of them are slow on purpose
        assertThat(run(RequestServer.class, provider, "1", "1000"))
                .contains("client 1: ok, 990 answers compared, 10 calls ended at their deadline, in ")
                .containsPattern("server: \\d+ calls answered, ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void keyValueStore(String provider) {
        // for each of 32 keys: one before there is a value, then two in each round
        assertThat(run(KeyValueStore.class, provider, "2", "20"))
                .contains("client 1: ok, 1312 values compared, ", "client 2: ok, 1312 values compared, ",
                        "server: 1280 values stored\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void allToAllFiles(String provider) {
        assertThat(run(AllToAllFiles.class, provider, "3").lines()).containsExactlyInAnyOrder(
                "process 0: ok, 3 files with 1200012 bytes in 19 messages",
                "process 1: ok, 3 files with 3600030 bytes in 31 messages",
                "process 2: ok, 3 files with 6000048 bytes in 46 messages");
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

    /** The other process is this test, which has the server talk to itself and then goes. */
    @Test
    void outOfBandNoticesThatTheOtherHasGone() throws IOException {
        try (Program server = Program.java(Map.of(), OutOfBand.class, "server", "tcp;ofi_rxm")) {
            int port = Integer.parseInt(server.awaitLine("listening: client localhost "));
            try (Socket socket = new Socket("localhost", port)) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                byte[] address = in.readNBytes(in.readInt());
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.writeInt(address.length);
                out.write(address);
                server.awaitLine("received over ");
                // closing would reset the connection if something is unread
                socket.shutdownOutput();
                Result result = server.await();
                assertThat(result.err()).contains("the other process has gone");
                assertThat(result.status()).isEqualTo(1);
            }
        }
    }

    @Test
    void distributedSortRefusesWhatItCannotCount() {
        try (Program program = Program.java(Map.of(), DistributedSort.class, "tcp", "300000")) {
            Result result = program.await();
            assertThat(result.err()).contains("MEGABYTES: 3000000000 records are more than a rank can sort");
            assertThat(result.status()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "sockets"})
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

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void mappedFile(String provider) {
        assertThat(run(MappedFile.class, provider)).isEqualTo("copied 190000 bytes, the same\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shm RDM", "tcp RDM", "udp DGRAM 127.0.0.1"})
    void loopback(String args) {
        assertThat(run(Loopback.class, args.isEmpty() ? new String[0] : args.split(" ")))
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
        assertThat(run(WaitOnFd.class).lines()).containsExactlyInAnyOrder(
                "completed 1", "completed 2", "received: worth waking up for");
    }

    @Test
    void counters() {
        assertThat(run(Counters.class)).isEqualTo("received 10 messages\n");
    }

    @Test
    void deferredChain() {
        assertThat(run(DeferredChain.class).lines()).containsExactly(
                "queued; the target holds 0", "done; written and read back: 42");
    }

    @Test
    void scalableEndpoints() {
        assertThat(run(ScalableEndpoints.class)).contains(" got: for context 0\n", " got: for context 1\n");
    }

    @Test
    void sharedReceive() {
        assertThat(run(SharedReceive.class).lines()).hasSizeGreaterThan(1)
                .allMatch(line -> line.matches("buffer \\d: from endpoint \\d"));
    }

    @Test
    void allReduce() {
        assertThat(run(AllReduce.class)).endsWith("rank 0 of 1: the sum of 1 to 1 is 1\n");
    }
}
