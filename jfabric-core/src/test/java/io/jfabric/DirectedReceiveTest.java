// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receives from one peer beside receives from any: libfabric takes a pointer into a queue for an entry of it. */
@Timeout(60)
class DirectedReceiveTest {
    private final MemorySegment in = Arena.ofAuto().allocate(64);
    private final MemorySegment out = Bytes.pattern(Arena.ofAuto(), 8, 1);

    private static boolean mayNotMix(Providers.Choice choice) {
        return Quirks.of(choice.provider()).hasAny(Quirk.DIRECTED_AND_ANY, Quirk.DIRECTED_AND_ANY_IN_RXM);
    }

    private static Pair directed(Providers.Choice choice) {
        return Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.DIRECTED_RECV)).connect();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void oneBesideAny(Providers.Choice choice) {
        try (Pair pair = directed(choice)) {
            Messages messages = pair.b.endpoint.messages();
            MemorySegment directed = Arena.ofAuto().allocate(8);
            pair.post(() -> messages.receive(in, Address.ANY, 1));
            if (mayNotMix(choice)) {
                assertThatThrownBy(() -> messages.receive(in, pair.b.peer, 2)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("beside those from Address.ANY");
                assertThatThrownBy(() -> messages.receiveRequest().buffers(in).peer(pair.b.peer).post(2))
                        .isInstanceOf(FabricException.class);
            } else {
                pair.post(() -> messages.receive(directed, pair.b.peer, 2));
                send(pair);
            }
            send(pair);
            pair.await(pair.b, 1);
            if (!mayNotMix(choice)) {
                Done done = pair.await(pair.b, 2);
                assertThat(done.length()).isEqualTo(8);
                assertThat(done.source()).isIn(pair.b.peer, Address.NOT_AVAILABLE);
                assertThat(directed.mismatch(out)).isEqualTo(-1);
            }
            pair.post(() -> pair.b.endpoint.tagged().receive(in, pair.b.peer, 5, 0, 3));
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 6, 0, 4));
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 6, 9));
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 5, 9));
            pair.await(pair.b, 3);
            pair.await(pair.b, 4);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void anyBesideOne(Providers.Choice choice) {
        try (Pair pair = directed(choice)) {
            Messages messages = pair.b.endpoint.messages();
            pair.post(() -> messages.receive(in, pair.b.peer, 2));
            if (mayNotMix(choice)) {
                assertThatThrownBy(() -> messages.receive(in, Address.ANY, 1)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("beside those from one peer");
            }
            send(pair);
            pair.await(pair.b, 2);
            pair.post(() -> messages.receive(in, Address.ANY, 3));
            send(pair);
            pair.await(pair.b, 3);
        }
    }

    /** Also of those of which nothing tells when they are over. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void oneBesideAnyThatIsNotReported(Providers.Choice choice) {
        try (Pair pair = directed(choice)) {
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            Messages messages = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT)
                    .bind(queue, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION).bind(pair.b.addresses).enable()
                    .messages();
            pair.post(() -> messages.receive(in, Address.ANY, 1));
            if (mayNotMix(choice)) {
                assertThatThrownBy(() -> messages.receive(in, pair.b.peer, 2)).isInstanceOf(FabricException.class)
                        .hasMessageContaining("beside those from Address.ANY");
            }
        }
    }

    /** However often it was looked at before. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aSourceThatWasRemovedIsRefused(Providers.Choice choice) {
        try (Pair pair = directed(choice)) {
            for (int i = 0; i < 2; i++) {
                pair.post(() -> pair.b.endpoint.tagged().receive(in, pair.b.peer, 5, 0, 3));
                pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 5, 9));
                pair.await(pair.b, 3);
            }
            pair.b.addresses.remove(pair.b.peer);
            assertThatThrownBy(() -> pair.b.endpoint.tagged().receive(in, pair.b.peer, 5, 0, 4))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("source " + pair.b.peer);
        }
    }

    private void send(Pair pair) {
        pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 7));
        pair.await(pair.a, 7);
    }

    /** tcp of libfabric 2 looks at these, and then for a stranger beyond its table. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void theCapabilityMayStandInTheReceiveAttributesAlone(Providers.Choice choice) {
        try (Pair pair = Pair.openChanged(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.DIRECTED_RECV), info ->
                info.capabilities(info.capabilities().without(Capability.DIRECTED_RECV)))) {
            assertThatThrownBy(() -> pair.b.endpoint.tagged().receive(in, 1 << 20, 1, 0, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("source 1048576");
        }
    }
}
