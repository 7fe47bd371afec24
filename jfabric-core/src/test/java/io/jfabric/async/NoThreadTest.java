// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program meets that has no more threads; in JVMs of their own. */
@Timeout(60)
class NoThreadTest {
    @Test
    void saysSo() {
        Providers.SHM.assumeOffered();
        // stacks of 256 MiB, so that there is room for all else where there is none for a thread
        ChildJvm.Result result = ChildJvm.of(Scarce.class).flags("-XX:ThreadStackSize=262144", "-Xmx64m",
                "-XX:+UseSerialGC").run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("engine: Engine.start: FI_EAGAIN (11): ", "(ulimit -u, ",
                "service: Service.open: this process cannot start virtual threads, for good if ",
                "later: Service.open: this process cannot start virtual threads",
                "answered by another executor", "SURVIVED");
    }

    @Test
    void theLogSaysWhyCallsAreRefused() {
        Providers.SHM.assumeOffered();
        ChildJvm.Result result = ChildJvm.of(Failing.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("OverloadException", "SURVIVED")
                .containsOnlyOnce("service 7 refuses calls, as its executor fails")
                .contains("NoClassDefFoundError: this is why");
    }

    /** Neither a thread for an engine nor what virtual threads need, and then all again. */
    static final class Scarce {
        private static final int RLIMIT_AS = 9;
        private static final long ROOM = 128 << 20;

        private Scarce() {
        }

        public static void main(String[] args) throws Throwable {
            try (NodePair nodes = NodePair.open(Providers.SHM)) {
                limit(Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[0]) * 4096 + ROOM);
                say("engine", Engine::start);
                say("service", () -> echo(nodes, ServiceOptions.DEFAULT));
                limit(-1);
                Engine.start().close();
                say("later", () -> echo(nodes, ServiceOptions.DEFAULT));
                echo(nodes, ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller.open(nodes.toB, 7).call(new byte[8], Duration.ofSeconds(20)).join();
                System.out.println("answered by another executor");
            }
            System.out.println("SURVIVED");
        }

        private static void limit(long bytes) throws Throwable {
            Linker linker = Linker.nativeLinker();
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment both = arena.allocateFrom(JAVA_LONG, bytes, -1);
                int result = (int) linker.downcallHandle(linker.defaultLookup().findOrThrow("setrlimit"),
                        FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS))
                        .invokeExact(RLIMIT_AS, both);
                if (result != 0) {
                    throw new IOException("setrlimit");
                }
            }
        }
    }

    /** The executor of a service fails in the way of a JVM that cannot start virtual threads. */
    static final class Failing {
        private Failing() {
        }

        public static void main(String[] args) {
            try (NodePair nodes = NodePair.open(Providers.SHM)) {
                echo(nodes, ServiceOptions.DEFAULT.withExecutor(call -> {
                    throw new NoClassDefFoundError("this is why");
                }));
                Caller caller = Caller.open(nodes.toB, 7);
                for (int i = 0; i < 3; i++) {
                    try {
                        caller.call(new byte[8], Duration.ofSeconds(20)).join();
                    } catch (CompletionException refused) {
                        System.out.println(refused.getCause());
                    }
                }
            }
            System.out.println("SURVIVED");
        }
    }

    private static Service echo(NodePair nodes, ServiceOptions options) {
        return Service.open(nodes.b, 7, CallHandler.of(request -> request), options);
    }

    private static void say(String what, Callable<?> open) {
        try {
            System.out.println(what + ": opened " + open.call());
        } catch (Exception e) {
            System.out.println(what + ": " + e.getMessage());
        }
    }
}
