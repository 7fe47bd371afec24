// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Endpoint;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.clock.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A receive that was used up for something else than a message, and what becomes of it. */
@Timeout(60)
class UsedUpTest {
    private final Flow flow = new Flow(NodeOptions.DEFAULT.withReceiveLimit(1));
    private final Lane lane = flow.receiveLane();
    private final Throwable unwanted = new IllegalStateException("not wanted any more");

    @Test
    void oneThatIsNotWantedAnyMoreIsOver() {
        Posted receive = new Posted(lane);
        flow.submit(receive);
        receive.givenUp = unwanted;
        assertThat(flow.usedUp(receive.context)).isSameAs(receive);
        assertThat(receive.finishIfSettled()).isTrue();
        assertThat(receive.exceptionNow()).isSameAs(unwanted);
        assertThat(receive.posts).as("it would take a message").isOne();
        assertThat(flow.underWay() + flow.waiting()).isZero();
    }

    @Test
    void oneThatIsGivenUpWhileItIsPostedAgainIsCancelled() {
        Posted receive = new Posted(lane);
        flow.submit(receive);
        receive.meanwhile = () -> receive.givenUp = unwanted;
        assertThat(flow.usedUp(receive.context)).isNull();
        assertThat(receive.posts).isEqualTo(2);
        assertThat(receive.cancels).isOne();
    }

    @Test
    void itGoesBehindThoseThatWait() {
        Posted first = new Posted(lane);
        Posted second = new Posted(lane);
        flow.submit(first);
        flow.submit(second);
        assertThat(second.isPosted()).isFalse();
        assertThat(flow.usedUp(first.context)).isNull();
        assertThat(flow.drain(new Done())).isOne();
        assertThat(second.isPosted()).isTrue();
        assertThat(first.posts).isOne();
        assertThat(flow.release(second.context)).isSameAs(second);
        assertThat(flow.drain(new Done())).isOne();
        assertThat(first.posts).isEqualTo(2);
    }

    /** Nobody would give it up any more. */
    @Test
    void itIsOverWhereTheNodeIsClosed() {
        Posted receive = new Posted(lane);
        flow.submit(receive);
        flow.close();
        assertThat(flow.usedUp(receive.context)).isSameAs(receive);
        assertThat(receive.finishIfSettled()).isTrue();
        assertThat(receive.exceptionNow()).hasMessageContaining("the node was closed");
        assertThat(receive.posts).isOne();
        assertThat(flow.underWay() + flow.waiting()).isZero();
    }

    /** By another thread, after it was found in its slot: whoever polls does not wait for it. */
    @Test
    void oneThatHasEndedMeanwhileIsLeftAlone() {
        Posted receive = new Posted(lane);
        flow.submit(receive);
        assertThat(receive.claimEnd()).isTrue();
        assertThat(CompletableFuture.supplyAsync(() -> Optional.ofNullable(flow.usedUp(receive.context))))
                .succeedsWithin(20, TimeUnit.SECONDS).isEqualTo(Optional.empty());
        assertThat(receive.posts).isOne();
    }

    /** The provider takes it each time. */
    private static final class Posted extends FlowTest.Refused {
        private int posts;
        private int cancels;

        Posted(Lane lane) {
            super(lane, Clock.NEVER);
        }

        @Override
        protected boolean post() {
            posts++;
            super.post();
            return true;
        }

        /** Asked for when it is cancelled. */
        @Override
        public Endpoint endpoint() {
            cancels++;
            throw FabricException.of("fi_cancel", FabricError.ENOENT.code(), null);
        }
    }
}
