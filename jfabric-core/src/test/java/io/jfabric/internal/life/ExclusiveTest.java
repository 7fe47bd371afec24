// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExclusiveTest {
    private static final int HANDOVERS = 300;
    private static final int CALLS = 20_000;

    private final AtomicInteger wrong = new AtomicInteger();
    /** Not volatile: what keeps it right is what is tested. */
    private long count;
    private volatile int inside;

    private void call(Exclusive exclusive) {
        exclusive.enter();
        if (inside != 0) {
            wrong.incrementAndGet();
        }
        inside = 1;
        count++;
        if (inside != 1) {
            wrong.incrementAndGet();
        }
        inside = 0;
        exclusive.leave();
    }

    /** The first is alone for a while, then others come in the middle of its calls. */
    @Test
    void oneAtATimeWhoeverComes() throws Exception {
        for (int i = 0; i < HANDOVERS; i++) {
            Exclusive exclusive = new Exclusive();
            count = 0;
            CountDownLatch warm = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            threads.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < CALLS; n++) {
                    call(exclusive);
                    if (n == CALLS / 10) {
                        warm.countDown();
                    }
                }
            }));
            warm.await();
            for (int other = 0; other < 2; other++) {
                Thread.Builder kind = other == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
                threads.add(kind.start(() -> {
                    for (int n = 0; n < 100; n++) {
                        call(exclusive);
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wrong).hasValue(0);
            assertThat(count).isEqualTo(CALLS + 200);
        }
    }
}
