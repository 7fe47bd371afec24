// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Connected endpoints that only send or receive work with a queue for that, or are refused with what is missing. */
@Timeout(60)
class ConnectedPartsTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int LENGTH = 100_000;

    static Stream<Arguments> cases() {
        return Providers.offered(Providers.TCP_MSG, Providers.SOCKETS_MSG).flatMap(choice ->
                Stream.of(Capability.SEND, Capability.RECV).map(lone -> Arguments.of(choice, lone)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aMessageArrives(Providers.Choice choice, Capability lone) {
        try (FabricInfoList all = choice.find(hints -> hints.capabilities(Capability.MSG));
                FabricInfoList part = choice.find(hints -> hints.capabilities(Capability.MSG, lone));
                Fabric fabric = Fabric.open(all.first()); Domain domain = fabric.openDomain(all.first());
                FabricInfo mine = part.first().duplicate().sourceAddress((Address) null)) {
            EventQueue there = fabric.openEventQueue();
            EventQueue here = fabric.openEventQueue();
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
            PassiveEndpoint listener = fabric.openPassiveEndpoint(all.first()).bind(there).listen();
            Endpoint client = domain.openEndpoint(mine).bind(here)
                    .bind(queue, lone == Capability.SEND ? BindFlag.TRANSMIT : BindFlag.RECV);
            Quirks quirks = Quirks.of(choice.provider());
            if (quirks.has(Quirk.NEEDS_BOTH_QUEUES_OF_TCP) || lone == Capability.SEND && quirks.hasAny(
                    Quirk.REMOTE_DATA_NEEDS_QUEUE, Quirk.REMOTE_DATA_NEEDS_QUEUE_OF_NET)) {
                assertThatThrownBy(client::enable).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(lone == Capability.SEND ? "RECV" : "TRANSMIT");
                client.bind(queue, lone == Capability.SEND ? BindFlag.RECV : BindFlag.TRANSMIT);
            }
            client.enable();
            client.connect(listener.address());
            FabricEvent.ConnectionRequest request = (FabricEvent.ConnectionRequest) event(there, here);
            Endpoint server = domain.openEndpoint(request.info()).bind(there)
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).enable();
            server.accept();
            assertThat(event(here, there)).isInstanceOf(FabricEvent.Connected.class);
            assertThat(event(there, here)).isInstanceOf(FabricEvent.Connected.class);
            // that of sockets has the capabilities of who asks, with which nobody would answer
            if (request.info().capabilities().contains(lone == Capability.SEND ? Capability.RECV : Capability.SEND)) {
                exchange(queue, lone == Capability.SEND ? client : server, lone == Capability.SEND ? server : client);
            }
        }
    }

    /** One side makes progress while the other waits. */
    private static FabricEvent event(EventQueue from, EventQueue other) {
        long end = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() < end) {
            Optional<FabricEvent> event = from.poll();
            if (event.isPresent()) {
                return event.get();
            }
            other.peek();
        }
        throw new AssertionError("no event in " + SOON);
    }

    private static void exchange(CompletionQueue queue, Endpoint from, Endpoint to) {
        MemorySegment out = Arena.ofAuto().allocate(LENGTH).fill((byte) 7);
        MemorySegment in = Arena.ofAuto().allocate(LENGTH);
        long[] ended = new long[3];
        boolean waits = false;
        boolean sent = false;
        long end = System.nanoTime() + SOON.toNanos();
        while (ended[1] + ended[2] < 2 && System.nanoTime() < end) {
            waits = waits || to.messages().receive(in, 0, 1);
            sent = sent || waits && from.messages().send(out, 0, 2);
            queue.poll(completion -> ended[(int) completion.context()]++, 8);
        }
        assertThat(ended).containsExactly(0, 1, 1);
        assertThat(in.mismatch(out)).isEqualTo(-1);
    }
}
