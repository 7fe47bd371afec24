// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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
}
