// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thread that runs out of stack while it makes progress takes nothing with it that others need. */
@Timeout(120)
class DeepStackTest {
    private static final Consumer<Hints> PLAIN = hints -> { };

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void othersGoOnAfterAnOverflow(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, PLAIN)) {
            MemorySegment memory = nodes.a.allocate(8);
            for (int i = 0; i < 300; i++) {
                int pad = i % 64;
                Thread deep = new Thread(null, () -> {
                    try {
                        pad(pad, nodes.a);
                    } catch (StackOverflowError expected) {
                        // at another place each time
                    }
                }, "deep", 256 << 10);
                deep.start();
                deep.join();
                if (i % 20 == 0) {
                    CompletableFuture<Received> received = nodes.b.receive(nodes.b.allocate(8), 1);
                    nodes.a.send(memory, nodes.toB, 1).get(20, TimeUnit.SECONDS);
                    received.get(20, TimeUnit.SECONDS);
                }
            }
        }
    }

    private static int pad(int calls, Node node) {
        return calls == 0 ? progress(node, 0) : pad(calls - 1, node) + 1;
    }

    private static int progress(Node node, int depth) {
        node.progress();
        return progress(node, depth + 1) + 1;
    }
}
