// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Services that are closed while long requests are on their way to them. */
@Timeout(120)
@Tag("long")
class ServiceClosedUnderCallsTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    /** Neither where another service of the node goes on, nor where it was the last. */
    @ParameterizedTest
    @MethodSource("providers")
    void requestsAreNotLeftWithTheProvider(Providers.Choice choice) throws Exception {
        for (boolean another : new boolean[] {true, false}) {
            for (int size : new int[] {20_000, 60_000, 100_000}) {
                try (Nodes nodes = Nodes.open(choice)) {
                    try (Service _ = Service.open(nodes.b, another ? 6 : 5, call -> call.answer(new byte[1]))) {
                        if (another) {
                            close(nodes, size);
                        }
                    }
                    if (!another) {
                        close(nodes, size);
                    }
                    works(nodes);
                }
            }
        }
    }

    private static void close(Nodes nodes, int size) throws Exception {
        MemorySegment request = nodes.a.allocate(size);
        MemorySegment answer = nodes.a.allocate(64);
        Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[1]));
        List<CompletableFuture<?>> calls = new ArrayList<>();
        try (Caller caller = Caller.open(nodes.toB, 5)) {
            caller.call(new byte[1]).get(40, TimeUnit.SECONDS);
            for (int i = 0; i < 2500; i++) {
                calls.add(caller.call(request, answer, Duration.ofSeconds(1)));
                if (i == 1100) {
                    service.close();
                }
            }
            for (CompletableFuture<?> call : calls) {
                call.handle((done, failure) -> done).get(40, TimeUnit.SECONDS);
            }
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(25);
        while (nodes.toB.underWay() > 0 && System.nanoTime() - end < 0) {
            Thread.sleep(10);
        }
        assertThat(nodes.toB.underWay()).as("requests of %s bytes that nobody has taken", size).isZero();
    }

    private static void works(Nodes nodes) throws Exception {
        CompletableFuture<Received> received = nodes.b.receive(nodes.b.allocate(100_000), 9);
        nodes.a.send(nodes.a.allocate(100_000), nodes.toB, 9).get(20, TimeUnit.SECONDS);
        assertThat(received.get(20, TimeUnit.SECONDS).length()).isEqualTo(100_000);
        try (Service _ = Service.open(nodes.b, 7, call -> call.answer(call.request()));
                Caller caller = Caller.open(nodes.toB, 7)) {
            assertThat(caller.call(new byte[100], Duration.ofSeconds(20)).get(40, TimeUnit.SECONDS)).hasSize(100);
        }
    }
}
