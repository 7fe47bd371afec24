// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a failed operation computed in is used again, but not while a provider may still write to it. */
class FailedMemoryTest {
    @Test
    void memoryComesBackOnceTheProviderHasLetGo() {
        Network network = new Network();
        GroupImpl group = new GroupImpl(network, new Registry(), "", Duration.ofSeconds(60));
        MemorySegment numbers = network.arena.allocate(64);
        CompletableFuture<Void> sum = group.allReduce(numbers, numbers, Datatype.INT64, AtomicOp.SUM);
        assertThat(network.allocated).hasSize(1);
        sum.cancel(true);
        assertThat(network.released).as("while the receive is with the provider").isEmpty();
        assertThat(network.letGo).hasSize(1);
        network.letGo.forEach(Runnable::run);
        assertThat(network.released).isEqualTo(network.allocated);
    }

    @Test
    void memoryComesBackAtOnceAfterASuccess() {
        Network network = new Network();
        GroupImpl group = new GroupImpl(network, new Registry(), "", Duration.ofSeconds(60));
        MemorySegment numbers = network.arena.allocate(64);
        CompletableFuture<Void> sum = group.allReduce(numbers, numbers, Datatype.INT64, AtomicOp.SUM);
        network.receive.ended(64, null);
        assertThat(sum).isCompleted();
        assertThat(network.released).isEqualTo(network.allocated);
    }

    /** Sends at once, receives nothing, and keeps what is cancelled. */
    private static final class Network implements Transport {
        final Arena arena = Arena.ofAuto();
        final List<MemorySegment> allocated = new ArrayList<>();
        final List<MemorySegment> released = new ArrayList<>();
        final List<Runnable> letGo = new ArrayList<>();
        Listener receive;

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public int size() {
            return 2;
        }

        @Override
        public long longest() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean hasThread() {
            return true;
        }

        @Override
        public Object send(MemorySegment data, int to, long tag, long deadline, Listener listener) {
            listener.ended(0, null);
            return "send";
        }

        @Override
        public Object receive(MemorySegment room, int from, long tag, long deadline, Listener listener) {
            receive = listener;
            return "receive";
        }

        @Override
        public void cancel(Object operation) {
            if (operation.equals("receive")) {
                receive.ended(0, new CancellationException());
            }
        }

        @Override
        public void whenReleased(Object operation, Runnable action) {
            if (operation.equals("receive")) {
                letGo.add(action);
            } else {
                action.run();
            }
        }

        @Override
        public Runnable onGone(int rank, Consumer<FabricException> listener) {
            return () -> { };
        }

        @Override
        public MemorySegment allocate(long size) {
            MemorySegment memory = arena.allocate(size);
            allocated.add(memory);
            return memory;
        }

        @Override
        public void release(MemorySegment memory) {
            released.add(memory);
        }

        @Override
        public CompletableFuture<Void> future() {
            return new CompletableFuture<>();
        }

        @Override
        public void complete(CompletableFuture<Void> future, Throwable failure) {
            if (failure == null) {
                future.complete(null);
            } else {
                future.completeExceptionally(failure);
            }
        }
    }
}
