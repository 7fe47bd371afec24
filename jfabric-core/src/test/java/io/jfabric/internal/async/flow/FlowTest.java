// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Completion;
import io.jfabric.Endpoint;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.clock.Clock;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for a provider that is busy. */
@Timeout(60)
class FlowTest {
    /** The one has put itself into the lane, but not yet the lane into the list, when the other comes. */
    @Test
    void aDeadlineIsNotForgottenBeforeItsLaneIsListed() {
        Lanes lanes = new Lanes();
        Flow flow = new Flow(NodeOptions.DEFAULT, lanes);
        Lane lane = flow.transmitLane();
        long deadline = Clock.after(1_000_000_000_000L);
        lanes.meanwhile = () -> {
            flow.submit(new Refused(lane, deadline));
            assertThat(flow.earliest()).isEqualTo(deadline);
            flow.late(Clock.now(), new Done(), operation -> { });
        };
        flow.submit(new Refused(lane, Clock.NEVER));
        assertThat(flow.waiting()).isEqualTo(2);
        assertThat(flow.earliest()).isEqualTo(deadline);
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
    private static final class Refused extends Operation<Void> {
        Refused(Lane lane, long deadline) {
            super(null, lane, null, deadline);
        }

        @Override
        public Endpoint endpoint() {
            return null;
        }

        @Override
        protected boolean post() {
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
}
