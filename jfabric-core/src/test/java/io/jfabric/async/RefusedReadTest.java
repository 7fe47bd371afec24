// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On tcp a peer that refuses a read breaks the connection: what else was under way to it is not accused. */
@Timeout(60)
class RefusedReadTest {
    private static final int SIZE = 256 << 10;
    private static final int READS = 20;
    private static final int ROUNDS = 20;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM, Providers.TCP_RDM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void itMayBeTheFaultOfAnother(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                MemoryRegion good = nodes.b.register(nodes.b.allocate(SIZE), MemoryAccess.REMOTE_READ)) {
            RemoteRegion open = good.remote();
            MemorySegment into = nodes.a.allocate(SIZE);
            int failed = 0;
            for (int round = 0; failed == 0 && round < ROUNDS; round++) {
                MemoryRegion region = nodes.b.register(nodes.b.allocate(8), MemoryAccess.REMOTE_READ);
                RemoteRegion closed = region.remote();
                region.close();
                List<CompletableFuture<Void>> reads = new ArrayList<>();
                CompletableFuture<Void> refused = null;
                for (int i = 0; i < READS; i++) {
                    refused = i == READS / 2 ? nodes.a.read(nodes.a.allocate(8), nodes.toB, closed, 0) : refused;
                    reads.add(nodes.a.read(into, nodes.toB, open, 0));
                }
                CompletableFuture<Void> bad = refused;
                assertThatThrownBy(() -> bad.get(20, TimeUnit.SECONDS)).cause().isInstanceOf(FabricException.class)
                        .hasMessageContaining("the connection broke").hasMessageContaining("maybe not this")
                        .hasMessageContaining("if this: is its region");
                for (CompletableFuture<Void> read : reads) {
                    try {
                        read.get(20, TimeUnit.SECONDS);
                    } catch (ExecutionException beside) {
                        assertThat(beside).cause().hasMessageContaining("maybe not this");
                        failed++;
                    }
                }
            }
            assertThat(failed).isPositive();
            // a new connection is made, which may break, too, as long as the end of the old one was not seen
            Waits.until("a new connection", () -> reads(nodes, into, open));
        }
    }

    private static boolean reads(Nodes nodes, MemorySegment into, RemoteRegion from) {
        return nodes.a.read(into, nodes.toB, from, 0).handle((read, broken) -> broken == null).join();
    }
}
