// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class ChildJvmTest {
    /** Has last words. */
    public static final class Talkative {
        private Talkative() {
        }

        /** Waits to be terminated. */
        public static void main(String[] args) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("last words")));
            System.out.println("up");
            Thread.sleep(60_000);
        }
    }

    /** Leaves with a child that cannot notice it. */
    public static final class Leaver {
        private Leaver() {
        }

        /** Ends as if all were well. */
        @SuppressWarnings("resource")
        public static void main(String[] args) {
            ChildJvm child = ChildJvm.of(Talkative.class).start();
            child.awaitLine("up"::equals);
            child.stop();
            System.out.println("child " + child.pid());
            System.exit(0);
        }
    }

    /** Waits for what its child does not print. */
    public static final class Disappointed {
        private Disappointed() {
        }

        /** Prints why it has failed. */
        public static void main(String[] args) {
            try (ChildJvm child = ChildJvm.of(Talkative.class).start()) {
                child.awaitLine("down"::equals);
            } catch (AssertionError expected) {
                System.out.println(expected.getMessage());
            }
        }
    }

    /** Where it is. */
    @Test
    void aChildThatDoesNotGoOnIsAskedWhatItDoes() {
        ChildJvm.Result result = ChildJvm.of(Disappointed.class).flags("-Djfabric.testkit.deadlineSeconds=2").run();
        assertThat(result.output()).contains("the child did not print it", "\nup\n", "Talkative.main");
    }

    @Test
    void stoppedChildDoesNotOutliveItsParent() {
        ChildJvm.Result result = ChildJvm.of(Leaver.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        String line = result.output().lines().filter(text -> text.startsWith("child ")).findFirst().orElseThrow();
        Optional<ProcessHandle> child = ProcessHandle.of(Long.parseLong(line.substring("child ".length())));
        boolean alive = child.isPresent() && child.get().isAlive();
        child.ifPresent(ProcessHandle::destroyForcibly);
        assertThat(alive).isFalse();
    }

    /** Which waits for what it has started, and passes no signals on. */
    private static ChildJvm behindAShell() {
        ChildJvm child = ChildJvm.of(Talkative.class).prefix("sh", "-c", "\"$0\" \"$@\"; exit 3").start();
        child.awaitLine("up"::equals);
        return child;
    }

    private static ProcessHandle started(ChildJvm child) {
        return ProcessHandle.of(child.pid()).orElseThrow().descendants().findFirst().orElseThrow();
    }

    private static void hasEnded(ProcessHandle process) throws Exception {
        try {
            process.onExit().get(20, TimeUnit.SECONDS);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void whatAPrefixHasStartedIsEndedWithIt() throws Exception {
        ChildJvm closed = behindAShell();
        ProcessHandle first = started(closed);
        closed.close();
        hasEnded(first);
        try (ChildJvm killed = behindAShell()) {
            ProcessHandle second = started(killed);
            killed.kill();
            hasEnded(second);
        }
        try (ChildJvm terminated = behindAShell()) {
            ProcessHandle third = started(terminated);
            terminated.terminate();
            hasEnded(third);
            assertThat(terminated.await().output()).isEqualTo("up\nlast words");
        }
    }

    @Test
    void whatATerminatedChildSaysIsKept() {
        try (ChildJvm child = ChildJvm.of(Talkative.class).start()) {
            child.awaitLine("up"::equals);
            child.terminate();
            ChildJvm.Result result = child.await();
            assertThat(result.output()).isEqualTo("up\nlast words");
            assertThat(result.exitCode()).isEqualTo(143);
        }
    }

    /** Says what it was told, and was started with. */
    public static final class Obedient {
        private Obedient() {
        }

        /** Ends with the first line of its input, if there is one. */
        public static void main(String[] args) throws IOException {
            System.out.println(String.join(" ", args) + ' ' + System.getenv("JFABRIC_TEST") + ' '
                    + System.getProperty("jfabric.test"));
            System.out.println("heard " + new BufferedReader(new InputStreamReader(System.in)).readLine());
        }
    }

    @Test
    void isStartedAgainHoweverItEnded() {
        List<Consumer<ChildJvm>> ends = List.of(ChildJvm::kill, ChildJvm::stop, ChildJvm::terminate, child -> { },
                child -> {
                    child.tell("end");
                    child.await();
                });
        for (Consumer<ChildJvm> end : ends) {
            try (ChildJvm first = ChildJvm.of(Obedient.class, "one", "two").flags("-Djfabric.test=flag")
                    .environment("JFABRIC_TEST", "variable").start()) {
                first.awaitLine("one two variable flag"::equals);
                end.accept(first);
                try (ChildJvm again = first.restart()) {
                    assertThat(ProcessHandle.of(first.pid())).as("the first").isEmpty();
                    assertThat(again.pid()).isNotEqualTo(first.pid());
                    again.awaitLine("one two variable flag"::equals);
                    again.tell("again");
                    ChildJvm.Result result = again.await();
                    assertThat(result.output()).isEqualTo("one two variable flag\nheard again");
                    assertThat(result.exitCode()).isZero();
                    assertThat(first.output()).startsWith("one two variable flag").doesNotContain("again");
                }
            }
        }
    }

    /** As JUnit does to a test that has had its time. */
    @Test
    void whoIsInterruptedShowsWhatTheChildHasSaid() {
        try (ChildJvm child = ChildJvm.of(Talkative.class).start()) {
            child.awaitLine("up"::equals);
            Thread.currentThread().interrupt();
            assertThatThrownBy(child::await).isInstanceOf(AssertionError.class).hasMessageEndingWith("its output:\nup");
            assertThatThrownBy(() -> child.awaitLine("never"::equals)).isInstanceOf(AssertionError.class)
                    .hasMessageEndingWith("its output:\nup");
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
