// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.async.Node;
import io.jfabric.examples.Program.Result;
import io.jfabric.info.Address;
import io.jfabric.info.Hints;
import io.jfabric.launch.Launcher;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each example of several processes does what it says. */
class ApplicationsTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void libfabricIsAvailable() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
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
                    result.isGood();
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
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String out = Program.output(Launcher.class, "-n", "3", java, "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp", System.getProperty("java.class.path"),
                DistributedSort.class.getName(), provider, "1", picture.toString());
        assertThat(out).contains("[2] rank 2 on ").contains("[0] ok: 3 ranks by RENDEZVOUS have sorted 3 MB in ")
                .contains(", verified");
        assertThat(picture).content().contains("<svg").contains("rank 2 on ").contains("all-to-all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void workStealing(String provider) {
        String out = Program.output(WorkStealing.class, provider, "3");
        assertThat(out).contains("ok: 600 tasks, each done once\n");
        assertThat(Pattern.compile("process \\d has done (\\d+) tasks and stolen \\d+").matcher(out).results()
                .mapToInt(m -> Integer.parseInt(m.group(1))).sum()).isEqualTo(600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void requestServer(String provider) {
        // 10 of them are slow on purpose
        assertThat(Program.output(RequestServer.class, provider, "1", "1000"))
                .contains("client 1: ok, 990 answers compared, 10 calls ended at their deadline, in ")
                .containsPattern("server: \\d+ calls answered, ");
    }

    /** More than a caller takes at a time. */
    @Test
    @Tag("long")
    void requestServerAnswersAnyNumberOfCalls() {
        assertThat(Program.output(RequestServer.class, "shm", "1", "40000"))
                .contains("client 1: ok, 39600 answers compared, 400 calls ended at their deadline, in ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void keyValueStore(String provider) {
        // for each of 32 keys: one before there is a value, then two in each round
        assertThat(Program.output(KeyValueStore.class, provider, "2", "20"))
                .contains("client 1: ok, 1312 values compared, ", "client 2: ok, 1312 values compared, ",
                        "server: 1280 values stored\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void allToAllFiles(String provider) {
        assertThat(Program.output(AllToAllFiles.class, provider, "3").lines()).containsExactlyInAnyOrder(
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

    /** Its address is one where nobody answers: the message is never taken. */
    @Test
    void outOfBandNoticesThatTheOtherHasGoneAtOnce() throws IOException {
        try (Program server = Program.java(Map.of(), OutOfBand.class, "server", "tcp;ofi_rxm");
                Socket socket = new Socket("localhost",
                        Integer.parseInt(server.awaitLine("listening: client localhost ")))) {
            byte[] nobody = Address.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)).bytes();
            swap(socket, new DataInputStream(socket.getInputStream()), nobody);
            socket.shutdownOutput();
            Result result = server.await();
            assertThat(result.err()).contains("the other process has gone");
            assertThat(result.status()).isEqualTo(1);
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
}
