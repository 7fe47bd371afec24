// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import static io.jfabric.examples.pingpong.Tool.Language.C;
import static io.jfabric.examples.pingpong.Tool.Language.JAVA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.examples.pingpong.Tool.Language;
import io.jfabric.info.Address;
import io.jfabric.info.AddressFormat;
import io.jfabric.testkit.FreePort;
import java.io.DataInputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our fi-pingpong and libfabric's fi_pingpong as each other's client and server. */
@Timeout(120)
class InteroperationTest {
    @TempDir
    Path directory;

    @BeforeAll
    static void available() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
    }

    @ParameterizedTest(name = "{0} server, {1} client: {2} {3} {4} {5}")
    @Tag("long")
    @CsvSource({
        "JAVA, C,    shm,         rdm,   '', msg",
        "C,    JAVA, shm,         rdm,   '', msg",
        "JAVA, C,    tcp;ofi_rxm, rdm,   lo, msg",
        "C,    JAVA, tcp;ofi_rxm, rdm,   lo, msg",
        "JAVA, C,    udp,         dgram, lo, msg",
        "C,    JAVA, udp,         dgram, lo, msg",
        "JAVA, C,    tcp,         msg,   lo, msg",
        "C,    JAVA, tcp,         msg,   lo, msg",
        "JAVA, C,    tcp;ofi_rxm, rdm,   lo, tagged",
        "C,    JAVA, shm,         rdm,   '', tagged"})
    void everySizeWithDataChecks(Language server, Language client, String provider, String type, String domain,
            String kind) throws Exception {
        List<String> options = new ArrayList<>(List.of("-I", "9", "-p", provider, "-e", type, "-m", kind, "-c", "-I",
                "3", "-S", "all"));
        if (!domain.isEmpty()) {
            options.addAll(List.of("-d", domain));
        }
        int port = FreePort.choose();
        String serverReport;
        String clientReport;
        try (Tool first = Tool.start(server, directory, with(options, "-B", port + ""))) {
            first.awaitListening(port);
            try (Tool second = Tool.start(client, directory, with(options, "-P", port + "", "127.0.0.1"))) {
                assertThat(second.exitStatus()).as("client: %s", second.output()).isZero();
                clientReport = second.report();
            }
            assertThat(first.exitStatus()).as("server: %s", first.output()).isZero();
            serverReport = first.report();
        }

        assertThat(header(serverReport)).isEqualTo(header(clientReport)).contains("usec/xfer");
        assertThat(counts(serverReport)).isEqualTo(counts(clientReport)).hasSizeGreaterThan(20)
                .startsWith("0 3 =3 0", "1 3 =3 6", "2 3 =3 12", "3 3 =3 18");
        // what shm, rxm and tcp take, and the MTU of loopback's datagrams
        assertThat(counts(serverReport).getLast()).startsWith(type.equals("dgram") ? "1k 3 =3" : "6m 3 =3");
    }

    private static String[] with(List<String> options, String... more) {
        return Stream.concat(options.stream(), Stream.of(more)).toArray(String[]::new);
    }

    private static String header(String report) {
        return report.lines().findFirst().orElse("");
    }

    /** The columns that do not depend on time, each line checked for C's layout. */
    private static List<String> counts(String report) {
        List<String> counts = new ArrayList<>();
        report.lines().skip(1).forEach(line -> {
            assertThat(line).matches(".{33} {0,6}[0-9.]+s +[0-9.]+ +[0-9.]+ +[0-9.]+");
            counts.add(line.substring(0, 33).strip().replaceAll(" +", " "));
        });
        return counts;
    }

    @Test
    @Tag("long")
    void aServerDoesNotWaitForAClientThatDied() throws Exception {
        int port = FreePort.choose();
        String[] endless = {"-p", "shm", "-e", "rdm", "-S", "64", "-I", Integer.MAX_VALUE + "", "-v"};
        try (Tool server = Tool.start(JAVA, directory, with(List.of(endless), "-B", port + ""))) {
            server.awaitListening(port);
            try (Tool client = Tool.start(C, directory, with(List.of(endless), "-P", port + "", "127.0.0.1"))) {
                assertThat(server.awaitOutput("synchronised")).isTrue();
                client.kill();
                int status = server.exitStatus();
                // it may have died inside the lock of the server's endpoint, which the server takes back after a
                // second; an error of libfabric's is the status then, as it is in C
                if (server.output().contains("[error] the peer closed the control connection")) {
                    assertThat(status).as(server.output()).isEqualTo(1);
                } else {
                    assertThat(status).as(server.output()).isEqualTo(FabricError.EIO.code());
                    assertThat(server.output()).containsPattern("\\[error\\] .*died while it held the lock");
                }
            }
        }
    }

    /** Its address is one where nobody answers: the first message is never taken. */
    @Test
    void aClientDoesNotWaitForAServerThatDiedBeforeTheFirstMessage() throws Exception {
        byte[] nobody = Address.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)).bytes();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
             Tool client = Tool.start(JAVA, directory, "-p", "tcp", "-e", "rdm", "-P", server.getLocalPort() + "",
                     "127.0.0.1")) {
            try (Socket socket = server.accept()) {
                OutputStream out = socket.getOutputStream();
                out.write(ByteBuffer.allocate(8 + nobody.length).putInt(nobody.length).order(ByteOrder.nativeOrder())
                        .putInt((int) AddressFormat.SOCKADDR_IN.code()).put(nobody).array());
                DataInputStream in = new DataInputStream(socket.getInputStream());
                in.skipNBytes(Integer.BYTES + in.readInt());
                assertThat(new String(in.readNBytes(2), StandardCharsets.US_ASCII)).isEqualTo("q\0");
                out.write("a\0".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(client.exitStatus()).as(client.output()).isNotZero();
            assertThat(client.output()).contains("[error] the peer closed the control connection");
        }
    }

    @Test
    void errorsAreExitStatuses() throws Exception {
        try (Tool noServer = Tool.start(JAVA, directory, "-P", FreePort.choose() + "", "127.0.0.1");
             Tool badOption = Tool.start(JAVA, directory, "-e", "stream")) {
            assertThat(noServer.exitStatus()).isEqualTo(1);
            assertThat(noServer.output()).contains("no server at 127.0.0.1 port");
            assertThat(badOption.exitStatus()).isEqualTo(1);
            assertThat(badOption.output()).contains("'stream' is not one of msg, rdm, dgram").contains("<srv_addr>");
        }
    }
}
