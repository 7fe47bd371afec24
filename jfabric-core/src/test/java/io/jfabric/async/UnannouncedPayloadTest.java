// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A request that the node had no place to announce is not sent: nobody receives it, and tcp stops after 64 of them. */
@Timeout(90)
class UnannouncedPayloadTest {
    private static final int THREADS = 8;
    private static final int CALLS = 16;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    /** How many were refused. */
    private static int overload(Caller caller) throws Exception {
        int refused = 0;
        List<CompletableFuture<byte[]>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(caller.call(new byte[20_000], DEADLINE));
        }
        for (CompletableFuture<byte[]> call : calls) {
            try {
                call.get(40, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                assertThat(e.getCause()).isInstanceOf(OverloadException.class);
                refused++;
            }
        }
        return refused;
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatWasNotAnnouncedIsNotSent(Providers.Choice choice) throws Exception {
        NodeOptions few = NodeOptions.DEFAULT.withBacklog(8).withTransmitLimit(4).withPeerLimit(4);
        try (Hints hints = choice.hints(); ExecutorService threads = Executors.newFixedThreadPool(THREADS);
             Node a = Node.open(hints, few); Node b = Node.open(hints);
             Service service = Service.open(b, 5, call -> call.answer(new byte[8]));
             Caller caller = Caller.open(a.peer(b.address()), 5)) {
            caller.call(new byte[1]).get(30, TimeUnit.SECONDS);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
            List<Callable<Integer>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(() -> {
                    int refused = 0;
                    while (System.nanoTime() - end < 0) {
                        refused += overload(caller);
                    }
                    return refused;
                });
            }
            int refused = 0;
            for (Future<Integer> each : threads.invokeAll(all)) {
                refused += each.get();
            }
            assertThat(refused).isPositive();
            assertThat(caller.call(new byte[20_000], DEADLINE).get(30, TimeUnit.SECONDS)).hasSize(8);
            CompletableFuture<Received> letter = b.receive(b.allocate(8), 7);
            a.send(a.allocate(8), a.peer(b.address()), 7).get(30, TimeUnit.SECONDS);
            assertThat(letter.get(30, TimeUnit.SECONDS).length()).isEqualTo(8);
            assertThat(service.invalid()).isZero();
        }
    }
}
