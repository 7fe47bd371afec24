// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls of many threads to a service that is slower than they have patience. */
@Timeout(120)
class LateCallsTest {
    private static final long SECONDS = 4;
    private static final int LONGEST_MICROS = 30_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** Some are late by the time at which they get a place, but not yet by that of the clock's last look. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void allEnd(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { });
                Service _ = Service.open(nodes.b, 7, call -> {
                    Thread.sleep(1);
                    call.answer(call.bytes());
                });
                Caller caller = Caller.open(nodes.toB, 7, CallerOptions.DEFAULT.withWindow(64))) {
            Queue<CompletableFuture<byte[]>> all = new ConcurrentLinkedQueue<>();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            Thread[] callers = new Thread[4];
            for (int i = 0; i < callers.length; i++) {
                callers[i] = Thread.ofPlatform().start(() -> call(caller, all, end));
            }
            for (Thread each : callers) {
                each.join();
            }
            long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (all.stream().anyMatch(call -> !call.isDone()) && System.nanoTime() < patience) {
                Thread.sleep(10);
            }
            assertThat(all).hasSizeGreaterThan(1_000).allSatisfy(call -> assertThat(call).isDone());
        }
    }

    private static void call(Caller caller, Queue<CompletableFuture<byte[]>> all, long end) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        byte[] request = new byte[20];
        while (System.nanoTime() < end) {
            for (int i = 0; i < 300; i++) {
                Duration deadline = Duration.ofNanos(1_000L * (1_000 + random.nextInt(LONGEST_MICROS)));
                all.add(caller.call(request, deadline));
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Two nodes of one process, as in tests: on shm jfabric knows before the provider that the other is gone. */
    @Test
    void aClosedNodeOfThisProcessFailsFutures() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.SHM, hints -> { });
                Caller caller = Caller.open(nodes.toB, 7)) {
            nodes.b.close();
            CompletableFuture<Void> sent = nodes.a.send(nodes.a.allocate(8), nodes.toB);
            assertThatThrownBy(() -> sent.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(FabricException.class);
            assertThat(((FabricException) sent.exceptionNow()).error()).isEqualTo(FabricError.EHOSTDOWN);
            assertThatThrownBy(() -> caller.call(new byte[8], Duration.ofSeconds(1)).get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class).hasCauseInstanceOf(FabricException.class);
        }
    }
}
