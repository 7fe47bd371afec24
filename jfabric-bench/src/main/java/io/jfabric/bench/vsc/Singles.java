// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.vsc;

import io.jfabric.info.Capability;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The first message and the first round trips, and the tail of many: a single thread with two endpoints; twin of
 * warmup.c.
 */
final class Singles implements AutoCloseable {
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 99.999};
    private static final long SLOWEST_NANOS = 10_000_000_000L;
    private static final int TAG = 7;
    private static final int BYTES = 8;

    private final OpenDomain domain;
    private final Side a;
    private final Side b;

    private Singles(Options options) {
        domain = new OpenDomain(options, Capability.TAGGED);
        a = new Side(domain, 64);
        b = new Side(domain, 64);
        a.other(b);
        b.other(a);
        a.connect(b.name());
        b.connect(a.name());
    }

    private static void message(Side from, Side to) {
        to.receive(BYTES, TAG);
        from.send(BYTES, TAG);
        from.awaitSent(from.sent + 1);
        to.awaitReceived(to.received + 1);
    }

    private void roundTrip() {
        message(a, b);
        message(b, a);
    }

    /** Time to the first message, then that of each of so many round trips: means of steps that become longer. */
    static void first(Options options) {
        for (Spec spec : options.specs()) {
            try (Singles pair = new Singles(options)) {
                long start = System.nanoTime();
                message(pair.a, pair.b);
                System.out.println("first " + (System.nanoTime() - start));
                System.out.flush();
                pair.curve(spec.iterations());
            }
        }
    }

    private void curve(long count) {
        StringBuilder lines = new StringBuilder();
        long next = 1;
        long step = 0;
        long sum = 0;
        long start = System.nanoTime();
        for (long i = 1; i <= count; i++) {
            long before = System.nanoTime();
            roundTrip();
            sum += System.nanoTime() - before;
            step++;
            if (i == next || i == count) {
                lines.append("curve ").append(i).append(' ').append((double) sum / step).append('\n');
                next = i + (i < 4 ? 1 : i / 4);
                step = 0;
                sum = 0;
            }
        }
        System.out.print(lines.append("total ").append(System.nanoTime() - start).append('\n'));
    }

    /** Every round trip in a histogram, beside a thread that makes so many megabytes of garbage a second. */
    static void tail(Options options) {
        if (options.garbage() > 0) {
            Thread.ofPlatform().daemon().name("neighbour").start(new Neighbour(options.garbage()));
        }
        for (Spec spec : options.specs()) {
            Histogram histogram = new Histogram(SLOWEST_NANOS, 3);
            try (Singles pair = new Singles(options)) {
                pair.rounds(spec.warmup(), histogram);
                histogram.reset();
                pair.rounds(spec.iterations(), histogram);
            }
            for (double percentile : PERCENTILES) {
                System.out.printf(Locale.ROOT, "percentile %s %d%n", percentile,
                        histogram.getValueAtPercentile(percentile));
            }
            System.out.println("percentile 100 " + histogram.getMaxValue());
        }
    }

    private void rounds(long count, Histogram histogram) {
        for (long i = 0; i < count; i++) {
            long start = System.nanoTime();
            roundTrip();
            histogram.recordValue(Math.min(SLOWEST_NANOS, System.nanoTime() - start));
        }
    }

    @Override
    public void close() {
        a.close();
        b.close();
        domain.close();
    }
}
