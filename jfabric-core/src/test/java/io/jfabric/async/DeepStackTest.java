// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thread that runs out of stack takes nothing with it that others need. */
@Timeout(120)
class DeepStackTest {
    private static final Consumer<Hints> PLAIN = hints -> { };
    /** What is compiled overflows at other places, and in the middle of more. */
    private static final int WARM = 3000;
    private static final int ROUNDS = 150;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void othersGoOnAfterAnOverflow(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, PLAIN)) {
            MemorySegment memory = nodes.a.allocate(8);
            for (int i = 0; i < 150; i++) {
                overflow(i, () -> progress(nodes.a));
                if (i % 20 == 0) {
                    exchange(nodes, memory);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    @Tag("long")
    void aCallThatHadNoStackHasNotBegun(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, PLAIN);
             Service service = Service.open(nodes.b, 3, call -> call.answer(call.bytes()));
             Caller caller = Caller.open(nodes.toB, 3)) {
            byte[] request = new byte[8];
            for (int i = 0; i < WARM; i++) {
                caller.call(request).get(20, TimeUnit.SECONDS);
            }
            for (int i = 0; i < ROUNDS; i++) {
                overflow(i, () -> call(caller, request));
            }
            Waits.spin("all have ended", () -> caller.underWay() + caller.waiting() == 0);
            caller.call(request).get(20, TimeUnit.SECONDS);
            assertThat(service.isOpen()).isTrue();
        }
    }

    private static void call(Caller caller, byte[] request) {
        caller.call(request, Duration.ofSeconds(1));
        call(caller, request);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aNodeIsClosedAfterAttemptsWithoutStack(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, PLAIN)) {
            Thread deep = new Thread(null, () -> deepest(nodes.a::close), "deep", 192 << 10);
            deep.start();
            deep.join();
            Thread closer = Thread.ofPlatform().daemon().start(nodes.a::close);
            assertThat(closer.join(Duration.ofSeconds(20))).isTrue();
            assertThat(nodes.a.isOpen()).isFalse();
        }
    }

    /** Does it where the stack ends, and with ever more of it, until it is done. */
    private static boolean deepest(Runnable action) {
        boolean isDone = false;
        try {
            isDone = deepest(action);
        } catch (StackOverflowError end) {
            // so far and no further
        }
        if (!isDone) {
            try {
                action.run();
                return true;
            } catch (StackOverflowError | IllegalStateException tooLittle) {
                // the latter from Node.close, which was refused
            }
        }
        return isDone;
    }

    private static void exchange(Nodes nodes, MemorySegment memory) throws Exception {
        CompletableFuture<Received> received = nodes.b.receive(nodes.b.allocate(8), 1);
        nodes.a.send(memory, nodes.toB, 1).get(20, TimeUnit.SECONDS);
        received.get(20, TimeUnit.SECONDS);
    }

    /** Recursions that the stack ends at another place each time. */
    private static void overflow(int number, Runnable recursion) throws InterruptedException {
        Thread deep = new Thread(null, () -> {
            try {
                pad(number % 64, recursion);
            } catch (StackOverflowError expected) {
                // so far and no further
            }
        }, "deep", 192 << 10);
        deep.start();
        deep.join();
    }

    private static int pad(int calls, Runnable recursion) {
        if (calls == 0) {
            recursion.run();
            return 0;
        }
        return pad(calls - 1, recursion) + 1;
    }

    private static void progress(Node node) {
        node.progress();
        progress(node);
    }
}
