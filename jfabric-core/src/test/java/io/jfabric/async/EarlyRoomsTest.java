// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long answers that callers receive before these are there, where the node may receive few things at once. */
@Timeout(90)
class EarlyRoomsTest {
    private static final int SERVICE = 5;
    private static final int FEW = 16;
    /** More than a provider keeps that nobody receives. */
    private static final int MANY = 400;
    private static final int LONG = 20_000;
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(8);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    /** Nodes, and a service that answers requests of one byte at once and keeps the others. */
    private static final class Slow implements AutoCloseable {
        final Node a;
        final Caller caller;
        final List<Call> kept = Collections.synchronizedList(new ArrayList<>());
        final MemorySegment big;
        private final Hints hints;
        private final Node b;
        private final Service service;

        Slow(Providers.Choice choice, int limit) throws Exception {
            hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
            a = Node.open(hints, NodeOptions.DEFAULT.withReceiveLimit(limit));
            b = Node.open(hints);
            big = b.allocate(LONG);
            service = Service.open(b, SERVICE, call -> {
                if (call.request().byteSize() == 1) {
                    call.answer(big);
                } else {
                    kept.add(call);
                }
            });
            Service.open(b, SERVICE + 1, call -> call.answer(new byte[1]));
            caller = Caller.open(a.peer(b.address()), SERVICE);
            // from now on they are received before they are there
            calls(1, DEADLINE).get(20, TimeUnit.SECONDS);
        }

        CompletableFuture<MemorySegment> calls(int request, Duration deadline) {
            return caller.call(a.allocate(request), a.allocate(LONG), deadline);
        }

        /** That many calls, which the handler has. */
        List<CompletableFuture<MemorySegment>> slowCalls(int number, Duration deadline) {
            List<CompletableFuture<MemorySegment>> calls = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                calls.add(calls(2, deadline));
            }
            Waits.spin("the handler has all calls", () -> kept.size() == number);
            return calls;
        }

        @Override
        public void close() {
            a.close();
            b.close();
            hints.close();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void othersComeWhileManyAreSlow(Providers.Choice choice) throws Exception {
        try (Slow slow = new Slow(choice, FEW)) {
            List<CompletableFuture<MemorySegment>> calls = slow.slowCalls(FEW + 4, DEADLINE);
            for (int i = 0; i < 3; i++) {
                assertThat(slow.calls(1, SOON).get(20, TimeUnit.SECONDS).byteSize()).isEqualTo(LONG);
                assertThat(slow.caller.call(new byte[1], SOON).get(20, TimeUnit.SECONDS)).hasSize(LONG);
            }
            // the last first
            for (Call call : slow.kept.reversed()) {
                call.answer(slow.big);
            }
            for (CompletableFuture<MemorySegment> call : calls) {
                assertThat(call.get(20, TimeUnit.SECONDS).byteSize()).isEqualTo(LONG);
            }
        }
    }

    /** The service is told, and has its place again: it would wait for half a minute. */
    @ParameterizedTest
    @MethodSource("providers")
    void whatDoesNotFitIsNotAwaited(Providers.Choice choice) throws Exception {
        try (Slow slow = new Slow(choice, FEW)) {
            CompletableFuture<MemorySegment> call = slow.caller.call(slow.a.allocate(1), slow.a.allocate(LONG - 1),
                    DEADLINE);
            assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS)).hasMessageContaining("FI_ETRUNC");
            long begin = System.nanoTime();
            Waits.until("the service is idle", () -> slow.service.underWay() == 0);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
        }
    }

    /** Whether they come after the deadline, or before it and nobody wants them any more. */
    @Tag("long")
    @ParameterizedTest
    @MethodSource("providers")
    void whatComesLateIsInNobodysWay(Providers.Choice choice) throws Exception {
        for (boolean gaveUp : new boolean[] {false, true}) {
            try (Slow slow = new Slow(choice, MANY);
                    Caller other = Caller.open(slow.caller.peer(), SERVICE + 1)) {
                List<CompletableFuture<MemorySegment>> calls = slow.slowCalls(MANY,
                        gaveUp ? DEADLINE : Duration.ofSeconds(2));
                if (gaveUp) {
                    calls.forEach(call -> call.cancel(false));
                }
                Waits.spin("all are over", () -> calls.stream().allMatch(CompletableFuture::isDone));
                // longer than one waits for what another could have
                Thread.sleep(5000);
                for (Call call : slow.kept) {
                    call.answer(slow.big);
                }
                for (int i = 0; i < 10; i++) {
                    assertThat(other.call(new byte[1], SOON).get(20, TimeUnit.SECONDS)).hasSize(1);
                    Thread.sleep(20);
                }
            }
        }
    }
}
