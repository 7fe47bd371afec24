// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An operation ends, and once, whatever goes wrong in who carries its messages. */
class RunningTest {
    private static GroupImpl group(Transport transport) {
        return new GroupImpl(transport, new Registry(), "", Duration.ofSeconds(60));
    }

    @Test
    void memoryThatCannotBeReleasedEndsItNevertheless() {
        FakeTransport network = new FakeTransport(0, 2) {
            @Override
            public void release(MemorySegment memory) {
                throw new AssertionError("no");
            }
        };
        MemorySegment numbers = network.arena.allocate(64);
        CompletableFuture<Void> sum = group(network).allReduce(numbers, numbers, Datatype.INT64, AtomicOp.SUM);
        network.receives.getFirst().ended(64, null);
        assertThat(sum).isCompletedExceptionally();
        assertThatThrownBy(sum::join).hasRootCauseMessage("no");
    }

    @Test
    void cancellingThatFailsEndsItNevertheless() {
        FakeTransport network = new FakeTransport(0, 2) {
            @Override
            public void cancel(Object operation) {
                throw new AssertionError("no");
            }
        };
        MemorySegment numbers = network.arena.allocate(64);
        GroupImpl group = group(network);
        CompletableFuture<Void> sum = group.allReduce(numbers, numbers, Datatype.INT64, AtomicOp.SUM);
        group.close();
        network.receives.getFirst().ended(0, new CancellationException());
        assertThat(sum).isCompletedExceptionally();
    }

    /** It is with the network all the same, and its end may still be heard. */
    @Test
    void aMessageThatFailsAfterItsStartIsCountedOnce() {
        FakeTransport network = new FakeTransport(0, 3) {
            @Override
            public Object receive(MemorySegment room, int from, long tag, long deadline, Listener listener) {
                Object started = super.receive(room, from, tag, deadline, listener);
                if (from == 2) {
                    throw new AssertionError("no");
                }
                return started;
            }

            @Override
            public void cancel(Object operation) {
                // later
            }
        };
        MemorySegment block = network.arena.allocate(8);
        CompletableFuture<Void> gather = group(network).gather(block, network.arena.allocate(24), 0);
        network.receives.getLast().ended(0, new CancellationException());
        assertThat(gather).as("the first is under way").isNotDone();
        network.receives.getFirst().ended(0, new CancellationException());
        assertThat(gather).isCompletedExceptionally();
        assertThatThrownBy(gather::join).hasRootCauseMessage("no");
    }

    /** Another thread hears of the failure of the first while the second is being started. */
    @Test
    void whatIsBeingStartedAsItFailsIsCancelled() {
        FakeTransport network = new FakeTransport(0, 3) {
            @Override
            public Object receive(MemorySegment room, int from, long tag, long deadline, Listener listener) {
                Object started = super.receive(room, from, tag, deadline, listener);
                if (receives.size() == 2) {
                    receives.getFirst().ended(0, new IllegalStateException("broken"));
                }
                return started;
            }
        };
        MemorySegment block = network.arena.allocate(8);
        CompletableFuture<Void> gather = group(network).gather(block, network.arena.allocate(24), 0);
        assertThat(network.receives).hasSize(2);
        assertThat(gather).isCompletedExceptionally();
        assertThatThrownBy(gather::join).hasRootCauseMessage("broken");
    }

    @Test
    void whoCompletesItHimselfGivesItUp() {
        List<Object> cancelled = new ArrayList<>();
        FakeTransport network = new FakeTransport(0, 2) {
            @Override
            public void cancel(Object operation) {
                cancelled.add(operation);
                super.cancel(operation);
            }
        };
        MemorySegment numbers = network.arena.allocate(64);
        CompletableFuture<Void> sum = group(network).allReduce(numbers, numbers, Datatype.INT64, AtomicOp.SUM);
        assertThat(cancelled).isEmpty();
        sum.complete(null);
        assertThat(cancelled).as("nothing more is written to the numbers").contains(network.receives.getFirst());
        assertThat(network.told).as("the other does not wait").hasSize(1);
    }
}
