// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.MemoryRegion;
import io.jfabric.info.Capability;
import io.jfabric.internal.quirk.Fault;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.FabricTest;
import io.jfabric.testkit.NodePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;

/** The owner of memory counts in it by a VarHandle while a peer does so by atomics. */
@Timeout(60)
class OwnersUpdatesTest {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final int EACH = 400;
    /** Long enough for the two to meet. */
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(20);

    @FabricTest(capabilities = Capability.ATOMIC)
    void noneIsLost(NodePair nodes) throws InterruptedException {
        MemorySegment word = nodes.b.allocate(8);
        MemoryRegion region = nodes.b.register(word, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE);
        CompletableFuture<Received> greeting = nodes.b.receive(nodes.b.allocate(8), 1);
        // ofi_rxd has to be connected before it fetches
        nodes.await(nodes.a.send(nodes.a.allocate(8), nodes.toB, 1));
        nodes.await(greeting);
        int[] drawn = new int[2 * EACH];
        long[] owners = new long[EACH];
        CompletableFuture<Void> all = new CompletableFuture<>();
        Thread owner = Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; i < EACH; i++) {
                owners[i] = (long) WORD.getAndAdd(word, 0L, 1L);
                for (long start = System.nanoTime(); System.nanoTime() - start < PAUSE;) {
                    Thread.onSpinWait();
                }
            }
            all.complete(null);
        });
        for (int i = 0; i < EACH; i++) {
            drawn[Math.toIntExact(nodes.await(nodes.a.fetchAndAdd(nodes.toB, region.remote(), 0, 1)))]++;
        }
        nodes.await(all);
        owner.join();
        for (long ticket : owners) {
            drawn[Math.toIntExact(ticket)]++;
        }
        assertThat((long) WORD.getVolatile(word, 0L)).isEqualTo(2 * EACH);
        if (!Fault.FETCHES_THE_PAST.isOf(nodes.a.info().provider())) {
            assertThat(drawn).as("how often each was drawn").containsOnly(1);
        }
    }
}
