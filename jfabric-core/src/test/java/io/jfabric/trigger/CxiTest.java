// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.bindings.fi_ops;
import io.jfabric.bindings.fid;
import io.jfabric.info.FabricInfo;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.info.FabricInfoImpl;
import io.jfabric.internal.queue.CounterImpl;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.trigger.DeferralImpl;
import io.jfabric.option.CounterAttributes;
import io.jfabric.testing.FailingCalls;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What jfabric does for cxi, whose hardware is not here: with sockets under that name. */
@Timeout(90)
class CxiTest {
    @BeforeEach
    void offered() {
        Providers.SOCKETS.assumeOffered();
    }

    /** A domain as if it were of cxi; to be closed before the other. */
    private static DomainState named(Pair pair) {
        try (FabricInfo info = pair.info.duplicate()) {
            info.fabric().providerName("cxi");
            return new DomainState((DomainImpl) pair.domain, ((FabricInfoImpl) info).kept("domain"));
        }
    }

    private static CounterImpl open(DomainState domain) {
        return CounterImpl.open(domain, CounterAttributes.DEFAULT, null);
    }

    /** Waits for a counter, and sees whether it rests between two looks. */
    public static final class Waiter {
        public static void main(String[] args) throws InterruptedException {
            try (Pair pair = Pair.open(Providers.SOCKETS)) {
                DomainState domain = named(pair);
                CounterImpl counter = open(domain);
                Thread waiter = Thread.ofPlatform().daemon().start(() -> counter.await(1, Duration.ofSeconds(60)));
                ThreadMXBean threads = ManagementFactory.getThreadMXBean();
                Waits.until("it polls", () -> threads.getThreadInfo(waiter.threadId()).getWaitedCount() > 10);
                waiter.interrupt();
                waiter.join();
                counter.close();
                domain.close();
            }
        }
    }

    /** In a JVM of its own: once rxd has had a counter, all waits of the process poll. */
    @Test
    void countersWaitByPolling() {
        ChildJvm.Result result = ChildJvm.of(Waiter.class).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @Test
    void workIsNotFlushedForOneCounter() {
        FailingCalls control = new FailingCalls(0);
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            DomainState domain = named(pair);
            control.function(domain.object().fid(), fid.ops$offset(), fi_ops.control$offset(), JAVA_INT,
                    JAVA_LONG, JAVA_INT, JAVA_LONG);
            CounterImpl counter = open(domain);
            control.next(1);
            assertThatThrownBy(() -> Deferral.flush(counter)).isInstanceOfSatisfying(FabricException.class,
                    e -> assertThat(e.error()).isEqualTo(FabricError.ENOSYS)).hasMessageContaining("use flushAll()");
            assertThat(control.failed()).as("asked").isZero();
            DeferralImpl.flushAll(domain);
            assertThat(control.failed()).isOne();
            counter.close();
            domain.close();
        }
    }
}
