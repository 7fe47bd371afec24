// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Where messages are asked for, receives of later rounds are there before those come. */
class AheadTest {
    private static final long BYTES = 64 << 10;

    /** Messages of any size are asked for. */
    private static class Asking extends FakeTransport {
        Asking() {
            super(0, 4);
        }

        @Override
        public boolean gainsByEarlyReceives(long bytes) {
            return true;
        }

        @Override
        public void cancel(Object operation) {
            // its end is the test's
        }
    }

    private static CompletableFuture<Void> sum(FakeTransport network, MemorySegment from, MemorySegment into) {
        return new GroupImpl(network, new Registry(), "", Duration.ofSeconds(60)).allReduce(from, into, Datatype.INT64,
                AtomicOp.SUM);
    }

    private static CompletableFuture<Void> sum(FakeTransport network) {
        return sum(network, network.arena.allocate(BYTES), network.arena.allocate(BYTES));
    }

    private static void ends(FakeTransport network, int receive, long bytes) {
        network.receives.get(receive).ended(bytes, null);
    }

    private static void fails(FakeTransport network, int receive, Throwable why) {
        network.receives.get(receive).ended(0, why);
    }

    private static FabricException failure(FabricError error) {
        return FabricException.of("receive", error.code(), "");
    }

    /** Halves, quarters, and back: each is received into memory of its own. */
    @Test
    void allAreThereAtOnceWhereNothingUsesTheirMemory() {
        Asking network = new Asking();
        CompletableFuture<Void> sum = sum(network);
        assertThat(network.receives).hasSize(4);
        // in an order that is not that of the rounds
        ends(network, 3, BYTES / 2);
        ends(network, 1, BYTES / 4);
        ends(network, 0, BYTES / 2);
        assertThat(sum).as("one is missing").isNotDone();
        ends(network, 2, BYTES / 4);
        assertThat(sum).isCompleted();
        assertThat(network.receives).hasSize(4);
    }

    /** In place, what comes back goes where the operands are that the first round sends and combines. */
    @Test
    void thoseWaitWhoseMemoryIsUsedBefore() {
        Asking network = new Asking();
        MemorySegment numbers = network.arena.allocate(BYTES);
        CompletableFuture<Void> sum = sum(network, numbers, numbers);
        assertThat(network.receives).as("halves and quarters").hasSize(2);
        ends(network, 0, BYTES / 2);
        assertThat(network.receives).hasSize(4);
        ends(network, 1, BYTES / 4);
        ends(network, 2, BYTES / 4);
        ends(network, 3, BYTES / 2);
        assertThat(sum).isCompleted();
    }

    /** There may be one place for all receives of a node: it must not be taken by what is needed later. */
    @Test
    void noneIsBeforeOneOfAnEarlierRound() {
        Asking network = new Asking();
        MemorySegment numbers = network.arena.allocate(BYTES);
        // from the left, which uses the same memory every other time; at last what the others have
        new GroupImpl(network, new Registry(), "", Duration.ofSeconds(60)).reduce(numbers,
                network.arena.allocate(BYTES), Datatype.INT64, AtomicOp.SUM, 0);
        assertThat(network.receives).hasSize(2);
        ends(network, 0, BYTES / 4);
        assertThat(network.receives).hasSize(3);
        ends(network, 1, BYTES / 4);
        assertThat(network.receives).as("the result is being combined").hasSize(3);
        ends(network, 2, BYTES / 4);
        assertThat(network.receives).hasSize(6);
    }

    @Test
    void noneIsEarlyWhereMessagesAreNotAskedFor() {
        FakeTransport network = new FakeTransport(0, 4);
        sum(network);
        assertThat(network.receives).hasSize(1);
    }

    /** Who sends late may itself wait for the one that has not come, and is not to be named. */
    @Test
    void whatFailsEarlyIsToldInItsRound() {
        Asking network = new Asking();
        CompletableFuture<Void> sum = sum(network);
        fails(network, 1, failure(FabricError.ETIMEDOUT));
        assertThat(sum).isNotDone();
        fails(network, 0, failure(FabricError.ETIMEDOUT));
        fails(network, 2, new CancellationException());
        fails(network, 3, new CancellationException());
        // the partners of rank 0 are rank 2, then rank 1
        assertThatThrownBy(sum::join).hasMessageContaining("rank 2 sent nothing")
                .hasMessageContaining("or its group has another name, or the members in another order");
    }

    @Test
    void whatFailsEarlyIsNotForgotten() {
        Asking network = new Asking();
        CompletableFuture<Void> sum = sum(network);
        fails(network, 1, failure(FabricError.EIO));
        ends(network, 0, BYTES / 2);
        assertThat(sum).as("two are under way").isNotDone();
        fails(network, 2, new CancellationException());
        fails(network, 3, new CancellationException());
        assertThatThrownBy(sum::join).hasMessageContaining("rank 1");
    }

    /** The provider may write there. */
    @Test
    void nothingIsOverWhileOneIsUnderWay() {
        Asking network = new Asking();
        CompletableFuture<Void> sum = sum(network);
        fails(network, 0, failure(FabricError.EIO));
        fails(network, 1, new CancellationException());
        fails(network, 2, new CancellationException());
        assertThat(sum).isNotDone();
        fails(network, 3, new CancellationException());
        assertThat(sum).isCompletedExceptionally();
    }

    @Test
    void oneThatCannotBeStartedEndsIt() {
        Asking network = new Asking() {
            @Override
            public Object receive(MemorySegment room, int from, long tag, long deadline, Listener listener) {
                if (receives.size() == 2) {
                    throw new AssertionError("no");
                }
                return super.receive(room, from, tag, deadline, listener);
            }
        };
        CompletableFuture<Void> sum = sum(network);
        fails(network, 0, new CancellationException());
        assertThat(sum).isNotDone();
        fails(network, 1, new CancellationException());
        assertThatThrownBy(sum::join).hasRootCauseMessage("no");
    }
}
