// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.PooledBuffer;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A long request whose service has no buffer to say where it is to come: it is refused, and leaves nothing behind. */
@Timeout(60)
class NoBufferTest {
    /** Too large to follow its announcement at once. */
    private static final int LARGE = 5 << 20;
    /** Of which there is memory for one. */
    private static final int BLOCK = 8 << 20;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void theNextHasItsPlaceAndItsMemory(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service service = Service.open(b, 5, call -> call.answer(new byte[1]), ServiceOptions.DEFAULT
                        .withLimit(1).withLargestRequest(LARGE).withLargeBytes(BLOCK));
                CallerByHand neighbour = new CallerByHand(b, b.peer(b.address()), 5);
                Caller caller = Caller.open(a.peer(b.address()), 5)) {
            MemorySegment request = a.allocate(LARGE);
            MemorySegment room = a.allocate(1);
            for (int round = 0; round < 3; round++) {
                assertThat(call(caller, request, room).get(40, TimeUnit.SECONDS).byteSize()).isOne();
                List<PooledBuffer> taken = new ArrayList<>();
                for (PooledBuffer one = neighbour.hub.take(); one != null; one = neighbour.hub.take()) {
                    taken.add(one);
                }
                CompletableFuture<MemorySegment> refused = call(caller, request, room);
                assertThatThrownBy(() -> refused.get(40, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(FabricException.class);
                assertThat(((FabricException) refused.exceptionNow()).error()).isEqualTo(FabricError.EBUSY);
                assertThat(service.underWay()).isZero();
                taken.forEach(PooledBuffer::close);
            }
        }
    }

    private static CompletableFuture<MemorySegment> call(Caller caller, MemorySegment request, MemorySegment room) {
        return caller.call(request, room, Duration.ofSeconds(30));
    }
}
