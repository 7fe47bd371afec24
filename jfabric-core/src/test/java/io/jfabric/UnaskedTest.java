// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.EndpointOption;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What else is there where a provider reports what nobody asked for, and that is dropped. */
@Timeout(60)
class UnaskedTest {
    private static final int SIZE = 64;

    static Stream<Providers.Choice> all() {
        return Stream.concat(Providers.rdm(), Providers.offered(new Providers.Choice("net", EndpointType.RDM)));
    }

    static Stream<Providers.Choice> several() {
        return all().filter(choice -> choice.isOffered(hints -> hints.capabilities(Capability.MSG,
                Capability.MULTI_RECV)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void peersTellOfWhatTheyHaveWritten(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.RMA))) {
            MemorySegment memory = arena.allocate(SIZE, 8);
            RemoteRegion region = RemoteRegion.of(pair.b.endpoint.register(memory, MemoryAccess.REMOTE_WRITE).remote()
                    .toBytes());
            MemorySegment out = Bytes.pattern(arena, SIZE, 4);
            for (long data = 1; data <= 3; data++) {
                long sent = data;
                pair.post(() -> pair.a.endpoint.rma().writeData(out, sent, pair.a.peer, region, 0, 1));
                pair.await(pair.a, 1);
                assertThat(pair.awaitAny(pair.b, done -> done.context() == 0).data()).isEqualTo(data);
            }
            assertThat(memory.mismatch(out)).isEqualTo(-1);
        }
    }

    /** A counter alone tells of messages: nothing says that the provider is done with the buffer. */
    @ParameterizedTest
    @MethodSource("several")
    void aBufferForSeveralMessagesStays(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.MULTI_RECV),
                CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> { }).connect();
             CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
             Counter arrived = pair.domain.openCounter(CounterAttributes.DEFAULT);
             Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(pair.b.addresses)
                     .bind(queue, BindFlag.TRANSMIT).bind(queue, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION)
                     .bind(arrived, BindFlag.RECV)) {
            endpoint.setOption(EndpointOption.MIN_MULTI_RECV, (long) SIZE);
            endpoint.enable();
            // the domain closes it: endpoints that know this one may still write to it
            FabricArena memory = pair.domain.openArena();
            MemorySegment buffer = memory.allocate(100 * SIZE);
            MessageRequest receive = endpoint.messages().receiveRequest().buffers(buffer)
                    .flags(OperationFlag.MULTI_RECV);
            if (Quirks.of(choice.provider()).has(Quirk.MULTI_RECEIVES_FALL_SILENT)) {
                MultiReceiveTest.silent(() -> receive.post(7));
                return;
            }
            pair.post(() -> receive.post(7));
            long peer = pair.a.addresses.insert(endpoint.address());
            Side side = new Side(endpoint, queue, pair.b.addresses);
            MemorySegment message = Bytes.pattern(Arena.ofAuto(), SIZE, 3);
            for (int i = 1; i <= 3; i++) {
                int count = i;
                pair.until("the send", () -> {
                    side.poll();
                    return pair.a.endpoint.messages().send(message, peer, 1);
                });
                pair.until("message " + i, () -> {
                    side.poll();
                    return arrived.read() >= count;
                });
                pair.until("its report", () -> side.poll() == 0);
                assertThat(buffer.asSlice((i - 1L) * SIZE, SIZE).mismatch(message)).isEqualTo(-1);
                assertThat(memory.tryClose()).as("after message %d", i).isFalse();
            }
            assertThat(side.done()).isEmpty();
        }
    }
}
