// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Waits for other threads where an interrupt is a failure of the test. */
public final class Threads {
    private Threads() {
    }

    /** For the programs of tests: whatever ends one of their threads would only be printed. */
    public static void deathEndsTheJvm() {
        Thread.setDefaultUncaughtExceptionHandler((thread, why) -> {
            System.out.println("the end of " + thread);
            why.printStackTrace(System.out);
            System.out.flush();
            Runtime.getRuntime().halt(3);
        });
    }

    /** What a thread does. */
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    /** Starts a thread; the first of those that fail leaves its failure there. */
    public static Thread start(AtomicReference<Throwable> failure, Work work) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        });
    }

    /** Waits for at most 30 seconds. */
    public static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Until it sleeps, or waits for another thread. */
    public static void awaitWaiting(Thread thread) {
        until(thread, () -> Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.BLOCKED)
                .contains(thread.getState()));
    }

    /** Until one of these methods is on its stack, which may well be a native call; returns its name. */
    public static String awaitInside(Thread thread, String... methods) {
        AtomicReference<String> found = new AtomicReference<>();
        until(thread, () -> {
            Stream.of(thread.getStackTrace()).map(StackTraceElement::getMethodName)
                    .filter(List.of(methods)::contains).findFirst().ifPresent(found::set);
            return found.get() != null;
        });
        return found.get();
    }

    private static void until(Thread thread, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean()) {
            assertThat(thread.isAlive()).as("%s has not ended", thread).isTrue();
            assertThat(System.nanoTime() - end).as("%s: %s", thread, thread.getState()).isNegative();
            Thread.onSpinWait();
        }
    }

    /** Waits for its end. */
    public static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
