// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.Fabric;
import io.jfabric.examples.Program.Result;
import io.jfabric.examples.top.Top;
import io.jfabric.info.Capability;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/jfabric-top}, as seen by somebody who looks at this process. */
class TopTest {
    private static final int SIGTERM = 15;

    @FabricTest(providers = "tcp;ofi_rxm", capabilities = {Capability.MSG, Capability.TAGGED})
    void showsWhatThisProcessDoes(NodePair nodes) {
        try (Program top = Program.java(Map.of(), Top.class, Long.toString(ProcessHandle.current().pid()), "8")) {
            CompletableFuture<Result> shown = CompletableFuture.supplyAsync(top::await);
            MemorySegment out = nodes.a.allocate(8);
            MemorySegment in = nodes.b.allocate(8);
            while (!shown.isDone()) {
                CompletableFuture<?> got = nodes.b.receive(in, 1);
                nodes.a.send(out, nodes.toB, 1).join();
                got.join();
            }
            Result result = shown.join();
            assertThat(result.status()).as(result.toString()).isZero();
            assertThat(result.out()).contains("jfabric-top   " + ProcessHandle.current().pid()).endsWith("over\n")
                    .containsPattern("(?m)^ +[1-9][0-9,]* +[1-9][0-9,]* +[0-9,]+ +0 .*[(]"
                            + Pattern.quote(nodes.a.info().provider()) + " ");
        }
    }

    @Tag("long")
    @FabricTest(providers = "tcp;ofi_rxm")
    void endsWithWhoReadsWhatItPrints(NodePair nodes) throws Exception {
        Process top = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Top.class.getName(),
                Long.toString(ProcessHandle.current().pid())).redirectErrorStream(true).start();
        try {
            assertThat(top.inputReader().readLine()).contains("jfabric-top");
            top.getInputStream().close();
            assertThat(top.waitFor(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            top.destroyForcibly().waitFor();
        }
    }

    @Test
    void saysThatThereIsNoSuchProcess() {
        // no process has it
        String pid = Long.toString(Integer.MAX_VALUE);
        try (Program top = Program.java(Map.of(), Top.class, pid)) {
            Result result = top.await();
            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err()).contains("jfabric-top: there is no process " + pid).doesNotContain("\tat ");
        }
    }

    @Test
    void saysWhatReadsRecordings() {
        try (Program top = Program.java(Map.of(), Top.class, "run.jfr")) {
            Result result = top.await();
            assertThat(result.status()).isEqualTo(2);
            assertThat(result.err()).contains("jfr summary run.jfr", "jfr print --categories jfabric run.jfr");
        }
    }

    @Test
    @Tag("long")
    void saysThatAProcessIsNoJvm() throws Exception {
        Process other = new ProcessBuilder("sleep", "60").start();
        try (Program top = Program.java(Map.of(), Top.class, Long.toString(other.pid()))) {
            Result result = top.await();
            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err()).contains("is not a Java process").doesNotContain("\tat ");
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    @Test
    @Tag("long")
    void endsWithAProcessThatIsKilled(@TempDir Path recorded) {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        try (Program server = server(recorded)) {
            server.awaitLine("listening");
            try (Program top = Program.java(Map.of(), Top.class, Long.toString(server.pid()))) {
                top.awaitLine("jfabric-top");
                ProcessHandle.of(server.pid()).orElseThrow().destroyForcibly();
                Result result = top.await();
                assertThat(result.status()).as(result.toString()).isZero();
                assertThat(result.out()).endsWith("the process has ended\n");
            }
        }
    }

    /** Nobody would end the recording in the other process, which costs it time and memory. */
    @Test
    @Tag("long")
    void leavesNothingBehindWhenItIsEnded(@TempDir Path folder, @TempDir Path recorded) {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        try (Program server = server(recorded)) {
            server.awaitLine("listening");
            String pid = Long.toString(server.pid());
            try (Program top = Program.java(Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + folder), Top.class, pid)) {
                top.awaitLine("jfabric-top");
                assertThat(recordings(pid)).contains("name=");
                assertThat(folder).isNotEmptyDirectory();
                ProcessHandle.of(top.pid()).orElseThrow().destroy();
                Result result = top.await();
                assertThat(result.status()).as(result.toString()).isEqualTo(128 + SIGTERM);
                assertThat(result.out()).doesNotContain("has ended").doesNotContain("over\n");
                assertThat(result.err()).doesNotContain("\tat ");
            }
            assertThat(recordings(pid)).contains("No available recordings");
            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    @Tag("long")
    void endsInTimeAlsoIfTheProcessIsStopped(@TempDir Path folder, @TempDir Path recorded) throws Exception {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        try (Program server = server(recorded)) {
            server.awaitLine("listening");
            String pid = Long.toString(server.pid());
            try (Program top = Program.java(Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + folder), Top.class, pid,
                    "4")) {
                top.awaitLine("jfabric-top");
                assertThat(new ProcessBuilder("sh", "-c", "kill -STOP " + pid).start().waitFor()).isZero();
                Result result = top.await();
                assertThat(result.status()).as(result.toString()).isZero();
                assertThat(result.out()).endsWith("over\n");
                assertThat(result.err()).contains("jfabric-top: process " + pid + " does not answer");
            }
            assertThat(folder).isEmptyDirectory();
        }
    }

    /** It is killed in the end, and leaves what it has recorded. */
    private static Program server(Path recorded) {
        return Program.java(Map.of("JDK_JAVA_OPTIONS", "-XX:FlightRecorderOptions:repository=" + recorded),
                HelloNode.class, "server");
    }

    private static String recordings(String pid) {
        try (Program jcmd = Program.command(Map.of(), List.of(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), pid, "JFR.check"))) {
            return jcmd.await().out();
        }
    }

    /** The other JVM has no place where it could put what it records. */
    @Test
    void leavesNothingBehindWhereNothingCanBeRecorded(@TempDir Path folder) {
        try (Program server = Program.java(Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=/proc/none"), HelloNode.class,
                "server")) {
            server.awaitLine("listening");
            String pid = Long.toString(server.pid());
            try (Program top = Program.java(Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + folder), Top.class, pid)) {
                Result result = top.await();
                assertThat(result.status()).as(result.toString()).isEqualTo(1);
                assertThat(result.err()).contains("jfabric-top: process " + pid + " cannot be looked at")
                        .doesNotContain("\tat ");
            }
            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    void listsProcesses() {
        try (Program top = Program.java(Map.of(), Top.class)) {
            Result result = top.await();
            assertThat(result.status()).isZero();
            assertThat(result.out()).contains(ProcessHandle.current().pid() + " ");
        }
    }
}
