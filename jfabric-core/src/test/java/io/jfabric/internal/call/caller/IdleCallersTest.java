// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.jfabric.async.CallHandler;
import io.jfabric.async.Caller;
import io.jfabric.async.Service;
import io.jfabric.internal.clock.Ticks;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What callers without calls cost. */
@Timeout(60)
class IdleCallersTest {
    private static final int CALLERS = 20;

    @BeforeEach
    void offered() {
        assumeTrue(Providers.SHM.isOffered());
    }

    private static long ticks() throws ReflectiveOperationException {
        Field clock = Ticks.class.getDeclaredField("THREAD");
        clock.setAccessible(true);
        return ((ThreadPoolExecutor) clock.get(null)).getCompletedTaskCount();
    }

    /** The clock serves everybody, and there may be thousands of them. A call is still quick to find its service. */
    @Test
    void theClockOnlySaysTheirHellos() throws Exception {
        try (NodePair nodes = NodePair.open(Providers.SHM)) {
            Caller[] callers = new Caller[CALLERS];
            for (int i = 0; i < CALLERS; i++) {
                callers[i] = Caller.open(nodes.toB, 1);
            }
            long before = ticks();
            Thread.sleep(1000);
            // with a look every 10 ms it is 100 each
            assertThat(ticks() - before).isLessThan(25 * CALLERS);
            try (Service service = Service.open(nodes.b, 1, CallHandler.of(bytes -> bytes))) {
                assertThat(callers[0].call(new byte[3]).get(20, TimeUnit.SECONDS)).hasSize(3);
                assertThat(service.callers()).isPositive();
            }
        }
    }

    /** Most need only a few of the slots of their window. */
    @Test
    void oneTakesLittleMemory() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (NodePair nodes = NodePair.open(Providers.SHM); Caller first = Caller.open(nodes.toB, 1)) {
            long before = threads.getCurrentThreadAllocatedBytes();
            try (Caller second = Caller.open(nodes.toB, 1)) {
                assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 << 10);
                assertThat(first.isOpen() && second.isOpen()).isTrue();
            }
        }
    }
}
