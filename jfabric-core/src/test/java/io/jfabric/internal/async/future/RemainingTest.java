// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.future;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testing.Threads;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a thread keeps of what was over together, while what follows on the first of it waits. */
@Timeout(60)
class RemainingTest {
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final CountDownLatch second = new CountDownLatch(1);

    private void completeTwo(Runnable follows) {
        Completing.runAll(List.of(() -> {
            threads.add(Thread.currentThread());
            follows.run();
        }, () -> {
            threads.add(Thread.currentThread());
            second.countDown();
        }));
    }

    /** It computes for long in between. */
    @Test
    void shortWaitsAreNoLongOne() {
        completeTwo(() -> {
            for (int i = 0; i < 4; i++) {
                assertThat(Remaining.waits()).isTrue();
                sleep(10);
            }
        });
        assertThat(threads).hasSize(2).containsOnly(Thread.currentThread());
        assertThat(Remaining.waits()).isFalse();
    }

    @Test
    void aLongWaitHandsOver() {
        completeTwo(() -> {
            while (Remaining.waits()) {
                sleep(1);
            }
            Threads.await(second);
        });
        assertThat(threads).hasSize(2).doesNotHaveDuplicates();
    }

    /** The rest of what was found last is told before the rest of what was found first, as in one thread. */
    @Test
    void theInnermostGoesOnFirst() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        CountDownLatch all = new CountDownLatch(2);
        Completing.runAll(List.of(() -> Completing.runAll(List.of(() -> {
            Remaining.handOver();
            Threads.await(all);
        }, () -> {
            order.add("inner");
            all.countDown();
        })), () -> {
            order.add("outer");
            all.countDown();
        }));
        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(order).containsExactly("inner", "outer");
    }

    /** What is handed from one thread to the next is not wrapped each time: the stack would not do for it. */
    @Test
    void eachOfManyMayHandOverTheOthers() throws Exception {
        CountDownLatch done = new CountDownLatch(20_000);
        Runnable waits = () -> {
            Remaining.handOver();
            done.countDown();
        };
        Completing.runAll(Collections.nCopies((int) done.getCount(), waits));
        assertThat(done.await(30, TimeUnit.SECONDS)).as("%d are left", done.getCount()).isTrue();
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
