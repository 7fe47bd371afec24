// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Group;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.ffi.Errno;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A group is shrunk, in a network of which the test decides what comes when. */
class ShrinkingTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Its members end as the test says; it counts what is to be let go of. */
    private static final class Network extends FakeTransport {
        final List<List<Consumer<FabricException>>> listeners = new ArrayList<>();
        final List<Runnable> timers = new ArrayList<>();
        final List<Runnable> watching = new ArrayList<>();
        boolean isGivenUp;
        /** Whether the program cancels what is about to be completed. */
        boolean isCancelled;

        Network(int size) {
            super(0, size);
            for (int i = 0; i < size; i++) {
                listeners.add(new ArrayList<>());
            }
        }

        @Override
        public Runnable onGone(int rank, Consumer<FabricException> listener) {
            listeners.get(rank).add(listener);
            return () -> listeners.get(rank).remove(listener);
        }

        void ends(int rank) {
            List.copyOf(listeners.get(rank)).forEach(listener -> listener.accept(
                    FabricException.of("keep-alive", FabricError.EHOSTDOWN.code(), "it has not answered")));
        }

        @Override
        public boolean hasGivenUp(int rank) {
            return isGivenUp;
        }

        @Override
        public Runnable at(long moment, Runnable action) {
            timers.add(action);
            return () -> timers.remove(action);
        }

        @Override
        public Runnable onUnwatched(Runnable listener) {
            watching.add(listener);
            return () -> watching.remove(listener);
        }

        @Override
        public <T> void complete(CompletableFuture<T> future, T value, Throwable failure) {
            if (isCancelled && value != null) {
                future.cancel(true);
            }
            super.complete(future, value, failure);
        }

        /** What is being received comes. */
        void receive() {
            receives.removeFirst().ended(8, null);
        }

        void holdsNothing() {
            assertThat(timers).isEmpty();
            assertThat(watching).isEmpty();
        }
    }

    private static GroupImpl group(Network network) {
        return group(network, new Registry());
    }

    private static GroupImpl group(Network network, Registry registry) {
        return new GroupImpl(network, registry, "", DEADLINE);
    }

    @Test
    void nothingIsLeftOfIt() {
        Network network = new Network(3);
        GroupImpl group = group(network);
        for (int i = 0; i < 3; i++) {
            group.shrink(1, DEADLINE).cancel(true);
            CompletableFuture<Group.Shrunk> late = group.shrink(1, DEADLINE);
            network.timers.getFirst().run();
            assertThat(late).isCompletedExceptionally();
            CompletableFuture<Group.Shrunk> unwatched = group.shrink(1, DEADLINE);
            network.watching.getFirst().run();
            assertThat(unwatched).isCompletedExceptionally();
            network.holdsNothing();
        }
        CompletableFuture<Group.Shrunk> shrunk = group.shrink(-1, DEADLINE);
        network.ends(2);
        assertThat(shrunk).isNotDone();
        network.receive();
        assertThat(shrunk.join().least()).isEqualTo(-1);
        network.holdsNothing();
        CompletableFuture<Group.Shrunk> alone = shrunk.join().group().shrink(7, DEADLINE);
        network.ends(1);
        assertThat(alone.join().least()).isEqualTo(7);
        network.holdsNothing();
        // all memory, once it was used
        assertThat(network.released).hasSameSizeAs(network.allocated);
        // of the origin; the last one has no other member, and that in between is closed
        assertThat(network.listeners.get(1)).hasSize(1);
        group.close();
        assertThat(network.listeners).allMatch(List::isEmpty);
        assertThat(alone.join().group().toString()).contains("rank 0 of 1");
        assertThatThrownBy(alone.join().group()::barrier).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    /** The program has not got the group, and goes on as if there had been none. */
    @Test
    void thatIsCancelledAsAllHaveAgreed() {
        Network network = new Network(4);
        GroupImpl group = group(network);
        network.isCancelled = true;
        CompletableFuture<Group.Shrunk> cancelled = group.shrink(1, DEADLINE);
        network.ends(3);
        network.told.clear();
        // of three, this one gives what it has, and gets what came of it
        network.receive();
        assertThat(cancelled).isCancelled();
        assertThat(network.told).isNotEmpty().allMatch(word -> word.contains("its shrink has failed"));
        network.isCancelled = false;
        CompletableFuture<Group.Shrunk> second = group.shrink(1, DEADLINE);
        assertThat(second).isNotDone();
        network.ends(2);
        network.receive();
        assertThat(second.join().group().size()).isEqualTo(2);
    }

    /** One more had ended there before all had agreed. */
    @Test
    void whoseGroupAnotherMemberHasNotMade() {
        Network network = new Network(4);
        Registry registry = new Registry();
        GroupImpl group = group(network, registry);
        network.ends(3);
        CompletableFuture<Group.Shrunk> large = group.shrink(1, DEADLINE);
        network.receive();
        Group three = large.join().group();
        assertThat(three.size()).isEqualTo(3);
        registry.heard(new Failure(Tags.id("!left[0, 1, 2]"), 0, 1, 0, Errno.ECANCELED, "rank 2 is gone"),
                number -> { });
        CompletableFuture<Void> barrier = three.barrier();
        assertThat(barrier).isCompletedExceptionally();
        CompletableFuture<Group.Shrunk> shrunk = three.shrink(1, DEADLINE);
        assertThat(shrunk).isNotDone();
        network.ends(2);
        network.receive();
        assertThat(shrunk.join().group().size()).isEqualTo(2);
    }

    @Test
    void withoutWhomAnotherMemberHasLost() {
        Network network = new Network(5);
        Registry registry = new Registry();
        GroupImpl group = group(network, registry);
        network.ends(4);
        CompletableFuture<Group.Shrunk> shrunk = group.shrink(1, DEADLINE);
        assertThat(network.lost).containsExactly("1 [4]", "2 [4]", "3 [4]");
        network.lost.clear();
        registry.heard(lost(1, 3, 4));
        // also the lost one, which this member still hears from
        assertThat(network.lost).containsExactly("1 [3, 4]", "2 [3, 4]", "3 [3, 4]");
        assertThat(network.abandoned).contains(Tags.ofGroup(Tags.number(Tags.id("!left[0, 1, 2, 3]"))));
        // the word of one that is lost itself, or of nobody, or about nobody
        registry.heard(lost(3, 1));
        registry.heard(lost(5, 1));
        registry.heard(lost(-1, 1));
        registry.heard(lost(1, 5, -1, 1));
        registry.heard(new Lost(Tags.id(""), 1, 1, List.of(2)));
        // the second one of three is waited for
        network.receives.removeLast().ended(8, null);
        assertThat(shrunk.join().group().size()).isEqualTo(3);
        CompletableFuture<Group.Shrunk> next = shrunk.join().group().shrink(1, DEADLINE);
        assertThat(next).isNotDone();
        registry.heard(lost(2, 1));
        network.receives.removeLast().ended(8, null);
        assertThat(next.join().group().size()).isEqualTo(2);
    }

    /** Nobody has ended here. */
    @Test
    void whomAnotherMemberHasLostBefore() {
        Network network = new Network(3);
        Registry registry = new Registry();
        GroupImpl group = group(network, registry);
        registry.heard(lost(1, 2));
        CompletableFuture<Group.Shrunk> shrunk = group.shrink(1, DEADLINE);
        assertThat(network.told).contains("1 0 abort: it is shrunk, as rank 2 is gone: rank 1 of the group that was "
                + "shrunk first has lost it");
        network.receive();
        assertThat(shrunk.join().group().size()).isEqualTo(2);
    }

    /** In two words, and of a group that is the second of its name. */
    @Test
    void whomAnotherMemberHasLostBeforeItWasMade() {
        Network network = new Network(5);
        Registry registry = new Registry();
        GroupImpl first = group(network, registry);
        registry.heard(new Lost(Tags.id(""), 1, 1, List.of(2)));
        registry.heard(new Lost(Tags.id(""), 1, 1, List.of(3)));
        registry.heard(new Lost(Tags.id(""), 2, 1, List.of(4)));
        first.close();
        CompletableFuture<Group.Shrunk> shrunk = group(network, registry).shrink(1, DEADLINE);
        assertThat(network.lost).containsExactly("1 [2, 3]", "2 [2, 3]", "3 [2, 3]", "4 [2, 3]");
        network.receives.removeLast().ended(8, null);
        assertThat(shrunk.join().group().size()).isEqualTo(3);
    }

    @Test
    void ofWhomOneHasLostThisMember() {
        Network network = new Network(4);
        Registry registry = new Registry();
        GroupImpl group = group(network, registry);
        network.ends(3);
        CompletableFuture<Group.Shrunk> shrunk = group.shrink(1, NodeOptions.NO_DEADLINE);
        registry.heard(lost(2, 0));
        assertThat(shrunk.exceptionNow()).isInstanceOfSatisfying(FabricException.class,
                why -> assertThat(why.error()).isEqualTo(FabricError.ECONNRESET)).hasMessageContaining("rank 2");
        network.holdsNothing();
        assertThat(group.shrink(1, NodeOptions.NO_DEADLINE).exceptionNow()).hasMessageContaining("rank 2");
        group.close();
        registry.heard(lost(2, 1));
    }

    private static Lost lost(int by, Integer... ranks) {
        return new Lost(Tags.id(""), 0, by, List.of(ranks));
    }

    @Test
    void ofWhomOneHasGivenThisMemberUp() {
        Network network = new Network(3);
        network.isGivenUp = true;
        CompletableFuture<Group.Shrunk> shrunk = group(network).shrink(1, NodeOptions.NO_DEADLINE);
        assertThat(shrunk).isNotDone();
        network.ends(1);
        assertThat(shrunk.exceptionNow()).isInstanceOfSatisfying(FabricException.class,
                why -> assertThat(why.error()).isEqualTo(FabricError.ECONNRESET)).hasMessageContaining("rank 1");
        assertThat(network.allocated).isEmpty();
        network.holdsNothing();
    }

    @Test
    void whoseMessageMayStillArrive() {
        Network network = new Network(3);
        GroupImpl group = group(network);
        network.ends(2);
        CompletableFuture<Group.Shrunk> shrunk = group.shrink(1, DEADLINE);
        group.close();
        assertThat(shrunk.exceptionNow()).hasMessageContaining("the group was closed");
        assertThat(network.allocated).isNotEmpty();
        assertThat(network.released).isEmpty();
        network.letGo.forEach(Runnable::run);
        assertThat(network.released).hasSameSizeAs(network.allocated);
    }

    /** What a member says of others is from the network: it may name ranks that do not exist. */
    @Test
    void whoIsLostIsHeardFromThoseWhoAreNot() {
        Left left = new Left(new Core(new Network(4), new Registry(), "heard"));
        assertThat(left.hear(1, List.of(4, -1, 1))).isFalse();
        assertThat(left.hear(4, List.of(2))).isFalse();
        assertThat(left.hear(-1, List.of(2))).isFalse();
        assertThat(left.lost()).isEmpty();
        assertThat(left.hear(1, List.of(0))).isTrue();
        assertThat(left.hear(2, List.of(0))).as("news").isFalse();
        assertThat(left.hear(0, List.of(3))).as("it is lost itself").isFalse();
        assertThat(left.lost()).containsExactly(0);
        assertThat(left.whyNot(0)).contains("rank 1 ");
        assertThat(left.hear(2, List.of(0, 3))).isTrue();
        assertThat(left.lost()).containsExactly(0, 3);
    }
}
