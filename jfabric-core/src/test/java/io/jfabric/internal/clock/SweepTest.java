// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Queue;
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

    /** There was no memory for the look: whoever comes next has one, before a look and after it. */
    @Test
    void aLookThatCouldNotBePlannedIsPlannedByTheNext() {
        AtomicBoolean fails = new AtomicBoolean(true);
        Queue<Runnable> planned = new ArrayDeque<>();
        AtomicInteger looks = new AtomicInteger();
        Sweep sweep = new Sweep((millis, action) -> {
            if (fails.get()) {
                throw new OutOfMemoryError("expected");
            }
            planned.add(action);
        }, 1, () -> looks.incrementAndGet() > 0);
        assertThatThrownBy(sweep::begin).isInstanceOf(OutOfMemoryError.class);
        fails.set(false);
        sweep.begin();
        assertThat(planned).hasSize(1);
        fails.set(true);
        assertThatThrownBy(() -> planned.remove().run()).isInstanceOf(OutOfMemoryError.class);
        fails.set(false);
        sweep.begin();
        assertThat(planned).hasSize(1);
        planned.remove().run();
        assertThat(looks).hasValue(2);
    }
}
