// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory of operations that report no completion is kept until their endpoint is closed, and no longer. */
class UnreportedMemoryTest {
    /** Those that report nothing which they are not asked to. */
    static Stream<Providers.Choice> silent() {
        return Providers.connectionless().filter(choice -> !Quirks.of(choice.provider()).reportUnasked());
    }

    private static void closesAfter(FabricArena arena, Endpoint endpoint, Pair pair, Providers.Choice choice) {
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("endpoint@");
        endpoint.close();
        if (Quirks.of(choice.provider()).has(Quirk.CLOSED_PEERS_IN_USE)) {
            pair.b.endpoint.close();
        }
        arena.close();
        assertThat(arena.scope().isAlive()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void ofReceives(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT)
                    .bind(queue, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION)
                    .bind(pair.domain.openAddressVector()).enable();
            FabricArena arena = pair.domain.openArena();
            MemorySegment in = arena.allocate(64);
            pair.post(() -> endpoint.messages().receive(in, Address.ANY, 1));
            closesAfter(arena, endpoint, pair, choice);
        }
    }

    /** Unlike those of plain sends, the flags of a request are its own. */
    @ParameterizedTest
    @MethodSource("silent")
    void ofRequests(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            AddressVector vector = pair.domain.openAddressVector();
            Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.RECV)
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.SELECTIVE_COMPLETION).bind(vector).enable();
            FabricArena arena = pair.domain.openArena();
            MemorySegment in = Arena.ofAuto().allocate(64);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            MessageRequest send = endpoint.messages().sendRequest().buffers(arena.allocate(64))
                    .peer(vector.insert(pair.b.endpoint.address().bytes()));
            pair.until("it is sent", () -> {
                queue.poll(completion -> { }, 1);
                return send.post(2);
            });
            closesAfter(arena, endpoint, pair, choice);
        }
    }
}
