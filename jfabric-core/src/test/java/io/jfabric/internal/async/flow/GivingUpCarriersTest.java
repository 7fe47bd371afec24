// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.flow;

import io.jfabric.async.NodeOptions;
import io.jfabric.internal.clock.Clock;
import io.jfabric.testing.OneCarrier;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One virtual thread has lost its carrier while it starts an operation, which another one gives up meanwhile. */
class GivingUpCarriersTest {
    @Test
    @Timeout(60)
    void whoStartsItGetsACarrierAgain() {
        OneCarrier.run(GivingUpCarriersTest.class, "both have ended");
    }

    public static void main(String[] args) throws InterruptedException {
        Flow flow = new Flow(NodeOptions.DEFAULT);
        FlowTest.Refused operation = new FlowTest.Refused(flow.transmitLane(), Clock.NEVER);
        flow.submit(operation);
        Object monitor = new Object();
        operation.meanwhile = () -> {
            synchronized (monitor) {
                operation.meanwhile = () -> { };
            }
        };
        Thread starts;
        Thread givesUp;
        synchronized (monitor) {
            starts = Thread.startVirtualThread(() -> flow.drain(new Done()));
            while (starts.getState() != Thread.State.BLOCKED) {
                Thread.sleep(1);
            }
            givesUp = Thread.startVirtualThread(() -> operation.cancel(true));
            // it waits for the other one
            Thread.sleep(100);
        }
        boolean ended = starts.join(Duration.ofSeconds(20)) && givesUp.join(Duration.ofSeconds(20));
        System.out.println(ended ? "both have ended" : "they wait for each other");
        System.exit(ended ? 0 : 1);
    }
}
