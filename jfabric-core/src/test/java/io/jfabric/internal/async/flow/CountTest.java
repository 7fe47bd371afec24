// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.Completion;
import io.jfabric.async.NodeOptions;
import io.jfabric.internal.clock.Clock;
import org.junit.jupiter.api.Test;

/** The bytes of an operation are counted when its future is done, whichever thread completes that. */
class CountTest {
    private static final class Counted extends FlowTest.Refused {
        private boolean wasSettled;

        Counted(Lane lane) {
            super(lane, Clock.NEVER);
        }

        @Override
        public void count(Moved moved, Completion completion) {
            wasSettled = finishIfSettled();
            moved.sent(5);
        }
    }

    @Test
    void nobodyMayCompleteItBefore() {
        Moved moved = new Moved();
        Counted operation = new Counted(new Flow(NodeOptions.DEFAULT).transmitLane());
        operation.succeeded(null, moved);
        assertThat(operation.wasSettled).isFalse();
        assertThat(moved.sent()).isEqualTo(5);
        assertThat(operation.finishIfSettled()).isTrue();
        assertThat(operation).isDone();
    }
}
