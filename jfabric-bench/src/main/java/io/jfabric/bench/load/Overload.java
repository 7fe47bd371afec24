// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.load;

import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.Node;
import io.jfabric.async.OverloadException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;

/** More calls than can be: some are answered in bounded time, the others are refused at once. */
final class Overload {
    private static final int BYTES = 64;
    private static final int UNDER_WAY = 1000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long CAPACITY_NANOS = 5_000_000_000L;
    private static final long PAUSE = 50_000;

    private final Node node;
    private final byte[] address;
    private final Duration time;
    private final int percent;
    private final LongAdder answered = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicReference<Throwable> firstRefusal = new AtomicReference<>();
    private final AtomicReference<Throwable> firstFailure = new AtomicReference<>();
    private final ConcurrentHistogram sinceDue = new ConcurrentHistogram(2 * PATIENCE.toNanos(), 3);
    /** Differs where this process does not keep up with making calls. */
    private final ConcurrentHistogram sinceCall = new ConcurrentHistogram(2 * PATIENCE.toNanos(), 3);

    private final ConcurrentHistogram untilRefused = new ConcurrentHistogram(2 * PATIENCE.toNanos(), 3);

    Overload(Node node, byte[] address, Duration time, int percent) {
        this.node = node;
        this.address = address;
        this.time = time;
        this.percent = percent;
    }

    boolean run() {
        // as many wait as are under way: what a call waits for is bounded by twice what a full window takes
        CallerOptions options = CallerOptions.DEFAULT.withWindow(UNDER_WAY).withBacklog(UNDER_WAY)
                .withDeadline(PATIENCE);
        try (Caller caller = Caller.open(node.peer(address), LoadServer.SERVICE, options)) {
            keepUnderWay(caller);
            double capacity = Math.max(keepUnderWay(caller), keepUnderWay(caller));
            if (failed.sum() > 0) {
                System.out.println(String.format(Locale.ROOT, "what is possible is not known: failed %,d",
                        failed.sum()));
                firstFailure.get().printStackTrace();
                return false;
            }
            System.out.println(String.format(Locale.ROOT, "possible, with %,d under way: %,.0f calls a second",
                    UNDER_WAY, capacity));
            long offered = offer(caller, capacity * percent / 100);
            System.out.println(String.format(Locale.ROOT, "%d %% of that for %d s: offered %,d, answered %,d, refused "
                    + "%,d (%.1f %%), failed %d", percent, time.toSeconds(), offered, answered.sum(), refused.sum(),
                    100.0 * refused.sum() / offered, failed.sum()));
            System.out.println(String.format(Locale.ROOT, "answered: %,.0f calls a second, %.0f %% of what is possible",
                    answered.sum() / (double) time.toSeconds(), 100 * answered.sum() / (time.toSeconds() * capacity)));
            System.out.println("from when a call was due to its answer, " + Load.text(sinceDue));
            System.out.println("from when it was made to its answer, " + Load.text(sinceCall));
            System.out.println("from when a call was due to its refusal, " + Load.text(untilRefused));
            System.out.println("a refusal: " + firstRefusal.get());
            if (firstFailure.get() != null) {
                firstFailure.get().printStackTrace();
            }
            return failed.sum() == 0 && answered.sum() + refused.sum() == offered;
        }
    }

    /** This thread makes a call whenever there is room, as it makes them in {@link #offer}; how many in a second. */
    private double keepUnderWay(Caller caller) {
        Semaphore room = new Semaphore(UNDER_WAY);
        long made = 0;
        long start = System.nanoTime();
        while (failed.sum() == 0 && System.nanoTime() - start < CAPACITY_NANOS) {
            room.acquireUninterruptibly();
            caller.call(new byte[BYTES]).whenComplete((answer, failure) -> {
                if (failure != null) {
                    // none may be refused either: fewer are under way than may be
                    failed(failure);
                }
                room.release();
            });
            made++;
        }
        room.acquireUninterruptibly(UNDER_WAY);
        return made * 1e9 / (System.nanoTime() - start);
    }

    private long offer(Caller caller, double rate) {
        long start = System.nanoTime();
        long offered = 0;
        for (long now = start; now - start < time.toNanos(); now = System.nanoTime()) {
            long due = (long) ((now - start) / 1e9 * rate);
            while (offered < due) {
                long when = start + (long) (offered * 1e9 / rate);
                offered++;
                long called = System.nanoTime();
                caller.call(new byte[BYTES]).whenComplete((answer, failure) -> ended(when, called, failure));
            }
            LockSupport.parkNanos(PAUSE);
        }
        long end = System.nanoTime() + 2 * PATIENCE.toNanos();
        while (answered.sum() + refused.sum() + failed.sum() < offered && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        return offered;
    }

    private void ended(long when, long called, Throwable failure) {
        if (failure == null) {
            long now = System.nanoTime();
            sinceDue.recordValue(Math.min(now - when, 2 * PATIENCE.toNanos()));
            sinceCall.recordValue(Math.min(now - called, 2 * PATIENCE.toNanos()));
            answered.increment();
        } else if (failure instanceof OverloadException) {
            refused.increment();
            untilRefused.recordValue(Math.min(System.nanoTime() - when, 2 * PATIENCE.toNanos()));
            firstRefusal.compareAndSet(null, failure);
        } else {
            failed(failure);
        }
    }

    private void failed(Throwable failure) {
        failed.increment();
        firstFailure.compareAndSet(null, failure);
    }
}
