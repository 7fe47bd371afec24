// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.ChildJvm;
import java.io.File;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher of scripts/launch. */
@Timeout(120)
class LaunchTest {
    @TempDir
    private Path directory;

    static List<String> java(String... args) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
                .toString(), "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-Xmx64m", "-XX:ErrorFile=target/hs_err_child_%p.log", "-cp",
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(part -> Path.of(part).toAbsolutePath().toString())
                        .collect(Collectors.joining(File.pathSeparator)), Worker.class.getName()));
        command.addAll(List.of(args));
        return command;
    }

    private static ChildJvm.Builder launch(List<String> options, List<String> program) {
        return ChildJvm.of(Launcher.class, Stream.concat(options.stream(), program.stream()).toArray(String[]::new))
                .flags("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    }

    @Test
    void ranksRunAndTheirLinesAreMarked() {
        ChildJvm.Result result = launch(List.of("-n", "2"), java("talk")).run();
        assertThat(result.output()).contains("[0] joined 0/2 local 0/2").contains("[1] joined 1/2 local 1/2")
                .contains("[0] ok").contains("[1] ok");
        assertThat(result.exitCode()).isZero();
    }

    /** The server is at ::1 then. */
    @Test
    void ranksFindAServerThatPrefersIpv6() throws Exception {
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName("::1")) != null, "no IPv6 here");
        ChildJvm.Result result = launch(List.of("-n", "2"), java("talk"))
                .flags("-Djava.net.preferIPv6Addresses=true").run();
        assertThat(result.output()).contains("[0] ok").contains("[1] ok");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void addressOfIpv6IsToldInBrackets() throws Exception {
        List<String> options = new ArrayList<>(elsewhere("a", "exec sh -c \"$2\""));
        options.set(options.indexOf("--address") + 1, "fe80::1");
        ChildJvm.Result result = launch(options, List.of("sh", "-c", "echo at $JFABRIC_RENDEZVOUS")).run();
        assertThat(result.output()).containsPattern("at \\[fe80::1]:\\d+");
    }

    @Test
    void otherHostsAreReachedByAShell() throws Exception {
        ChildJvm.Result result = launch(elsewhere("a,b", "echo \"to $1\"\nexec sh -c \"$2\""), java("talk")).run();
        assertThat(result.output()).contains("[0] to a").contains("[1] to b").contains("[0] ok").contains("[1] ok");
        assertThat(result.exitCode()).isZero();
    }

    /** As ssh does: by the login shell of the user there. */
    @ParameterizedTest
    @ValueSource(strings = {"sh", "bash", "ksh", "csh", "tcsh"})
    void loginShellMayBeAny(String shell) throws Exception {
        assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path -> Files.isExecutable(Path.of(path, shell))), shell + " is not installed");
        List<String> program = List.of("sh", "-c", "echo \"$JFABRIC_RANK of $JFABRIC_SIZE: $1, $2\"", "sh",
                "it's \\ $HOME \"a\" `b`", "hello!! !x ! {a,b} ~ * \\!");
        ChildJvm.Result result = launch(elsewhere("a,b", "exec " + shell + " -c \"$2\""), program).run();
        assertThat(result.output()).contains("[0] 0 of 2: it's \\ $HOME \"a\" `b`, hello!! !x ! {a,b} ~ * \\!")
                .contains("[1] 1 of 2: ");
        assertThat(result.exitCode()).isZero();
    }

    /** What csh would expand, and sh would not, however it is quoted: csh itself is rarely there to show it. */
    @Test
    void lineForTheLoginShellHasNoBareExclamationMark() throws Exception {
        ChildJvm.Result result = launch(elsewhere("a", "printf '%s\\n' \"$2\""), List.of("echo", "a!b")).run();
        assertThat(result.output()).contains("[0] exec /bin/sh -c '").contains("a'\\!'b").doesNotContain("a!b");
    }

    /** Here and on the way to another host. */
    @Test
    void secretOfAnotherJobIsNotTaken() throws Exception {
        Path file = Files.writeString(directory.resolve("secret"), "another");
        for (List<String> options : List.of(List.of("-n", "2"), elsewhere("a,b", "exec sh -c \"$2\""))) {
            ChildJvm.Result result = launch(options, java("talk"))
                    .environment("JFABRIC_SECRET_FILE", file.toString()).run();
            assertThat(result.output()).contains("[0] ok").contains("[1] ok");
            assertThat(result.exitCode()).isZero();
        }
    }

    /** The shell makes the bytes: this JVM's locale may be any. */
    @Test
    void argumentsThatTheJvmLosesAreRefused() {
        assertThat(echo("C.UTF-8", "gr\\303\\266\\303\\237er").output()).endsWith("[0] gr\u00f6\u00dfer");
        for (ChildJvm.Result result : List.of(echo("C", "gr\\303\\266"), echo("C.UTF-8", "gr\\366"))) {
            assertThat(result.output()).contains(" is not what was given").contains("LC_ALL=C.UTF-8")
                    .doesNotContain("[0]");
            assertThat(result.exitCode()).isEqualTo(2);
        }
    }

    private static ChildJvm.Result echo(String locale, String argument) {
        String script = "exec env LC_ALL=" + locale + " \"$@\" \"$(printf '" + argument + "')\"";
        return launch(List.of("-n", "1"), List.of("echo")).prefix("sh", "-c", script, "sh").run();
    }

    @Test
    void oneThatFailsEndsAll() {
        List<String> program = List.of("sh", "-c", "if [ $JFABRIC_RANK = 1 ]; then exit 7; fi; exec sleep 60");
        ChildJvm.Result result = launch(List.of("-n", "3"), program).run();
        assertThat(result.output()).contains("launch: rank 1 on ").contains("status 7");
        assertThat(result.exitCode()).isEqualTo(7);
    }

    @Test
    void signalEndsAll() {
        signalEndsAll(List.of("-n", "2"), "trap 'echo told; exit 0' TERM; echo up; sleep 60 & wait");
    }

    private static void signalEndsAll(List<String> options, String script) {
        try (ChildJvm launcher = launch(options, List.of("sh", "-c", script)).start()) {
            launcher.awaitLine("[0] up"::equals);
            launcher.awaitLine("[1] up"::equals);
            launcher.terminate();
            ChildJvm.Result result = launcher.await();
            assertThat(result.output()).contains("[0] told").contains("[1] told");
            assertThat(result.exitCode()).isEqualTo(143);
        }
    }

    /** What a program has started ends with it, also if that is not what it waits for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasStartedEndsToo(boolean unwilling) throws Exception {
        String child = (unwilling ? "trap '' TERM; " : "") + "sleep 55 & echo up $!; sleep 50; echo went on";
        List<String> program = List.of("sh", "-c", "if [ $JFABRIC_RANK = 1 ]; then sleep 1; exit 3; fi; " + child);
        whatWasStartedEndsToo(List.of("-n", "2"), program);
    }

    /** The program leads a group there. */
    @Tag("long")
    @Test
    void whatWasStartedEndsTooOnOtherHosts() throws Exception {
        whatWasStartedEndsToo(elsewhere("a,b", "setsid -w sh -c \"$2\"\nexit $?"), List.of("sh", "-c",
                "if [ $JFABRIC_RANK = 1 ]; then sleep 1; exit 3; fi; "
                        + "(trap '' TERM; exec sleep 55) & echo up $!; sleep 50; echo went on"));
    }

    private static void whatWasStartedEndsToo(List<String> options, List<String> program) throws Exception {
        ChildJvm.Result result = launch(options, program).run();
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.output()).doesNotContain("went on");
        long pid = Long.parseLong(result.output().lines().filter(line -> line.startsWith("[0] up ")).findFirst()
                .orElseThrow().substring(7));
        awaitEnd(process -> process.pid() == pid);
    }

    /** By somebody whom the rank has left behind, and who ends when nobody reads it any more. */
    @ParameterizedTest
    @ValueSource(strings = {"sleep 0.01", ":"})
    void whatIsPrintedForEverDoesNotHoldItLong(String pause) {
        ChildJvm.Result result = launch(List.of("-n", "1"), List.of("sh", "-c",
                "(while echo on; do " + pause + "; done) & exit 3")).run();
        assertThat(result.exitCode()).isEqualTo(3);
    }

    /** Whoever reads what is printed does something else first: the pipe is full, and the process has ended. */
    @Test
    void whatIsReadLateIsNotLost() throws Exception {
        assertThat(piped("(sleep 5; tail -n 1)", "seq 1 15000; echo last words")).isEqualTo("[0] last words\n");
    }

    /** Longer than the launcher's memory. */
    @Test
    void lineWithoutAnEndIsPrinted() throws Exception {
        long bytes = 80_000_000;
        long lines = Math.ceilDiv(bytes, 64 << 10);
        assertThat(piped("wc -lc", "head -c " + bytes + " /dev/zero").strip().split(" +"))
                .containsExactly(Long.toString(lines), Long.toString(bytes + lines * "[0] \n".length()));
    }

    /** What a command of the shell makes of what is printed. */
    private String piped(String reader, String program) throws Exception {
        Path pipe = Files.writeString(directory.resolve("pipe"), "\"$@\" | " + reader + "\n");
        List<String> command = new ArrayList<>(List.of("sh", pipe.toString()));
        command.addAll(java());
        command.set(command.size() - 1, Launcher.class.getName());
        command.addAll(List.of("-n", "1", "sh", "-c", program));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void processThatNeverJoinsIsNamedToTheOthers() {
        List<String> worker = java("talk");
        List<String> program = new ArrayList<>(List.of("sh", "-c",
                "if [ $JFABRIC_RANK = 1 ]; then sleep 1; exit 9; fi; exec \"$@\"", "sh"));
        program.addAll(worker);
        ChildJvm.Result result = launch(List.of("-n", "2", "--keep-going"), program).run();
        assertThat(result.output()).contains("[0] failed: join: ").contains("rank 1 on ")
                .contains("it has ended with status 9");
        assertThat(result.exitCode()).isEqualTo(9);
    }

    /** No failure of its own, but the others would wait for it until their deadline. */
    @Test
    void processThatEndsWellWithoutJoiningIsNamedToTheOthers() {
        List<String> program = new ArrayList<>(List.of("sh", "-c",
                "if [ $JFABRIC_RANK = 1 ]; then sleep 1; exit 0; fi; exec \"$@\"", "sh"));
        program.addAll(java("talk"));
        ChildJvm.Result result = launch(List.of("-n", "2"), program).run();
        assertThat(result.output()).contains("[0] failed: join: ").contains("rank 1 on ")
                .contains("it has ended with status 0 before all had joined");
        assertThat(result.exitCode()).isEqualTo(3);
    }

    /** A rank that has closed its job on the way out of a failure has not left in peace. */
    @ParameterizedTest
    @ValueSource(strings = {"report", "end"})
    void rankWithABugIsLostToTheOthers(String whenLost) {
        ChildJvm.Result result = launch(List.of("-n", "3", "--keep-going"), java("bug", whenLost, "20")).run();
        assertThat(result.output()).contains("[1] Exception in thread \"main\" java.lang.IllegalStateException: a bug");
        for (int rank : List.of(0, 2)) {
            if (whenLost.equals("report")) {
                assertThat(result.output()).containsPattern("\\[" + rank + "] lost rank 1 on \\S+: it has ended with "
                        + "status 1 ").contains("[" + rank + "] ok");
            } else {
                assertThat(result.output())
                        .containsPattern("\\[" + rank + "] .*the job ends, as it has lost rank 1 on ")
                        .containsPattern("launch: rank " + rank + " on \\S+: it has ended with status 75");
            }
        }
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    void programThatDoesNotWantToMeet() {
        ChildJvm.Result result = launch(List.of("-n", "2"), List.of("true")).run();
        assertThat(result.output()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    /** It does not wait for each of them. */
    @Test
    @Tag("long")
    void grandchildrenThatKeepTheOutputDoNotHoldItLong() {
        long start = System.nanoTime();
        ChildJvm.Result result = launch(List.of("-n", "3"), List.of("sh", "-c", "sleep 25 & echo $!")).run();
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        List<Long> grandchildren = result.output().lines().map(line -> Long.parseLong(line.substring(4))).toList();
        grandchildren.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy));
        assertThat(grandchildren).hasSize(3);
        // 12 s of waiting if it were for each stream
        assertThat(took).isLessThan(Duration.ofSeconds(10));
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void portInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ChildJvm.Result result = launch(List.of("-n", "1", "--port", Integer.toString(taken.getLocalPort())),
                    List.of("true")).run();
            assertThat(result.output()).startsWith("launch: the rendezvous cannot have port " + taken.getLocalPort()
                    + ": ").endsWith("; without --port it takes any that is free");
            assertThat(result.exitCode()).isEqualTo(126);
        }
    }

    @Test
    void programThatIsNotThere() {
        ChildJvm.Result result = launch(List.of("-n", "2"), List.of("/no/such/program")).run();
        assertThat(result.output()).contains("launch: Cannot run program \"/no/such/program\"")
                .doesNotContain("Exception");
        assertThat(result.exitCode()).isEqualTo(126);
    }

    @Test
    void hostThatCannotBeReachedIsNamed() throws Exception {
        ChildJvm.Result result = launch(elsewhere("a", "exec <&-\necho no way to $1\nexit 255"), List.of("true")).run();
        assertThat(result.output()).contains("[0] no way to a").contains("rank 0 on a: it has ended with status 255");
        assertThat(result.exitCode()).isEqualTo(255);
    }

    /** One rank on each host, by a script that gets what ssh does: the host, then one line for its shell. */
    private List<String> elsewhere(String hosts, String script) throws Exception {
        Path shell = Files.writeString(directory.resolve("rsh"), "#!/bin/sh\n" + script + '\n');
        assertThat(shell.toFile().setExecutable(true)).isTrue();
        return List.of("-n", Integer.toString(hosts.split(",").length), "--hosts", hosts, "--address", "127.0.0.1",
                "--rsh", shell.toString());
    }

    /** As ssh: what it has started goes on when it ends itself. */
    private List<String> elsewhere() throws Exception {
        return elsewhere("a,b", "sh -c \"$2\"\nexit $?");
    }

    private static void awaitEnd(Predicate<ProcessHandle> which) throws InterruptedException {
        long end = System.nanoTime() + ChildJvm.DEADLINE.toNanos();
        while (ProcessHandle.allProcesses().anyMatch(which)) {
            assertThat(System.nanoTime()).as("it still runs").isLessThan(end);
            Thread.sleep(50);
        }
    }

    @Test
    void signalEndsAllOnOtherHosts() throws Exception {
        signalEndsAll(elsewhere(), "trap 'echo told; kill $!; exit 0' TERM; sleep 60 & echo up; wait");
    }

    /** Also one that does not want to end. */
    @Test
    @Tag("long")
    void endOfTheLauncherEndsAllOnOtherHosts() throws Exception {
        List<String> program = List.of("sh", "-c",
                "if [ $JFABRIC_RANK = 1 ]; then trap '' TERM; fi; echo up $$; exec sleep 60");
        try (ChildJvm launcher = launch(elsewhere(), program).start()) {
            List<Long> pids = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                String up = "[" + rank + "] up ";
                pids.add(Long.parseLong(launcher.awaitLine(line -> line.startsWith(up)).substring(up.length())));
            }
            launcher.kill();
            awaitEnd(process -> pids.contains(process.pid()));
        }
    }

    /** What watches them ends, too; it takes nothing from a program, which has no input. */
    @Test
    void nothingStaysOnOtherHosts() throws Exception {
        ChildJvm.Result result = launch(elsewhere(), List.of("sh", "-c", "cat; echo ok", directory.toString())).run();
        assertThat(result.output()).contains("[0] ok").contains("[1] ok");
        assertThat(result.exitCode()).isZero();
        awaitEnd(process -> process.info().commandLine().orElse("").contains(directory.toString()));
    }

    @Test
    void whoAsksForHelpGetsIt() {
        ChildJvm.Result result = launch(List.of("-h"), List.of()).run();
        assertThat(result.output()).startsWith("Usage: launch -n N");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void usageIsChecked() {
        ChildJvm.Result result = launch(List.of("--what"), List.of()).run();
        assertThat(result.output()).contains("there is no option --what").contains("Usage: launch -n N");
        assertThat(result.exitCode()).isEqualTo(2);
    }
}
