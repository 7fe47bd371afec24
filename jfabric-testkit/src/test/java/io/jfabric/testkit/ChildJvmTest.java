// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static org.assertj.core.api.Assertions.assertThat;

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
