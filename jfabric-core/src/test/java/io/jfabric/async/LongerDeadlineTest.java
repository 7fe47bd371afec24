// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricArena;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long requests to a service that stands still for longer than the deadline of the caller's node. */
@Timeout(60)
class LongerDeadlineTest {
    private static final Duration OF_NODE = Duration.ofMillis(300);
    private static final Duration OF_CALL = Duration.ofSeconds(40);
    private static final int SIZE = 4 << 20;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.TCP_RDM, Providers.RXM, Providers.SHM);
    }

    private static void drive(Node b, CompletableFuture<?> until) {
        Waits.spin("it is over", () -> b.progress() >= 0 && until.isDone());
    }

    /** The deadline of the call counts, as it is the later one. That of the node does when it is over. */
    @ParameterizedTest
    @MethodSource("providers")
    void theLaterOneCounts(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints, NodeOptions.DEFAULT.withDeadline(OF_NODE).withPeerLimit(1));
                Node b = Node.open(hints, NodeOptions.DEFAULT.withCallerProgress());
                Service _ = Service.open(b, 5, call -> call.answer(new byte[(int) (call.request().byteSize() >> 20)]),
                        ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(a.peer(b.address()), 5);
                FabricArena arena = a.domain().openArena()) {
            drive(b, caller.call(new byte[1], OF_CALL));
            MemorySegment request = arena.allocate(SIZE);
            CompletableFuture<MemorySegment> call = caller.call(request, a.allocate(8), OF_CALL);
            CompletableFuture<MemorySegment> other = caller.call(request, a.allocate(8), OF_CALL);
            Thread.sleep(4 * OF_NODE.toMillis());
            assertThat(call).isNotDone();
            other.cancel(true);
            // it waits for the first
            a.released(other).get(20, TimeUnit.SECONDS);
            drive(b, call);
            assertThat(call.get(1, TimeUnit.SECONDS).byteSize()).isEqualTo(SIZE >> 20);
            drive(b, a.released(call));
        }
    }
}
