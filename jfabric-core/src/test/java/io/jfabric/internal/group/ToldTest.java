// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.internal.ffi.Errno;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who fails tells the others, once; who is told ends what cannot be completed any more, and nothing else. */
class ToldTest {
    private static final long ID = Tags.id("");
    private static final int TAGS_COME_AGAIN = 4096;

    private final FakeTransport network = new FakeTransport(0, 3);
    private final Registry registry = new Registry();
    private final List<Integer> left = new ArrayList<>();

    private GroupImpl group() {
        return new GroupImpl(network, registry, "", Duration.ofSeconds(60));
    }

    private static Failure failure(int rank, int operation) {
        return failure(0, rank, operation);
    }

    private static Failure failure(int turn, int rank, int operation) {
        return new Failure(ID, turn, rank, operation, Errno.EIO, "no reason");
    }

    private static void isTold(CompletableFuture<Void> operation, String what) {
        assertThat(operation).isCompletedExceptionally();
        assertThat(operation.exceptionNow()).isInstanceOf(FabricException.class).hasMessageContaining(what);
    }

    /** The receives of the first operation come first. */
    private void complete(int receives) {
        List<Transport.Listener> all = List.copyOf(network.receives.subList(0, receives));
        all.forEach(one -> one.ended(1, null));
    }

    /** A program may complete a future with any number; 0 would make another word of it. */
    @Test
    void whatIsToldHasANumber() {
        for (int code : new int[] {0, Integer.MIN_VALUE}) {
            Failure told = Failure.of(ID, 0, 0, 0, "x", FabricException.of("x", code, "why"));
            assertThat(told.errno()).isEqualTo(Errno.ECANCELED);
        }
        assertThat(Failure.of(ID, 0, 0, 0, "x", FabricException.of("x", Errno.EIO, "why")).errno())
                .isEqualTo(Errno.EIO);
    }

    @Test
    void whatFailsEndsWhatFollowsAndTellsTheOthersOnce() {
        GroupImpl group = group();
        CompletableFuture<Void> first = group.barrier();
        CompletableFuture<Void> second = group.barrier();
        CompletableFuture<Void> third = group.barrier();
        second.cancel(false);
        assertThat(network.told).containsExactly("1 1 barrier: cancelled", "2 1 barrier: cancelled");
        assertThat(first).isNotDone();
        isTold(third, "operation 2 of the group has failed at rank 0: barrier: cancelled");
        first.completeExceptionally(new IllegalStateException("no"));
        assertThat(network.told.subList(2, network.told.size())).containsExactly("1 0 barrier: no", "2 0 barrier: no");
    }

    @Test
    void whatCannotSayWhyItHasFailedEndsAndIsTold() {
        GroupImpl group = group();
        group.barrier().completeExceptionally(new Mute());
        assertThat(network.letGo).as("its receive is over").hasSize(1);
        assertThat(network.told).containsExactly("1 0 barrier: " + Mute.class.getName(),
                "2 0 barrier: " + Mute.class.getName());
    }

    private static final class Mute extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("for this test");
        }
    }

    @Test
    void whoClosesTellsOfWhatThatHasEnded() {
        GroupImpl group = group();
        group.barrier();
        group.barrier();
        group.close();
        assertThat(network.told).containsExactly("1 0 barrier: the group was closed",
                "2 0 barrier: the group was closed");
    }

    @Test
    void whoIsDoneClosesInSilence() {
        GroupImpl group = group();
        CompletableFuture<Void> barrier = group.barrier();
        complete(1);
        complete(network.receives.size());
        assertThat(barrier).isCompleted();
        group.close();
        assertThat(network.told).isEmpty();
    }

    @Test
    void whoIsToldEndsWhatFollowsAndTellsNobody() {
        GroupImpl group = group();
        CompletableFuture<Void> first = group.barrier();
        CompletableFuture<Void> second = group.barrier();
        registry.heard(failure(2, 1), left::add);
        isTold(second, "barrier: FI_EIO (5)");
        isTold(second, "operation 2 of the group has failed at rank 2: no reason");
        assertThat(first).isNotDone();
        assertThat(network.told).isEmpty();
        isTold(group.barrier(), "barrier: FI_EIO (5)");
        registry.heard(failure(1, 0), left::add);
        isTold(first, "operation 1 of the group has failed at rank 1");
    }

    @Test
    void whoIsBehindDoesTheRestFirst() {
        GroupImpl group = group();
        registry.heard(failure(1, TAGS_COME_AGAIN), left::add);
        CompletableFuture<Void> first = group.barrier();
        assertThat(first).isNotDone();
        complete(1);
        complete(network.receives.size());
        assertThat(first).isCompleted();
        assertThat(IntStream.range(1, TAGS_COME_AGAIN).mapToObj(i -> group.broadcast(network.arena.allocate(1), 0)))
                .allMatch(broadcast -> broadcast.isDone() && !broadcast.isCompletedExceptionally());
        isTold(group.barrier(), "operation 4097 of the group has failed at rank 1");
    }

    @Test
    void aNameOfWhatHasFailedElsewhereIsSpent() {
        GroupImpl group = group();
        registry.heard(failure(1, 5), left::add);
        group.close();
        assertThatThrownBy(this::group).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("give the new one another name");
    }

    /** Who is done has made the next group of the name, which fails; others are not done. */
    @Test
    void whatIsToldOfTheNextGroupOfTheNameIsKeptForThat() {
        group().close();
        GroupImpl group = group();
        registry.heard(failure(3, 2, 0), left::add);
        registry.heard(failure(2, 1, 7), left::add);
        registry.heard(failure(2, 2, 0), left::add);
        CompletableFuture<Void> barrier = group.barrier();
        assertThat(barrier).isNotDone();
        complete(1);
        complete(network.receives.size());
        assertThat(barrier).isCompleted();
        group.close();
        isTold(group().barrier(), "operation 1 of the group has failed at rank 2: no reason");
    }

    /** It would be broken from the beginning, so nothing receives what has come. */
    @Test
    void onlyWhatNoGroupCanReceiveIsLeft() {
        registry.heard(failure(0, 1, 1), left::add);
        registry.heard(failure(1, 1, 0), left::add);
        assertThat(left).isEmpty();
        registry.heard(failure(0, 1, 0), left::add);
        assertThat(left).containsExactly(Tags.number(ID));
        left.clear();
        GroupImpl group = group();
        registry.heard(failure(0, 1, 0), left::add);
        group.close();
        registry.heard(failure(0, 1, 0), left::add);
        assertThat(left).as("that group leaves it").isEmpty();
    }

    /** Who has failed does not make another of that name. */
    @Test
    void whatIsToldOfOneThatIsClosedEndsTheNextOfTheName() {
        for (int i = 0; i < 300; i++) {
            group().close();
        }
        registry.heard(failure(299, 2, 5), left::add);
        isTold(group().barrier(), "operation 1 of the group has failed at rank 2: in an earlier group of this name: "
                + "no reason");
    }

    /** More than a byte counts. */
    @Test
    void whatIsToldOfAMuchLaterGroupOfTheNameIsKeptForThat() {
        for (int i = 0; i < 300; i++) {
            GroupImpl group = group();
            CompletableFuture<Void> barrier = group.barrier();
            registry.heard(failure(300, 2, 0), left::add);
            assertThat(barrier).isNotDone();
            complete(1);
            complete(network.receives.size());
            group.close();
            network.receives.clear();
        }
        isTold(group().barrier(), "operation 1 of the group has failed at rank 2: no reason");
    }

    @Test
    void orWhileTheNextIsOpen() {
        group().close();
        CompletableFuture<Void> barrier = group().barrier();
        registry.heard(failure(0, 2, 5), left::add);
        isTold(barrier, "at rank 2: in an earlier group of this name");
    }

    @Test
    void whoFailsInALaterGroupOfTheNameSaysWhich() {
        group().close();
        group().barrier().cancel(false);
        assertThat(network.turns).containsExactly(1, 1);
    }

    /** Its own messages first: what follows on the end of the other may wait for it. */
    @Test
    void whatFailsEndsBeforeWhatFollowsIt() {
        GroupImpl group = group();
        CompletableFuture<Void> first = group.barrier();
        CompletableFuture<Void> second = group.barrier();
        List<Boolean> firstWasDone = new ArrayList<>();
        second.whenComplete((done, why) -> firstWasDone.add(first.isDone()));
        group.close();
        assertThat(firstWasDone).containsExactly(true);
    }

    @Test
    void whatIsToldBeforeTheGroupIsMade() {
        registry.heard(failure(1, 1), left::add);
        registry.heard(failure(2, 0), left::add);
        registry.heard(failure(1, 2), left::add);
        isTold(group().barrier(), "operation 1 of the group has failed at rank 2");
    }

    @Test
    void whatIsToldOfOtherGroupsOrByNobodyIsNothing() {
        GroupImpl group = group();
        CompletableFuture<Void> barrier = group.barrier();
        registry.heard(new Failure(ID + 1, 0, 1, 0, Errno.EIO, ""), left::add);
        registry.heard(failure(0, 0), left::add);
        registry.heard(failure(3, 0), left::add);
        assertThat(barrier).isNotDone();
    }

    @Test
    void theOldestOfWhatNobodyHearsIsForgotten() {
        registry.heard(failure(1, 0), left::add);
        for (int i = 1; i <= Registry.MOST_EARLY; i++) {
            registry.heard(new Failure(ID + i, 0, 1, 0, Errno.EIO, ""), left::add);
        }
        assertThatThrownBy(this::group).as("its messages may come").isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("give the new one another name");
    }
}
