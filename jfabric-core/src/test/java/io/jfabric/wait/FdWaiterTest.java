// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.EventQueue;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting with poll(2), which writes to the waiter's memory at the end. */
@Timeout(30)
class FdWaiterTest {
    private final AtomicReference<WeakReference<FdWaiter>> latest = new AtomicReference<>();

    private int await(int fd, Duration timeout) {
        FdWaiter waiter = FdWaiter.of(fd);
        latest.set(new WeakReference<>(waiter));
        return waiter.await(timeout);
    }

    /** The collector takes what compiled code needs no more, also while that code is in a native call. */
    @Test
    void aWaiterThatNobodyKeepsIsThereUntilTheEndOfItsWait() throws InterruptedException {
        try (Pair pair = Pair.open(Providers.SHM);
                EventQueue events = pair.fabric.openEventQueue(
                        EventQueueAttributes.DEFAULT.withWaitObject(WaitObject.FD))) {
            int fd = events.fileDescriptor();
            assertThat(pair.fabric.tryWait(events)).isTrue();
            for (int i = 0; i < 30_000; i++) {
                await(fd, Duration.ZERO);
            }
            WeakReference<FdWaiter> before = latest.get();
            Thread waits = Thread.ofPlatform().start(() -> await(fd, Duration.ofSeconds(20)));
            Waits.spin("the thread waits", () -> latest.get() != before);
            Threads.awaitInside(waits, "poll");
            for (int i = 0; i < 5; i++) {
                System.gc();
                assertThat(latest.get().refersTo(null)).as("freed while the kernel has its address").isFalse();
            }
            events.write(7, 0, 0);
            waits.join();
        }
    }
}
