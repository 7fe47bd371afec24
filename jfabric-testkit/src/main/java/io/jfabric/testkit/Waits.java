// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import io.jfabric.async.Node;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for what others do, or for what the condition itself drives. Each ends after {@link #DEADLINE}: the interrupt
 * by which JUnit ends a test says nothing to a loop that does not look at it.
 */
public final class Waits {
    /** For each wait. */
    public static final Duration DEADLINE = ChildJvm.DEADLINE;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private Waits() {
    }

    /** Looks once in a millisecond until the condition holds; fails after the deadline. */
    public static void until(String what, BooleanSupplier condition) {
        until(() -> what, DEADLINE, condition);
    }

    static void until(Supplier<String> what, Duration longest, BooleanSupplier condition) {
        spin(what, longest, () -> {
            if (condition.getAsBoolean()) {
                return true;
            }
            LockSupport.parkNanos(PAUSE);
            return false;
        });
    }

    /** For conditions that make progress: as {@link #until}, without pauses. */
    public static void spin(String what, BooleanSupplier condition) {
        spin(() -> what, DEADLINE, condition);
    }

    /** Also of nodes that leave progress to the caller. */
    static void done(Supplier<String> what, Duration longest, List<Node> nodes, CompletableFuture<?> future) {
        long end = System.nanoTime() + longest.toNanos();
        until(what, longest, () -> {
            // without a pause where one thing leads to another
            while (!future.isDone() && System.nanoTime() - end < 0
                    && nodes.stream().mapToInt(Node::progress).sum() > 0) {
                Thread.onSpinWait();
            }
            return future.isDone();
        });
    }

    static void spin(Supplier<String> what, Duration longest, BooleanSupplier condition) {
        long end = System.nanoTime() + longest.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(what.get() + ": not after " + longest);
            }
            Thread.onSpinWait();
        }
    }
}
