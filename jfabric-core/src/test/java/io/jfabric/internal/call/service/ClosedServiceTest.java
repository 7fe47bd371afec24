// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No handler begins after its service was closed: what it uses may be closed, too. */
@Timeout(60)
class ClosedServiceTest {
    private static final int LONG = 100_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** The executor comes to it late. */
    @ParameterizedTest
    @MethodSource("providers")
    void callsThatWaitForTheExecutor(Providers.Choice choice) throws Exception {
        AtomicInteger handled = new AtomicInteger();
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints)) {
            Service service = Service.open(b, 5, call -> handled.incrementAndGet(),
                    ServiceOptions.DEFAULT.withExecutor(tasks::add));
            try (CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
                caller.says(Frame.CALL, 1, 0, Frame.NO_DEADLINE, 0);
                Runnable task = tasks.poll(20, TimeUnit.SECONDS);
                service.close();
                task.run();
                assertThat(handled).hasValue(0);
                assertThat(service.underWay()).isZero();
            }
        }
    }

    /** The request comes when the service was closed. */
    @ParameterizedTest
    @MethodSource("providers")
    void longRequests(Providers.Choice choice) throws Exception {
        AtomicInteger handled = new AtomicInteger();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints)) {
            Service service = Service.open(b, 5, call -> handled.incrementAndGet(),
                    ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
            try (CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
                MemorySegment request = a.allocate(LONG);
                caller.says(Frame.CALL_LARGE, 1, LONG, Frame.NO_DEADLINE, 0);
                CallerByHand.Said go = caller.hears();
                assertThat(go.type()).isEqualTo(Frame.GO);
                service.close();
                // it is received nevertheless
                caller.sends(request, go.more()).get(20, TimeUnit.SECONDS);
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (service.underWay() > 0 && System.nanoTime() - end < 0) {
                    LockSupport.parkNanos(1_000_000);
                }
                assertThat(service.underWay()).isZero();
                assertThat(handled).hasValue(0);
            }
        }
    }
}
