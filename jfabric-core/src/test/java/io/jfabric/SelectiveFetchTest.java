// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Atomics that fetch, where only operations that ask for it are reported: refused once although all went before. */
@Timeout(60)
class SelectiveFetchTest {
    static Stream<Providers.Choice> providers() {
        return Providers.rdm().filter(choice -> choice.isOffered(hints ->
                hints.capabilities(Capability.MSG, Capability.RMA, Capability.ATOMIC)));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void fetchesWhatWasReportedBefore(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA,
                Capability.ATOMIC)).connect();
             CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
             AddressVector addresses = pair.domain.openAddressVector();
             Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(addresses)
                     .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION).enable()) {
            long peer = addresses.insert(pair.b.endpoint.address());
            MemorySegment target = pair.domain.openArena().allocateFrom(ValueLayout.JAVA_LONG, 37);
            RemoteRegion region = RemoteRegion.of(pair.b.endpoint.register(target, MemoryAccess.REMOTE_READ,
                    MemoryAccess.REMOTE_WRITE).remote().toBytes());
            FabricArena arena = pair.domain.openArena();
            MemorySegment operand = arena.allocateFrom(ValueLayout.JAVA_LONG, 5);
            MemorySegment result = arena.allocate(8, 8);
            pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(8, 8), Address.ANY, 1));
            MessageRequest greeting = endpoint.messages().sendRequest().buffers(operand).peer(peer)
                    .flags(OperationFlag.COMPLETION);
            run(pair, queue, 2, () -> greeting.post(2));
            AtomicRequest fetch = endpoint.atomics().request(AtomicForm.FETCH, Datatype.INT64, AtomicOp.SUM)
                    .buffers(operand).results(result).target(region, 0, 8).peer(peer).flags(OperationFlag.COMPLETION);
            run(pair, queue, 3, () -> fetch.post(3));
            assertThat(result.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(37);
            assertThat(target.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
        }
    }

    private static void run(Pair pair, CompletionQueue queue, long context, BooleanSupplier operation) {
        Set<Long> done = new HashSet<>();
        pair.until("posted", () -> {
            queue.poll(completion -> done.add(completion.context()), 4);
            return operation.getAsBoolean();
        });
        pair.until("done", () -> {
            queue.poll(completion -> done.add(completion.context()), 4);
            return done.contains(context);
        });
    }
}
