// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.testing.OneCarrier;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Virtual and platform threads that a closer keeps out for a while. */
class KeptOutCarriersTest {
    /** In a JVM whose only carrier others keep. */
    @Test
    @Timeout(60)
    void oneWithoutACarrierKeepsOthersFromNothing() {
        OneCarrier.run(KeptOutCarriersTest.class, "was inside");
    }

    private static void enter(SharedEntry entry) {
        if (entry.enter() != 0) {
            entry.leave();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        SharedEntry entry = new SharedEntry(1, true);
        entry.park(Thread.currentThread());
        CountDownLatch begun = new CountDownLatch(1);
        Thread.startVirtualThread(() -> {
            begun.countDown();
            enter(entry);
        });
        begun.await();
        Thread.sleep(100);
        Thread platform = Thread.ofPlatform().start(() -> enter(entry));
        Thread.sleep(100);
        Thread.startVirtualThread(() -> {
            while (true) {
                Thread.onSpinWait();
            }
        });
        Thread.sleep(100);
        entry.unpark();
        boolean ended = platform.join(Duration.ofSeconds(20));
        System.out.println(ended ? "it was inside" : "it waits for one that has no carrier");
        System.exit(ended ? 0 : 1);
    }
}
