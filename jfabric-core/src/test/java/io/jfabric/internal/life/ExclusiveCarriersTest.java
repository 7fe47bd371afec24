// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import io.jfabric.testing.OneCarrier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Virtual threads that take turns. */
class ExclusiveCarriersTest {
    /** In a JVM with a single carrier, which the one inside loses to those that wait. */
    private static final int WAITERS = 100;

    @Test
    @Timeout(60)
    void whoIsInsideGetsACarrierAgain() {
        OneCarrier.run(ExclusiveCarriersTest.class, "all were inside");
    }

    public static void main(String[] args) throws InterruptedException {
        Exclusive exclusive = new Exclusive();
        // so that no virtual thread is the first, which has a way of its own
        exclusive.enter();
        exclusive.leave();
        Object monitor = new Object();
        Thread inside;
        List<Thread> wait = new ArrayList<>();
        synchronized (monitor) {
            inside = Thread.startVirtualThread(() -> {
                exclusive.enter();
                synchronized (monitor) {
                    exclusive.leave();
                }
            });
            while (inside.getState() != Thread.State.BLOCKED) {
                Thread.sleep(1);
            }
            for (int i = 0; i < WAITERS; i++) {
                wait.add(Thread.startVirtualThread(() -> {
                    exclusive.enter();
                    exclusive.leave();
                }));
            }
            // they spin, then yield
            Thread.sleep(100);
        }
        boolean ended = inside.join(Duration.ofSeconds(20));
        for (Thread each : wait) {
            ended = ended && each.join(Duration.ofSeconds(20));
        }
        System.out.println(ended ? "all were inside" : "they wait for each other");
        System.exit(ended ? 0 : 1);
    }
}
