// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
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
}
