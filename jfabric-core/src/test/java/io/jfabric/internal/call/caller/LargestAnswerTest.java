// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.Node;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers that are longer than the caller accepts, in each way they can come. */
@Timeout(60)
class LargestAnswerTest {
    private static final int LONG = 100_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void inItsMessage(Providers.Choice choice) throws Exception {
        isRefused(choice, 100, 101);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void afterIt(Providers.Choice choice) throws Exception {
        isRefused(choice, LONG, LONG + 1);
    }

    private static void isRefused(Providers.Choice choice, int largest, int tooLong) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service _ = Service.open(b, 5, call -> call.answer(
                        new byte[call.request().get(ValueLayout.JAVA_INT_UNALIGNED, 0)]));
                Caller caller = Caller.open(a.peer(b.address()), 5, CallerOptions.DEFAULT
                        .withLargestAnswer(largest))) {
            MemorySegment room = a.allocate(2 * LONG);
            // also where long ones are received before they are asked for
            for (int i = 0; i < 3; i++) {
                assertThat(call(caller, room, largest).get(20, TimeUnit.SECONDS).byteSize()).isEqualTo(largest);
                CompletableFuture<MemorySegment> call = call(caller, room, tooLong);
                assertThat(call.handle((answer, why) -> why).get(20, TimeUnit.SECONDS))
                        .isInstanceOfSatisfying(FabricException.class,
                                why -> assertThat(why.error()).isEqualTo(FabricError.EMSGSIZE))
                        .hasMessageContaining("withLargestAnswer");
            }
        }
    }

    private static CompletableFuture<MemorySegment> call(Caller caller, MemorySegment room, int answer) {
        MemorySegment request = MemorySegment.ofArray(new byte[4]);
        request.set(ValueLayout.JAVA_INT_UNALIGNED, 0, answer);
        return caller.call(request, room, Duration.ofSeconds(20));
    }
}
