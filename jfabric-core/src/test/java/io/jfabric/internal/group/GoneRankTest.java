// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A member dies: all that wait fail, those too that wait for a living one, which may wait for the dead one itself. */
class GoneRankTest {
    private static final FabricException DOWN =
            FabricException.of("keep-alive", FabricError.EHOSTDOWN.code(), "it has not answered");

    /** Tells who listens that a member is gone, and keeps it back from those who listen late. */
    private static final class Watched extends FakeTransport {
        final Map<Integer, Consumer<FabricException>> listeners = new HashMap<>();

        Watched(int size) {
            super(0, size);
        }

        @Override
        public Runnable onGone(int rank, Consumer<FabricException> listener) {
            listeners.merge(rank, listener, Consumer::andThen);
            return () -> { };
        }
    }

    private static GroupImpl group(Transport network) {
        return new GroupImpl(network, new Registry(), "", Duration.ofSeconds(60));
    }

    private static void isOverFor(CompletableFuture<Void> operation, String name) {
        assertThat(operation).isCompletedExceptionally();
        assertThat(operation.exceptionNow()).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.EHOSTDOWN))
                .hasMessageContaining(name).hasMessageContaining("rank 3 is gone");
    }

    @Test
    void whoWaitsForALivingMemberFailsToo() {
        Watched network = new Watched(4);
        GroupImpl group = group(network);
        // rank 0 gets it from 2, and passes it on to 1
        CompletableFuture<Void> broadcast = group.broadcast(network.arena.allocate(8), 2);
        CompletableFuture<Void> barrier = group.barrier();
        assertThat(broadcast).isNotDone();
        network.listeners.get(3).accept(DOWN);
        isOverFor(broadcast, "broadcast");
        isOverFor(barrier, "barrier");
        assertThat(group.barrier().exceptionNow()).hasMessageContaining("barrier: FI_EHOSTDOWN")
                .hasMessageContaining("the group has failed before: broadcast: ").hasMessageContaining("shrink")
                .hasCause(broadcast.exceptionNow());
    }

    @Test
    void whatIsStartedAfterwardsFailsEvenWithoutAMessage() {
        Watched network = new Watched(4);
        GroupImpl group = group(network);
        network.listeners.get(3).accept(DOWN);
        CompletableFuture<Void> nothing = group.broadcast(network.arena.allocate(8).asSlice(0, 0), 0);
        isOverFor(nothing, "broadcast");
    }

    /** Who was quick to make a new group without the dead one hears of the death only then. */
    @Test
    void aGroupWithoutItGoesOn() {
        Watched network = new Watched(4);
        GroupImpl group = group(network);
        CompletableFuture<Void> barrier = group.barrier();
        CompletableFuture<Void> after = group.subgroup("after", 0, 1, 2).barrier();
        network.listeners.get(3).accept(DOWN);
        isOverFor(barrier, "barrier");
        assertThat(after).isNotDone();
        network.receives.getLast().ended(1, null);
        network.receives.getLast().ended(1, null);
        assertThat(after).isCompleted();
    }
}
