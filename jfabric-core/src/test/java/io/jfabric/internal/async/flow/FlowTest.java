// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Completion;
import io.jfabric.Endpoint;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.OverloadException;
import io.jfabric.internal.async.future.Progress;
import io.jfabric.internal.clock.Clock;
import io.jfabric.testkit.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for a provider that is busy. */
@Timeout(60)
class FlowTest {
    /** The one is putting the lane into the list when the other comes. */
    @Test
    void aDeadlineIsNotForgottenWhileItsLaneIsListed() throws Exception {
        Lanes lanes = new Lanes();
        Flow flow = new Flow(NodeOptions.DEFAULT, lanes);
        Lane lane = flow.transmitLane();
        long deadline = Clock.after(1_000_000_000_000L);
        Thread[] other = new Thread[1];
        lanes.meanwhile = () -> {
            other[0] = atTheSameTime(() -> flow.submit(new Refused(lane, deadline)));
            flow.late(Clock.now(), new Done(), operation -> { });
        };
        flow.submit(new Refused(lane, Clock.NEVER));
        other[0].join();
        assertThat(flow.waiting()).isEqualTo(2);
        assertThat(flow.earliest()).isEqualTo(deadline);
        assertThat(lanes).hasSize(1);
    }

    /** There was no memory to put it back into the list. */
    @Test
    void aLaneIsNotLostWhereTheListFails() {
        AtomicBoolean fails = new AtomicBoolean();
        Flow flow = new Flow(NodeOptions.DEFAULT, new ConcurrentLinkedQueue<>() {
            @Override
            public boolean add(Lane lane) {
                if (fails.getAndSet(false)) {
                    throw new OutOfMemoryError("expected");
                }
                return super.add(lane);
            }
        });
        Lane lane = flow.transmitLane();
        flow.submit(new Refused(lane, Clock.NEVER));
        fails.set(true);
        assertThatThrownBy(() -> flow.drain(new Done())).isInstanceOf(OutOfMemoryError.class);
        assertThat(flow.isWaiting()).isTrue();
        assertThat(flow.drain(new Done())).isZero();
        assertThat(flow.isWaiting()).isTrue();
        fails.set(true);
        assertThatThrownBy(() -> flow.drain(new Done())).isInstanceOf(OutOfMemoryError.class);
        Done done = new Done();
        flow.failWaiting(done);
        assertThat(done.isEmpty()).isFalse();
        assertThat(flow.isWaiting()).isFalse();
    }

    /** The peer ends while another thread is about to start what waits for it: that must not wait for ever after. */
    @Test
    void whatIsBeingStartedDoesNotOutliveItsLane() throws Exception {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Lane lane = flow.transmitLane();
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        flow.submit(new Refused(lane, Clock.NEVER));
        flow.submit(new Refused(lane, Clock.NEVER));
        Refused first = (Refused) lane.first();
        lane.keep(first);
        first.meanwhile = () -> {
            starting.countDown();
            // until the end has begun, and it is not over before this; more than long enough for one that does not wait
            ended.await(500, TimeUnit.MILLISECONDS);
        };
        Done done = new Done();
        Thread drains = Thread.ofPlatform().start(() -> flow.drain(new Done()));
        starting.await();
        flow.fail(lane, done, operation -> new IllegalStateException("over"));
        ended.countDown();
        assertThat(lane.waiting()).isZero();
        assertThat(flow.waiting()).isZero();
        drains.join();
        assertThat(flow.drain(new Done())).isZero();
        assertThat(flow.isWaiting()).isFalse();
        int failed = 0;
        for (Operation<?> operation = done.take(); operation != null; operation = operation.next) {
            failed++;
        }
        assertThat(failed).isEqualTo(2);
    }

    /** What is being started then waits again, as the provider is busy: it is dropped with the others. */
    @Test
    void whatIsBeingStartedIsDroppedWithTheOthers() throws Exception {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Lane lane = flow.transmitLane();
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch dropping = new CountDownLatch(1);
        Refused first = new Refused(lane, Clock.NEVER);
        flow.submit(first);
        first.meanwhile = () -> {
            starting.countDown();
            dropping.await(500, TimeUnit.MILLISECONDS);
        };
        Thread drains = Thread.ofPlatform().start(() -> flow.drain(new Done()));
        starting.await();
        lane.drop(operation -> operation == first, new IllegalStateException("over"));
        dropping.countDown();
        drains.join();
        assertThat(lane.waiting()).isZero();
        assertThat(flow.waiting()).isZero();
        assertThat(first).isCompletedExceptionally();
    }

    /** There is no more stack to say what has failed: its future is done nevertheless. */
    @Test
    void whatCannotBeNamedEnds() {
        Refused overflows = new Refused(new Flow(NodeOptions.DEFAULT).transmitLane(), Clock.NEVER) {
            @Override
            protected void finishValue(Void result) {
                throw new StackOverflowError("expected");
            }

            @Override
            public String what() {
                throw new StackOverflowError("expected, too");
            }
        };
        Done.finish(overflows);
        assertThat(overflows).isCompletedExceptionally();
    }

    /** One below, at and one above what may wait, of the one that fills it, and of others. */
    @Test
    void whoFillsTheBacklogLeavesRoomForOthers() {
        for (int backlog : new int[] {0, 7, 8, 80, 512, 4_096}) {
            int reserve = backlog / 8;
            Flow flow = new Flow(NodeOptions.DEFAULT.withBacklog(backlog));
            assertThat(taken(flow, flow.transmitLane(), backlog + reserve + 1)).isEqualTo(backlog);
            int left = reserve;
            while (left > 0) {
                int share = Math.min(left, Math.min(64, reserve));
                assertThat(taken(flow, flow.transmitLane(), reserve + 1)).as("backlog %d", backlog).isEqualTo(share);
                left -= share;
            }
            assertThat(taken(flow, flow.transmitLane(), 1)).isZero();
            assertThat(flow.waiting()).isEqualTo(backlog + reserve);
            assertThat(taken(flow, flow.firstTransmitLane(), 3)).isEqualTo(3);
        }
    }

    /** As where many members of a group are told of a failure, and take nothing. */
    @Test
    void whatMembersAreToldLeavesPlacesForBeats() {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        List<Taken> words = new ArrayList<>();
        for (int i = 0; i < 2 * Flow.FIRST; i++) {
            words.add(new Taken(flow.wordsLane(), Clock.NEVER));
            flow.submit(words.getLast());
        }
        assertThat(words.stream().filter(Operation::isPosted).count()).isEqualTo(Flow.FIRST);
        for (int i = 0; i < Flow.FIRST; i++) {
            Taken beat = new Taken(flow.firstTransmitLane(), Clock.NEVER);
            flow.submit(beat);
            assertThat(beat.isPosted()).as("beat %d", i).isTrue();
        }
        flow.release(words.getFirst().context);
        assertThat(flow.drain(new Done())).isEqualTo(1);
    }

    /** How many of so many are not refused. */
    private static int taken(Flow flow, Lane lane, int count) {
        int taken = 0;
        for (int i = 0; i < count; i++) {
            Refused one = new Refused(lane, Clock.NEVER);
            flow.submit(one);
            if (!one.isDone()) {
                taken++;
            } else {
                assertThat(one.exceptionNow()).isInstanceOf(OverloadException.class);
            }
        }
        return taken;
    }

    /** Whoever sweeps has gone through the lanes when the first of this one lists it. */
    @Test
    void whatComesWhileItsLaneIsListedEndsWithTheNode() throws Exception {
        Lanes lanes = new Lanes();
        Flow flow = new Flow(NodeOptions.DEFAULT, lanes);
        Lane lane = flow.transmitLane();
        Refused second = new Refused(lane, Clock.NEVER);
        Thread[] other = new Thread[1];
        lanes.meanwhile = () -> {
            other[0] = atTheSameTime(() -> flow.submit(second));
            flow.close();
            flow.failAll(new Done());
        };
        Refused first = new Refused(lane, Clock.NEVER);
        flow.submit(first);
        other[0].join();
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedExceptionally();
        assertThat(flow.waiting()).isZero();
    }

    /** It has begun, and goes on, or waits for a lock, when this returns. */
    private static Thread atTheSameTime(Runnable action) {
        Thread thread = Thread.ofPlatform().start(action);
        Waits.spin("it waits, or has ended",
                () -> thread.getState() != Thread.State.NEW && thread.getState() != Thread.State.RUNNABLE);
        return thread;
    }

    /** The provider has it, but it is the lane's first still when somebody ends all that waits there. */
    @Test
    void whatWasStartedIsInItsLaneUntilItIsOut() throws Exception {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Lane lane = flow.transmitLane();
        for (int i = 0; i < 3; i++) {
            flow.submit(new Refused(lane, Clock.NEVER));
        }
        Operation<?> first = lane.first();
        assertThat(first.change(Operation.STARTING, Operation.POSTED)).isTrue();
        Thread closes = Thread.ofPlatform().start(lane::close);
        closes.join(100);
        assertThat(closes.isAlive()).isTrue();
        lane.started(first);
        closes.join(10_000);
        assertThat(closes.isAlive()).isFalse();
        assertThat(lane.waiting()).isEqualTo(2);
    }

    /** Whose end takes a while, as somebody else completes it. */
    @Test
    void whatIsAbandonedIsToldOnce() throws Exception {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Taken taken = new Taken(flow.transmitLane(), Clock.after(0));
        flow.submit(taken);
        AtomicInteger told = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            flow.late(Clock.now(), new Done(), operation -> told.incrementAndGet());
            Thread.sleep(1);
        }
        assertThat(told).hasValue(1);
        assertThat(flow.earliest()).isEqualTo(Clock.NEVER);
    }

    /** Each takes long with some providers, and nothing else happens meanwhile. */
    @Test
    void whatIsLateIsCancelledAFewAtATime() {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        List<Taken> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(new Taken(flow.transmitLane(), Clock.after(0)));
            flow.submit(all.getLast());
        }
        long before = 0;
        for (int polls = 0; before < all.size(); polls++) {
            assertThat(polls).isLessThan(all.size());
            assertThat(flow.earliest()).as("the next look").isLessThanOrEqualTo(Clock.after(10_000_000));
            flow.late(Clock.now(), new Done(), operation -> { });
            long cancelled = all.stream().filter(operation -> operation.givenUp != null).count();
            assertThat(cancelled - before).isBetween(1L, 20L);
            before = cancelled;
        }
    }

    /** There was no memory for it. */
    @Test
    void whatCouldNotBeToldIsToldAgain() throws Exception {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        flow.submit(new Taken(flow.transmitLane(), Clock.after(0)));
        AtomicInteger told = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            try {
                flow.late(Clock.now(), new Done(), operation -> {
                    if (told.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("for this test");
                    }
                });
            } catch (OutOfMemoryError first) {
                assertThat(flow.earliest()).isNotEqualTo(Clock.NEVER);
            }
            Thread.sleep(1);
        }
        assertThat(told).hasValue(2);
    }

    /** The message is there, and found by another thread, before who has posted its receive can note that it has. */
    @Test
    void whatIsPostedAgainIsNotOverBeforeItIsPosted() throws Exception {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Again again = new Again(flow.internalReceiveLane());
        AtomicReference<Operation<?>> found = new AtomicReference<>();
        Thread[] finds = new Thread[1];
        again.meanwhile = () -> {
            finds[0] = Thread.ofPlatform().start(() -> found.set(flow.succeeded(again.context)));
            finds[0].join(200);
            assertThat(found).hasNullValue();
        };
        flow.submit(again);
        finds[0].join();
        assertThat(found).hasValue(again);
        assertThat(again.isPosted()).isTrue();
    }

    /** The last message is still being handled, with its buffer. */
    @Test
    void whatIsPostedAgainDoesNotEndBetweenTwoMessages() {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Again again = new Again(flow.internalReceiveLane());
        flow.submit(again);
        assertThat(flow.succeeded(again.context)).isSameAs(again);
        assertThat(again.claimEnd()).isTrue();
        Done done = new Done();
        flow.failAll(done);
        assertThat(done.isEmpty()).isTrue();
        assertThat(flow.underWay()).isZero();
    }

    /** Memory of another thread, for one: who polls cannot post it again. */
    @Test
    void whatIsUsedUpAndCannotBePostedAgainIsOver() {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        for (Throwable refusal : List.of(new WrongThreadException(), new StackOverflowError())) {
            Once once = new Once(flow.receiveLane(), refusal);
            flow.submit(once);
            assertThat(once.isPosted()).isTrue();
            assertThat(flow.usedUp(once.context)).isSameAs(once);
            assertThat(once.finishIfSettled()).isTrue();
            assertThat(once.exceptionNow()).isSameAs(refusal);
            assertThat(flow.underWay() + flow.waiting()).isZero();
        }
    }

    /** The node could not be closed, and nobody polls any more: another thread gives the provider some meanwhile. */
    @Test
    void whatIsPostedAfterTheNodeWasAbandonedEnds() {
        Flow flow = new Flow(NodeOptions.DEFAULT.withPeerLimit(1));
        Lane lane = flow.transmitLane();
        List<Taken> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(new Taken(lane, Clock.NEVER));
            flow.submit(all.getLast());
        }
        flow.abandonPosted(Operation::endAsGivenUp);
        flow.release(all.getFirst().context);
        assertThat(flow.drain(new Done())).isOne();
        all.add(new Taken(flow.transmitLane(), Clock.NEVER));
        flow.submit(all.getLast());
        assertThat(all).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    /** Does something when the first is added. */
    private static final class Lanes extends ConcurrentLinkedQueue<Lane> {
        private static final long serialVersionUID = 1L;
        private transient Runnable meanwhile;

        @Override
        public boolean add(Lane lane) {
            Runnable first = meanwhile;
            meanwhile = null;
            if (first != null) {
                first.run();
            }
            return super.add(lane);
        }
    }

    /** One that no provider takes. */
    static class Refused extends Operation<Void> {
        protected Meanwhile meanwhile = () -> { };

        Refused(Lane lane, long deadline) {
            this(null, lane, deadline);
        }

        Refused(Progress progress, Lane lane, long deadline) {
            super(progress, lane, null, deadline);
        }

        @Override
        public Endpoint endpoint() {
            return null;
        }

        @Override
        protected boolean post() {
            try {
                meanwhile.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return false;
        }

        @Override
        public String what() {
            return "nothing";
        }

        @Override
        public void count(Moved moved, Completion completion) {
            // nothing moves
        }

        @Override
        protected Void result(Completion completion) {
            return null;
        }
    }

    /** One that is taken, as often as it is posted. */
    private static final class Again extends Refused {
        Again(Lane lane) {
            super(lane, Clock.NEVER);
        }

        @Override
        protected boolean isPostedAgain() {
            return true;
        }

        @Override
        protected boolean post() {
            super.post();
            return true;
        }
    }

    /** One that is taken the first time. */
    private static final class Once extends Refused {
        private final Throwable afterwards;
        private boolean was;

        Once(Lane lane, Throwable afterwards) {
            super(lane, Clock.NEVER);
            this.afterwards = afterwards;
        }

        @Override
        protected boolean post() {
            if (was && afterwards instanceof Error error) {
                throw error;
            }
            if (was) {
                throw (RuntimeException) afterwards;
            }
            was = true;
            return true;
        }
    }

    /** One that is taken, and cannot be cancelled. */
    private static final class Taken extends Refused {
        Taken(Lane lane, long deadline) {
            super(lane, deadline);
        }

        @Override
        public Endpoint endpoint() {
            throw FabricException.of("fi_cancel", FabricError.ENOSYS.code(), null);
        }

        @Override
        protected boolean post() {
            return true;
        }
    }

    /** What happens while the provider is asked. */
    interface Meanwhile {
        void run() throws InterruptedException;
    }
}
