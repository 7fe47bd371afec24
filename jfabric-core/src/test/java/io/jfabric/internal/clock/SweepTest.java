// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is looked at by the clock. */
@Timeout(60)
class SweepTest {
    private static void await(Semaphore looks, int count) throws InterruptedException {
        assertThat(looks.tryAcquire(count, 20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void looksAsLongAsThereIsSomething() throws InterruptedException {
        Semaphore looks = new Semaphore(0);
        AtomicInteger left = new AtomicInteger(3);
        Sweep sweep = new Sweep(1, () -> {
            looks.release();
            return left.decrementAndGet() > 0;
        });
        sweep.begin();
        await(looks, 3);
        Thread.sleep(50);
        assertThat(looks.availablePermits()).isZero();
        sweep.begin();
        await(looks, 1);
    }

    @Test
    void whatComesDuringALookIsNotForgotten() throws InterruptedException {
        Semaphore looks = new Semaphore(0);
        AtomicBoolean first = new AtomicBoolean(true);
        Sweep[] sweep = new Sweep[1];
        sweep[0] = new Sweep(1, () -> {
            looks.release();
            if (first.getAndSet(false)) {
                sweep[0].begin();
            }
            return false;
        });
        sweep[0].begin();
        await(looks, 2);
    }

    @Test
    void aFailureIsNotTheEnd() throws InterruptedException {
        Semaphore looks = new Semaphore(0);
        AtomicInteger count = new AtomicInteger();
        new Sweep(1, () -> {
            looks.release();
            if (count.incrementAndGet() < 3) {
                throw new IllegalStateException("expected, look " + count);
            }
            return false;
        }).begin();
        await(looks, 3);
    }
}
