// SPDX-License-Identifier: Apache-2.0
package io.jfabric.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jfabric.Counter;
import io.jfabric.MessageRequest;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What a counter may be waited for: sockets would start at once what waits for more than 2^31 - 1. */
class ThresholdsTest {
    private static final long MOST = Integer.MAX_VALUE;

    private static Pair open() {
        Providers.SOCKETS.assumeOffered();
        return Pair.open(Providers.SOCKETS, h -> h.capabilities(Capability.MSG, Capability.TRIGGER));
    }

    @Test
    void thoseThatWouldStartAtOnceAreRefused() {
        try (Pair pair = open()) {
            Counter counter = pair.domain.openCounter();
            for (long threshold : new long[] {MOST + 1, 1L << 32, (1L << 32) + 1, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
                for (Runnable wrong : new Runnable[] {() -> Trigger.at(counter, threshold),
                    () -> Deferral.at(counter, threshold)}) {
                    assertThatIllegalArgumentException().isThrownBy(wrong::run)
                            .withMessageContaining("threshold " + Long.toUnsignedString(threshold))
                            .withMessageContaining("use 2147483647 at most");
                }
            }
        }
    }

    /** The provider would return at once, and be asked again. */
    @Test
    void whoWaitsForMoreRests() throws InterruptedException {
        try (Pair pair = open()) {
            Counter counter = pair.domain.openCounter();
            Thread waiter = Thread.ofPlatform().start(() -> counter.await(MOST + 1, Duration.ofSeconds(10)));
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            Waits.until("it has rested", () -> threads.getThreadInfo(waiter.threadId()).getWaitedCount() > 10);
            waiter.interrupt();
            waiter.join();
        }
    }

    @Test
    void workSetsNothingThatWouldLoseBits() {
        try (Pair pair = open()) {
            Counter counter = pair.domain.openCounter();
            Counter changed = pair.domain.openCounter();
            for (Runnable wrong : new Runnable[] {() -> Deferral.at(counter, 1).set(changed, MOST + 1),
                () -> Deferral.at(counter, 1).add(changed, 1L << 32)}) {
                assertThatIllegalArgumentException().isThrownBy(wrong::run).withMessageContaining("in 32 bits");
            }
        }
    }

    @Test
    void theLargestIsWaitedFor() {
        try (Pair pair = open()) {
            Counter counter = pair.domain.openCounter();
            MemorySegment in = pair.domain.openArena().allocate(8);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            MessageRequest send = pair.a.endpoint.messages().sendRequest().buffers(in.asSlice(0, 0)).peer(pair.a.peer);
            pair.post(() -> Trigger.at(counter, MOST).post(send, 2));
            LockSupport.parkNanos(20_000_000);
            pair.progress();
            assertThat(pair.b.done()).isEmpty();
            counter.set(MOST);
            pair.await(pair.a, 2);
            pair.await(pair.b, 1);
        }
    }
}
