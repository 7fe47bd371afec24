// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a failed operation computed in is used again, but not while a provider may still write to it. */
class FailedMemoryTest {
    @Test
    void memoryComesBackOnceTheProviderHasLetGo() {
        FakeTransport network = new FakeTransport(0, 2);
        GroupImpl group = new GroupImpl(network, new Registry(), "", Duration.ofSeconds(60));
        MemorySegment numbers = network.arena.allocate(64);
        CompletableFuture<Void> sum = group.allReduce(numbers, numbers, Datatype.INT64, AtomicOp.SUM);
        assertThat(network.allocated).hasSize(1);
        sum.cancel(true);
        assertThat(network.released).as("while the receive is with the provider").isEmpty();
        assertThat(network.freed).isEmpty();
        assertThat(network.letGo).hasSize(1);
        network.letGo.forEach(Runnable::run);
        assertThat(network.released).isEqualTo(network.allocated);
        assertThat(network.freed).containsExactly(sum);
    }

    /** Nobody knows what has become of a message that could not be started. */
    @Test
    void buffersComeBackWithTheEndOfTheNodeAtTheLatest() {
        FakeTransport network = new FakeTransport(0, 2) {
            @Override
            public Object send(MemorySegment data, int to, long tag, long deadline, Listener listener) {
                throw new OutOfMemoryError("of this test");
            }
        };
        GroupImpl group = new GroupImpl(network, new Registry(), "", Duration.ofSeconds(60));
        CompletableFuture<Void> broadcast = group.broadcast(network.arena.allocate(64), 0);
        assertThat(broadcast).isCompletedExceptionally();
        assertThat(network.freed).isEmpty();
        assertThat(network.atEnd).hasSize(1);
        network.atEnd.forEach(Runnable::run);
        assertThat(network.freed).containsExactly(broadcast);
    }

    @Test
    void memoryComesBackAtOnceAfterASuccess() {
        FakeTransport network = new FakeTransport(0, 2);
        GroupImpl group = new GroupImpl(network, new Registry(), "", Duration.ofSeconds(60));
        MemorySegment numbers = network.arena.allocate(64);
        CompletableFuture<Void> sum = group.allReduce(numbers, numbers, Datatype.INT64, AtomicOp.SUM);
        network.receives.getFirst().ended(64, null);
        assertThat(sum).isCompleted();
        assertThat(network.freed).containsExactly(sum);
        assertThat(network.released).isEqualTo(network.allocated);
    }
}
