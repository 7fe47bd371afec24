// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.NodeOptions;
import io.jfabric.internal.clock.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several operations wait in a lane, and one of them is late. */
@Timeout(60)
class NextDeadlineTest {
    @Test
    void thatOfTheOthersIsNotForgotten() {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        Lane lane = flow.transmitLane();
        long later = Clock.after(1_000_000_000_000L);
        flow.submit(new FlowTest.Refused(lane, Clock.after(0)));
        flow.submit(new FlowTest.Refused(lane, later));
        flow.late(Clock.now(), new Done(), operation -> { });
        assertThat(flow.waiting()).isOne();
        assertThat(flow.earliest()).isEqualTo(later);
    }
}
