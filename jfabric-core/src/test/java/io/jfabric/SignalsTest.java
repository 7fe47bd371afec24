// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The JVM keeps its signal handlers: it needs SIGSEGV for null checks in compiled code, while libfabric's shm provider,
 * and psm and UCX at load time, take that signal for themselves.
 */
class SignalsTest {
    private static final Path SHM = Path.of("/dev/shm");

    /** Opens a shm endpoint, then works through null pointers in compiled code, then looks for the endpoint's name. */
    static final class NullPointers {
        private static final class Box {
            private int value = 1;
        }

        private NullPointers() {
        }

        private static int read(Box box) {
            return box.value;
        }

        /** A branch that the compiler has never seen fail: the null check is left to the hardware. */
        private static int caught(Box box) {
            try {
                return read(box);
            } catch (NullPointerException implicit) {
                return 0;
            }
        }

        public static void main(String[] args) throws Exception {
            try (Pair pair = Pair.open(Providers.SHM)) {
                Path name = nameOf(pair);
                if (!Files.exists(name)) {
                    throw new AssertionError(name + " is missing before anything happened");
                }
                Box box = new Box();
                long sum = 0;
                for (int i = 0; i < 200_000; i++) {
                    sum += caught(box);
                }
                for (int i = 0; i < 20_000; i++) {
                    sum += caught(i % 10 == 0 ? null : box);
                }
                System.out.println("sum " + sum);
                if (!Files.exists(name)) {
                    throw new AssertionError(name + " is gone: a signal handler of the provider ran");
                }
                pair.connect();
            }
            System.out.println("done");
        }
    }

    /** Loads libfabric while other threads work through null pointers all the time. */
    static final class NullPointersMeanwhile {
        private static volatile long sum;

        private NullPointersMeanwhile() {
        }

        public static void main(String[] args) throws Exception {
            NullPointers.Box box = new NullPointers.Box();
            for (int thread = 0; thread < 2; thread++) {
                Thread.ofPlatform().daemon().start(() -> {
                    for (int i = 0; ; i++) {
                        sum += NullPointers.caught(i > 200_000 && i % 10 == 0 ? null : box);
                    }
                });
            }
            // compiled by then
            Thread.sleep(1000);
            Fabric.getInfo(null).close();
            for (int i = 0; i < 5; i++) {
                Pair.open(Providers.RXM).close();
            }
            System.out.println("done");
        }
    }

    /** Opens shm endpoints and waits to be killed. */
    static final class Waits {
        private Waits() {
        }

        public static void main(String[] args) throws Exception {
            Pair pair = Pair.open(Providers.SHM).connect();
            System.out.println("name " + nameOf(pair));
            Thread.sleep(60_000);
        }
    }

    private static Path nameOf(Pair pair) {
        String address = pair.a.endpoint.address().toText();
        return SHM.resolve(address.substring(address.indexOf("://") + 3));
    }

    @Test
    void nullPointersAreStillTheJvms() {
        // the handler is in place for compiled code only: -Xcomp would hide the first, interpreted, throws
        ChildJvm.Result result = ChildJvm.of(NullPointers.class)
                .flags("-XX:TieredStopAtLevel=4", "-XX:-OmitStackTraceInFastThrow").run();
        assertThat(result.output()).contains("sum 218000").contains("done");
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @Test
    @Tag("long")
    void nullPointersAreStillTheJvmsWhileLibrariesAreLoaded() {
        // C1 never learns to test for null itself
        ChildJvm.Result result = ChildJvm.of(NullPointersMeanwhile.class).flags("-XX:TieredStopAtLevel=1").run();
        assertThat(result.output()).contains("done");
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @Test
    void aTerminatedJvmLeavesNothingInSharedMemory() {
        try (ChildJvm child = ChildJvm.of(Waits.class).start()) {
            Path name = Path.of(child.awaitLine(line -> line.startsWith("name ")).substring(5));
            assertThat(name).exists();
            child.terminate();
            assertThat(child.await().exitCode()).as(child.output()).isEqualTo(128 + 15);
            assertThat(name).doesNotExist();
            String[] left = SHM.toFile().list((dir, file) -> file.startsWith(child.pid() + ":")
                    || file.equals(String.valueOf(child.pid())));
            assertThat(left).isEmpty();
        }
    }
}
