// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
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

/** Long requests for which the node of the service has no place: they are refused, and not late. */
@Timeout(60)
class RefusedRequestsTest {
    private static final int SERVICE = 5;
    private static final int LIMIT = 4;
    private static final int LONG = 1_000_000;
    private static final int CALLS = 200;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM, Providers.TCP_RDM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aFullBacklogIsNoDeadline(Providers.Choice choice) throws Exception {
        NodeOptions few = NodeOptions.DEFAULT.withReceiveLimit(LIMIT).withBacklog(LIMIT);
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints, few);
                Service service = Service.open(b, SERVICE, call -> call.answer(new byte[1]));
                Caller caller = Caller.open(a.peer(b.address()), SERVICE)) {
            caller.call(new byte[1]).get(20, TimeUnit.SECONDS);
            MemorySegment request = a.allocate(LONG);
            List<CompletableFuture<MemorySegment>> calls = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                calls.add(caller.call(request, a.allocate(8)));
            }
            int refused = 0;
            for (CompletableFuture<MemorySegment> call : calls) {
                try {
                    call.get(40, TimeUnit.SECONDS);
                } catch (ExecutionException failed) {
                    assertThat(failed.getCause()).isInstanceOfSatisfying(OverloadException.class,
                            why -> assertThat(why.error()).isEqualTo(FabricError.EBUSY));
                    refused++;
                }
            }
            assertThat(refused).isPositive();
            assertThat(service.refused()).isEqualTo(refused);
            assertThat(service.late()).isZero();
            // nothing stands in its way
            caller.call(request, a.allocate(8)).get(20, TimeUnit.SECONDS);
        }
    }
}
