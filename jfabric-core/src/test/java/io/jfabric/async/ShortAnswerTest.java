// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Short answers to calls for which the caller expects long ones, as the one before was: no different from others. */
@Timeout(60)
class ShortAnswerTest {
    private static final int SERVICE = 5;
    private static final int LONG = 100_000;
    private static final int SHORT = 3000;
    private static final int ROUNDS = 20;
    private static final int AT_ONCE = 50;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM, Providers.SOCKETS);
    }

    private static MemorySegment answer(CompletableFuture<MemorySegment> call) throws Exception {
        return call.get(20, TimeUnit.SECONDS);
    }

    /** Some are changed at once, the others freed. */
    @ParameterizedTest
    @MethodSource("providers")
    void theirMemoryIsTheProgramsAtOnce(Providers.Choice choice) throws Exception {
        AtomicInteger kept = new AtomicInteger();
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment big = nodes.b.allocate(LONG);
            CallHandler handler = call -> {
                byte number = call.request().get(ValueLayout.JAVA_BYTE, 0);
                if (number == 0) {
                    call.answer(big);
                    return;
                }
                MemorySegment changed = nodes.b.allocate(SHORT);
                try (Arena freed = Arena.ofShared()) {
                    MemorySegment memory = number % 2 == 0 ? changed : freed.allocate(SHORT);
                    kept.addAndGet(call.answer(memory.fill(number)).isDone() ? 0 : 1);
                    memory.fill((byte) -1);
                }
            };
            try (Service _ = Service.open(nodes.b, SERVICE, handler);
                    Caller caller = Caller.open(nodes.toB, SERVICE)) {
                for (int round = 0; round < ROUNDS; round++) {
                    assertThat(answer(caller.call(nodes.a.allocate(1), nodes.a.allocate(LONG))).byteSize())
                            .isEqualTo(LONG);
                    List<CompletableFuture<MemorySegment>> calls = new ArrayList<>();
                    for (int i = 1; i <= AT_ONCE; i++) {
                        calls.add(caller.call(nodes.a.allocate(1).fill((byte) i), nodes.a.allocate(LONG)));
                    }
                    for (int i = 1; i <= AT_ONCE; i++) {
                        assertThat(answer(calls.get(i - 1)).toArray(ValueLayout.JAVA_BYTE)).hasSize(SHORT)
                                .containsOnly(i);
                    }
                }
            }
        }
        assertThat(kept).hasValue(0);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void theyNeedNoMemoryOfLongOnes(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment big = nodes.b.allocate(LONG);
            CallHandler handler = call -> {
                if (call.request().byteSize() == 1) {
                    call.answer(big);
                } else {
                    call.answer(new byte[] {7, 8});
                }
            };
            try (Service _ = Service.open(nodes.b, SERVICE, handler, ServiceOptions.DEFAULT.withLargeBytes(0));
                    Caller caller = Caller.open(nodes.toB, SERVICE)) {
                for (int i = 0; i < ROUNDS; i++) {
                    answer(caller.call(nodes.a.allocate(1), nodes.a.allocate(LONG)));
                    assertThat(answer(caller.call(nodes.a.allocate(2), nodes.a.allocate(LONG)))
                            .toArray(ValueLayout.JAVA_BYTE)).containsExactly(7, 8);
                }
            }
        }
    }
}
