// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricException;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that cannot be sent is not an answer: the handler hears so, and can give another. */
@Timeout(60)
class UnusableAnswerTest {
    @ParameterizedTest
    @ValueSource(ints = {8, 100_000})
    void theCallIsNotAnswered(int length) throws Exception {
        assumeTrue(Providers.SHM.isOffered(), "no shm");
        try (Arena others = Arena.ofConfined(); Nodes nodes = Nodes.open(Providers.SHM)) {
            MemorySegment anothers = others.allocate(length);
            CallHandler handler = call -> {
                MemorySegment freed;
                try (Arena arena = Arena.ofConfined()) {
                    freed = arena.allocate(length);
                }
                assertThatThrownBy(() -> call.answer(freed)).isInstanceOf(IllegalStateException.class)
                        .hasMessage("Call.answer: the arena of the memory is closed");
                assertThatThrownBy(() -> call.answer(anothers)).isInstanceOf(WrongThreadException.class);
                call.answer(new byte[] {7});
            };
            try (Service service = Service.open(nodes.b, 5, handler); Caller caller = Caller.open(nodes.toB, 5)) {
                assertThat(caller.call(new byte[1], Duration.ofSeconds(20)).get(30, TimeUnit.SECONDS))
                        .containsExactly(7);
                assertThat(service.answered()).isEqualTo(1);
            }
        }
    }

    /** In a process of its own, for what it logs. */
    @Test
    void whatIsFreedBeforeItIsSentIsTold() {
        ChildJvm.Result result = ChildJvm.of(Freed.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("caller: FI_ECONNRESET", "its memory was freed too early")
                .contains("WARN io.jfabric.async.Service - service 5: the memory of a long answer cannot be read");
    }

    /** A service whose handler does not wait for what it has answered. */
    public static final class Freed {
        private Freed() {
        }

        public static void main(String[] args) throws Exception {
            CallHandler handler = call -> {
                try (Arena arena = Arena.ofShared()) {
                    call.answer(arena.allocate(1_000_000));
                }
            };
            try (Nodes nodes = Nodes.open(Providers.RXM); Service _ = Service.open(nodes.b, 5, handler);
                    Caller caller = Caller.open(nodes.toB, 5)) {
                try {
                    caller.call(new byte[1], Duration.ofSeconds(20)).get(30, TimeUnit.SECONDS);
                } catch (ExecutionException failed) {
                    FabricException why = (FabricException) failed.getCause();
                    System.out.println("caller: " + why.error().nativeName() + ": " + why.getMessage());
                }
            }
        }
    }
}
