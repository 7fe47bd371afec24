// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.info;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.examples.Program;
import io.jfabric.examples.Program.Result;
import io.jfabric.info.Version;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tool against libfabric's own: stdout and stderr to the byte, and the exit status. */
class FiInfoTest {
    /** A line of options each; blanks separate arguments, {@code ''} is an empty one. */
    private static final List<String> LINES = List.of(
            "", "-v", "-l", "-e",
            "-p tcp -v", "-p shm -v", "-t FI_EP_MSG -v", "-c FI_RMA|FI_TAGGED",
            // names and addresses
            "-n 127.0.0.1 -P 5000 -p tcp -v", "-s 127.0.0.1 -P 7777 -v -p udp", "-n ::1 -p tcp",
            "-P 65536 -p tcp -v", "-n 127.0.0.1 -P 99999 -p udp -v",
            "-d lo -v", "-f 127.0.0.0/8", "-p tcp;ofi_rxm -t FI_EP_RDM",
            // words: any letter case, empty ones, every one that is not a capability, unknown ones
            "-c fi_msg||FI_Tagged", "-c FI_PEEK|FI_MORE", "-c FI_ATOMIC -c FI_COLLECTIVE", "-t fi_ep_dgram",
            "-a FI_ADDR_STR -v", "-a FI_SOCKADDR_IN6", "-a FI_ADDR_PSMX", "-m ''",
            "-m FI_CONTEXT|FI_CONTEXT2", "-m FI_LOCAL_MR", "-m FI_NOTIFY_FLAGS_ONLY|FI_RESTRICTED_COMP",
            "-t FI_EP_SOCK_STREAM",
            "-c FI_NOPE", "-m FI_NOPE", "-t FI_NOPE", "-a FI_NOPE", "-p nosuch", "-f nosuch", "-n nosuch.invalid",
            // what is printed
            "-g tcp", "-g nosuch", "-i SHM", "-l -p tcp -v",
            // getopt_long
            "-lv", "-ptcp", "--prov=tcp", "--provider udp extra", "-p -v", "-p -- -l", "-- -l",
            "- -l", "--ver", "--ver=3", "--=3", "--zz=4", "--list=4", "-z", "-:", "-p", "-g",
            "-h", "--version", "-h -c FI_NOPE", "-c FI_NOPE -h");
    private static final Map<String, Future<Result>> EXPECTED = new ConcurrentHashMap<>();
    private static ExecutorService pool;

    static List<String> lines() {
        return LINES;
    }

    // C needs some tenths of a second for each, so start them all at once, on both cores
    @BeforeAll
    static void runC() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        pool = Executors.newFixedThreadPool(2);
        LINES.forEach(line -> EXPECTED.put(line, pool.submit(() -> fiInfo(Map.of(), arguments(line)))));
    }

    @AfterAll
    static void stop() {
        if (pool != null) {
            pool.shutdownNow();
        }
    }

    @ParameterizedTest(name = "fi_info {0}")
    @MethodSource("lines")
    void printsWhatFiInfoPrints(String line) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = new FiInfo("fi_info", printer(out), printer(err)).run(arguments(line));
        Result actual = new Result(status, out.toString(StandardCharsets.ISO_8859_1),
                err.toString(StandardCharsets.ISO_8859_1));

        assertThat(comparable(actual)).isEqualTo(comparable(EXPECTED.get(line).get()));
    }

    /** Text with NULs, quotes and a letter that is not ASCII, from an environment that only a new process can have. */
    @Test
    void printsTheEnvironment() {
        Map<String, String> environment = Map.of("FI_TCP_IFACE", "lo", "FI_LOG_PROV", "x y", "FI_UDP_IFACE", "\u00e4",
                "LC_ALL", "C.UTF-8");
        Result expected = fiInfo(environment, "-e");
        assertThat(expected.out()).contains("FI_TCP_IFACE=\0lo\0\n", "FI_LOG_PROV=\"x y\"\n");

        assertThat(java(environment, "-e")).isEqualTo(expected);
        // verbs of libfabric 2 adds its variables when it first looks for devices, which listing providers does not do
        assertThat(java(environment, "-l", "-e", "-v")).isEqualTo(fiInfo(environment, "-l", "-e", "-v"));
    }

    @Test
    void exitStatusReachesTheShell() {
        assertThat(java(Map.of(), "-p", "nosuch")).isEqualTo(fiInfo(Map.of(), "-p", "nosuch"));
        assertThat(java(Map.of(), "--nosuch")).isEqualTo(fiInfo(Map.of(), "--nosuch"));
    }

    private static PrintStream printer(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String[] arguments(String line) {
        return Stream.of(line.split(" ")).filter(word -> !word.isEmpty())
                .map(word -> word.equals("''") ? "" : word).toArray(String[]::new);
    }

    private static Result fiInfo(Map<String, String> environment, String... args) {
        List<String> command = new ArrayList<>(List.of("fi_info"));
        command.addAll(Arrays.asList(args));
        try (Program program = Program.command(environment, command)) {
            return program.await();
        }
    }

    private static Result java(Map<String, String> environment, String... args) {
        try (Program program = Program.java(environment, FiInfo.class, args)) {
            return program.await();
        }
    }

    // shm's addresses hold the process id, of one to seven digits: two runs of C's differ in them as well
    private static Result comparable(Result result) {
        String out = result.out()
                .replaceAll("_addrlen: \\d+(\\s+dest_addrlen: )\\d+(\\s+src_addr: fi_(shm|sm2)://)", "_addrlen: N$1N$2")
                .replaceAll("(fi_(shm|sm2)://)\\d+", "$1PID");
        // jfabric sets them for the process when a fabric of rxm or sockets is opened, as another test here may
        out = out.replaceAll("FI_(OFI_RXM_SAR_LIMIT|SOCKETS_CONN_TIMEOUT|SOCKETS_DEF_CONN_MAP_SZ)=[^\n]*\n", "");
        if (Fabric.version().atLeast(new Version(2, 2))) {
            // what the program was compiled for: C's with that library, ours for 2.1
            out = out.replaceAll("api_version: [\\d.]+", "api_version: N");
        }
        return new Result(result.status(), out, result.err());
    }
}
