// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.ffi.Seconds;
import java.time.Duration;
import java.util.Objects;

/**
 * What a thread that makes progress does when there is nothing to do. Immutable. The thread first spins, then yields,
 * then sleeps, each time longer; as soon as something happens, it starts from the beginning.
 */
public final class IdleStrategy {
    /** Longer than any program. */
    private static final Duration ALWAYS = Duration.ofDays(36_500);

    private final Duration spin;
    private final Duration yield;
    private final Duration shortestSleep;
    private final Duration longestSleep;
    private final boolean blocking;

    private IdleStrategy(Duration spin, Duration yield, Duration shortestSleep, Duration longestSleep,
            boolean blocking) {
        check("spin", spin);
        check("yield", yield);
        check("shortestSleep", shortestSleep);
        check("longestSleep", longestSleep);
        if (shortestSleep.isZero() || longestSleep.compareTo(shortestSleep) < 0) {
            throw new IllegalArgumentException("shortestSleep " + Seconds.text(shortestSleep) + " must be more than 0, "
                    + "and longestSleep " + Seconds.text(longestSleep) + " not less than it");
        }
        this.spin = spin;
        this.yield = yield;
        this.shortestSleep = shortestSleep;
        this.longestSleep = longestSleep;
        this.blocking = blocking;
    }

    private static void check(String what, Duration value) {
        Objects.requireNonNull(value, what);
        if (value.isNegative() || value.compareTo(ALWAYS) > 0) {
            throw new IllegalArgumentException(what + ": " + Seconds.text(value) + " is not between 0 and 100 years");
        }
    }

    /**
     * Polls forever: the lowest latency, and a CPU that is always busy. Not with fewer free CPUs than nodes that do so:
     * each would wait milliseconds for its turn. A virtual thread that has found nothing for a millisecond pauses
     * some 100 us between two looks: others need its carrier.
     *
     * @return the strategy
     */
    public static IdleStrategy busy() {
        return new IdleStrategy(ALWAYS, Duration.ZERO, Duration.ofNanos(1), Duration.ofNanos(1), false);
    }

    /**
     * Polls forever, but lets other threads have the CPU in between. Virtual threads: as {@link #busy}.
     *
     * @return the strategy
     */
    public static IdleStrategy yielding() {
        return new IdleStrategy(Duration.ofNanos(50_000), ALWAYS, Duration.ofNanos(1), Duration.ofNanos(1), false);
    }

    /**
     * Polls for 50 microseconds, yields for 50, then sleeps for 50 microseconds to one millisecond between polls.
     *
     * @return the strategy
     */
    public static IdleStrategy backingOff() {
        return asleep().withBlocking(false);
    }

    /**
     * As {@link #backingOff()}, but blocks where the provider has a file descriptor to block on (tcp and verbs do,
     * shm does not). The default of nodes.
     *
     * @return the strategy
     */
    public static IdleStrategy asleep() {
        return new IdleStrategy(Duration.ofNanos(50_000), Duration.ofNanos(50_000), Duration.ofNanos(50_000),
                Duration.ofMillis(1), true);
    }

    /**
     * Changes how long it polls without a pause, which is also how long a platform thread that waits for a future polls
     * by itself before it lets the engine do so.
     *
     * @param duration how long, 0 to 100 years
     * @return a new strategy
     */
    public IdleStrategy withSpin(Duration duration) {
        return new IdleStrategy(duration, yield, shortestSleep, longestSleep, blocking);
    }

    /**
     * Changes how long it then polls with {@link Thread#yield()} in between.
     *
     * @param duration how long, 0 to 100 years
     * @return a new strategy
     */
    public IdleStrategy withYield(Duration duration) {
        return new IdleStrategy(spin, duration, shortestSleep, longestSleep, blocking);
    }

    /**
     * Changes how long it then sleeps between polls, each time twice as long as before.
     *
     * @param shortest the first sleep, more than 0
     * @param longest the longest sleep: at least {@code shortest}, at most 100 years
     * @return a new strategy
     */
    public IdleStrategy withSleep(Duration shortest, Duration longest) {
        return new IdleStrategy(spin, yield, shortest, longest, blocking);
    }

    /**
     * Changes whether it blocks on the file descriptors of the completion queues, where all of the nodes have one,
     * instead of sleeping and polling: costs no CPU, and is over with the next completion.
     *
     * @param onDescriptors true to block on descriptors
     * @return a new strategy
     */
    public IdleStrategy withBlocking(boolean onDescriptors) {
        return new IdleStrategy(spin, yield, shortestSleep, longestSleep, onDescriptors);
    }

    /** {@return how long it polls without a pause, 0 to 100 years} */
    public Duration spin() {
        return spin;
    }

    /** {@return how long it then polls with {@link Thread#yield()} in between, 0 to 100 years} */
    public Duration yield() {
        return yield;
    }

    /** {@return its first sleep, more than 0} */
    public Duration shortestSleep() {
        return shortestSleep;
    }

    /** {@return its longest, not less than the first, up to 100 years; each is twice as long as the one before} */
    public Duration longestSleep() {
        return longestSleep;
    }

    /** {@return whether it then blocks on the file descriptors of the completion queues} */
    public boolean blocking() {
        return blocking;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdleStrategy a && a.spin.equals(spin) && a.yield.equals(yield)
                && a.shortestSleep.equals(shortestSleep) && a.longestSleep.equals(longestSleep)
                && a.blocking == blocking;
    }

    @Override
    public int hashCode() {
        return Objects.hash(spin, yield, shortestSleep, longestSleep, blocking);
    }

    @Override
    public String toString() {
        return "IdleStrategy[spin=" + spin + ", yield=" + yield + ", shortestSleep=" + shortestSleep
                + ", longestSleep=" + longestSleep + ", blocking=" + blocking + "]";
    }
}
