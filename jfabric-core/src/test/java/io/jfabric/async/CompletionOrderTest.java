// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.MemoryRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.MessageOrder;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An executor of one thread sees what arrives in the order in which it came, whichever threads make progress. */
@Timeout(120)
class CompletionOrderTest {
    private static final int MESSAGES = 30_000;
    private static final int WINDOW = 64;
    private static final int NUMBERS = 5;
    private static final int PINGS = 6;

    /** Of the executor's thread. */
    private final List<Long> seen = new ArrayList<>();
    private volatile int count;

    @Test
    void receives() {
        try (ExecutorService one = Executors.newSingleThreadExecutor();
                Nodes nodes = Nodes.open(Providers.SHM, hints -> {
                    hints.capabilities(Capability.MSG, Capability.TAGGED);
                    hints.tx().messageOrder(MessageOrder.SAS);
                    hints.rx().messageOrder(MessageOrder.SAS);
                }, NodeOptions.DEFAULT.withExecutor(one))) {
            MemorySegment in = nodes.b.allocate(WINDOW * Long.BYTES);
            for (int i = 0; i < WINDOW; i++) {
                receive(nodes.b, in.asSlice((long) i * Long.BYTES, Long.BYTES));
                answer(nodes.a, nodes.a.allocate(1));
            }
            Thread sender = Thread.ofPlatform().start(() -> send(nodes));
            Thread waiter = Thread.ofPlatform().start(() -> joinAlways(nodes));
            joinAlways(nodes);
            Threads.join(sender);
            Threads.join(waiter);
            assertThat(seen).isSorted().hasSize(MESSAGES);
        }
    }

    /** Also for what the same poll has found. */
    @Test
    void aFunctionMayWaitForWhatComesAfterIt() throws Exception {
        try (ExecutorService one = Executors.newSingleThreadExecutor();
                Nodes nodes = Nodes.open(Providers.SHM, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                        Capability.RMA), NodeOptions.DEFAULT.withCallerProgress().withExecutor(one))) {
            CompletableFuture<Long> told = new CompletableFuture<>();
            nodes.b.onWritten(told::complete);
            MemoryRegion region = nodes.b.register(nodes.b.allocate(8), MemoryAccess.REMOTE_WRITE);
            CompletableFuture<Long> both = nodes.b.receive(nodes.b.allocate(8), NUMBERS)
                    .thenApply(_ -> nodes.b.await(told, Duration.ofSeconds(10)));
            MemorySegment out = nodes.a.allocate(8);
            nodes.a.send(out, nodes.toB, NUMBERS);
            nodes.a.writeData(out, 7, nodes.toB, region.remote(), 0);
            // what has arrived waits until the other node is polled
            for (int i = 0; i < 100; i++) {
                nodes.a.progress();
            }
            while (!both.isDone()) {
                nodes.b.progress();
                nodes.a.progress();
            }
            assertThat(both.get()).isEqualTo(7);
        }
    }

    private void receive(Node node, MemorySegment slot) {
        node.receive(slot, NUMBERS).thenAccept(_ -> {
            seen.add(slot.get(ValueLayout.JAVA_LONG, 0));
            count = seen.size();
            if (count <= MESSAGES - WINDOW) {
                receive(node, slot);
            }
        });
    }

    private static void answer(Node node, MemorySegment nothing) {
        node.receive(nothing, PINGS).thenAccept(_ -> answer(node, nothing));
    }

    private static void send(Nodes nodes) {
        MemorySegment out = nodes.a.allocate(WINDOW * Long.BYTES);
        List<CompletableFuture<Void>> sends = new ArrayList<>();
        for (int n = 0; n < MESSAGES; n++) {
            if (n >= WINDOW) {
                sends.get(n - WINDOW).join();
            }
            out.setAtIndex(ValueLayout.JAVA_LONG, n % WINDOW, n);
            sends.add(nodes.a.send(out.asSlice((long) n % WINDOW * Long.BYTES, Long.BYTES), nodes.toB, NUMBERS));
        }
    }

    /** Who waits polls, and completes what it finds. */
    private void joinAlways(Nodes nodes) {
        MemorySegment ping = nodes.b.allocate(1);
        while (count < MESSAGES) {
            nodes.b.send(ping, nodes.toA, PINGS).join();
        }
    }
}
