// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Endpoint;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.internal.async.future.Progress;
import io.jfabric.internal.clock.Clock;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A receive that was given up, and of which the provider says nothing. */
@Timeout(60)
class HeldReceiveTest {
    private final List<Operation<?>> abandoned = new ArrayList<>();

    private void late(Flow flow) {
        flow.late(Clock.now(), new Done(), abandoned::add);
    }

    /** Who cancels it waits for a lock of the provider's, or has lost its processor. */
    @Test
    void itIsHeldFromTheBeginning() throws Exception {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Receive receive = new Receive(flow, Clock.after(0), FabricError.ENOENT);
        receive.meanwhile = () -> {
            for (int i = 0; i < 4; i++) {
                late(flow);
                // longer than for other operations
                Thread.sleep(10);
            }
        };
        flow.submit(receive);
        assertThat(receive.cancel(true)).isFalse();
        assertThat(receive).isNotDone();
        assertThat(abandoned).isEmpty();
    }

    @Test
    void itIsNotWhereItCannotBeCancelled() {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Receive cancelled = new Receive(flow, Clock.NEVER, FabricError.ENOSYS);
        flow.submit(cancelled);
        assertThat(cancelled.cancel(true)).isTrue();
        Receive late = new Receive(flow, Clock.after(0), FabricError.ENOSYS);
        flow.submit(late);
        Waits.until("it is over soon", () -> {
            late(flow);
            return !abandoned.isEmpty();
        });
        late.endAsGivenUp();
        assertThat(late.exceptionNow()).hasMessageContaining("cannot cancel");
    }

    @Test
    void itsEndComesWhateverTheNodesDeadlineIs() {
        Flow flow = new Flow(NodeOptions.DEFAULT.withDeadline(NodeOptions.NO_DEADLINE));
        assertThat(flow.patience()).isEqualTo(NodeOptions.DEFAULT.deadline().toNanos());
    }

    @Test
    void itsEndIsNotPastWithTheLongestDeadline() {
        Flow flow = new Flow(NodeOptions.DEFAULT.withDeadline(Duration.ofNanos(Long.MAX_VALUE - 1)));
        Receive receive = new Receive(flow, Clock.NEVER, FabricError.ENOENT);
        flow.submit(receive);
        assertThat(receive.cancel(true)).isFalse();
        assertThat(receive.endOfHold()).isEqualTo(Clock.NEVER);
    }

    /** The provider has merely never answered: nobody knows of a message. */
    @Test
    void whatIsSaidAtItsEndIsTrue() {
        Flow flow = new Flow(NodeOptions.DEFAULT.withDeadline(Duration.ofMillis(1)));
        Receive late = new Receive(flow, Clock.after(0), FabricError.ENOENT);
        flow.submit(late);
        untilAbandoned(flow, late);
        assertThat(late.exceptionNow()).hasMessageContaining("the deadline has passed")
                .hasMessageContaining("may have begun to arrive");
    }

    @Test
    void theProgramsExceptionStays() {
        Flow flow = new Flow(NodeOptions.DEFAULT.withDeadline(Duration.ofMillis(1)));
        Receive receive = new Receive(flow, Clock.NEVER, FabricError.ENOENT);
        flow.submit(receive);
        FabricException why = FabricException.of("the program", FabricError.EIO.code(), "wants no more");
        assertThat(receive.completeExceptionally(why)).isFalse();
        untilAbandoned(flow, receive);
        assertThat(receive.exceptionNow()).isSameAs(why);
    }

    /** It had no deadline, and nothing else may ever happen. */
    @Test
    void theEndOfItsHoldIsNoted() {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Receive receive = new Receive(flow, Clock.NEVER, FabricError.ENOENT);
        flow.submit(receive);
        assertThat(receive.cancel(true)).isFalse();
        assertThat(receive.nobody.noted).isEqualTo(receive.heldUntil).isNotZero();
    }

    /** What waits for its end by the clock makes the progress that this takes: there may be nobody else. */
    @Test
    void whoHasSetATimerWaits() throws Exception {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Receive receive = new Receive(flow, Clock.NEVER, FabricError.ENOENT);
        CountDownLatch awaited = new CountDownLatch(1);
        receive.nobody.awaited = future -> {
            assertThat(future).isSameAs(receive);
            awaited.countDown();
        };
        flow.submit(receive);
        receive.orTimeout(1, TimeUnit.MILLISECONDS);
        assertThat(awaited.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private void untilAbandoned(Flow flow, Receive receive) {
        Waits.until("its time is over", () -> {
            late(flow);
            return !abandoned.isEmpty();
        });
        receive.endAsGivenUp();
    }

    /** Which the provider has, and never speaks of. */
    private static final class Receive extends FlowTest.Refused {
        private final FabricError answer;
        private final Nobody nobody;

        Receive(Flow flow, long deadline, FabricError answer) {
            this(flow, deadline, answer, new Nobody());
        }

        private Receive(Flow flow, long deadline, FabricError answer, Nobody nobody) {
            super(nobody, flow.receiveLane(), deadline);
            this.answer = answer;
            this.nobody = nobody;
        }

        @Override
        protected boolean takesMessages() {
            return true;
        }

        @Override
        protected boolean post() {
            return true;
        }

        /** Asked for when it is cancelled. */
        @Override
        public Endpoint endpoint() {
            super.post();
            throw FabricException.of("fi_cancel", answer.code(), null);
        }
    }

    /** Finds nothing. */
    private static final class Nobody implements Progress {
        private Consumer<CompletableFuture<?>> awaited = future -> { };
        private long noted;

        @Override
        public int poll() {
            return 0;
        }

        @Override
        public void pollOnce(long end) {
            // nothing is there
        }

        @Override
        public void note(long deadline) {
            noted = deadline;
        }

        @Override
        public void catchUp(long end) {
            // nothing is there
        }

        @Override
        public void await(CompletableFuture<?> future, long end, boolean interruptible) {
            assertThat(end).isNotEqualTo(Clock.NEVER);
            awaited.accept(future);
        }

        @Override
        public Completing completing() {
            return new Completing(NodeOptions.DIRECT);
        }
    }
}
