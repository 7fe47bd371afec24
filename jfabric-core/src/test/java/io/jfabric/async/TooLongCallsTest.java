// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Thousands of calls that wait and then cannot be sent, each of which makes another. */
@Timeout(90)
class TooLongCallsTest {
    private static final int CALLS = 10_000;
    private static final int LARGEST = 100;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void eachFailsForItself(Providers.Choice choice) throws Exception {
        byte[] request = new byte[LARGEST + 1];
        try (NodePair nodes = NodePair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
                Caller caller = Caller.open(nodes.toB, 5)) {
            List<CompletableFuture<byte[]>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(caller.call(request, DEADLINE)
                        .exceptionallyCompose(e -> caller.call(request, DEADLINE)));
            }
            try (Service _ = Service.open(nodes.b, 5, call -> call.answer(call.request()),
                    ServiceOptions.DEFAULT.withLargestRequest(LARGEST).withLargeBytes(1 << 20))) {
                for (CompletableFuture<byte[]> call : calls) {
                    Throwable why = call.handle((answer, failure) -> failure).get(70, TimeUnit.SECONDS);
                    assertThat(why).hasRootCauseInstanceOf(FabricException.class);
                    assertThat(((FabricException) why.getCause()).error()).isEqualTo(FabricError.EMSGSIZE);
                }
            }
        }
    }
}
