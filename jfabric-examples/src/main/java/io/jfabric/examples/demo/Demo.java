// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.demo;

import io.jfabric.Fabric;
import io.jfabric.FabricException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * What {@code scripts/demo} runs: two Java processes exchange messages over shared memory and over TCP. Messages of
 * each size are checked byte by byte; latency and bandwidth go into one table. The exit status is 0 if every
 * provider worked.
 */
public final class Demo {
    private static final List<String> PROVIDERS = List.of("shm", "tcp");
    private static final int[] SIZES = {8, 4 << 10, 64 << 10, 1 << 20};
    private static final long ROUND_NANOS = 150_000_000;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final long WARM_UP_NANOS = 1_500_000_000;
    private static final int ROUNDS = 5;
    private static final int DEADLINE_SECONDS = 120;

    private final Channel channel;
    private final Partner partner;

    private Demo(Channel channel, Partner partner) {
        this.channel = channel;
        this.partner = partner;
    }

    /**
     * Runs the demo.
     *
     * @param args none
     */
    public static void main(String[] args) {
        if (!Fabric.isAvailable()) {
            System.err.println(Fabric.unavailabilityCause().orElseThrow().getMessage());
            System.exit(1);
        }
        CompletableFuture.delayedExecutor(DEADLINE_SECONDS, TimeUnit.SECONDS).execute(() -> {
            System.err.println("not finished after " + DEADLINE_SECONDS + " s: giving up");
            System.exit(1);
        });
        System.out.println("libfabric " + Fabric.version() + " from " + Fabric.libraryPath());
        System.out.println("providers: " + Fabric.providers().stream()
                .map(provider -> provider.name()).distinct().collect(Collectors.joining(", ")));
        System.out.printf("%nNode to node, two processes: latency is half a round trip, bandwidth is with %d messages"
                + " under way.%nMedians of %d rounds.%n%n", Channel.WINDOW, ROUNDS);
        noteIfBusy();
        System.out.printf("%-12s%10s%14s%18s%n", "provider", "bytes", "latency us", "bandwidth MB/s");
        boolean complete = true;
        for (String provider : PROVIDERS) {
            complete &= measured(provider);
        }
        System.exit(complete ? 0 : 1);
    }

    // both processes poll: without a processor each, they wait for the scheduler rather than for messages
    private static void noteIfBusy() {
        int processors = Runtime.getRuntime().availableProcessors();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (processors - Math.max(load, 0) < 1) {
            System.out.printf(Locale.ROOT, "This machine is busy (load %.1f, %d processors): expect worse figures than"
                    + " it can do.%n%n", load, processors);
        }
    }

    private static boolean measured(String provider) {
        try (Channel channel = Channel.open(provider); Partner partner = new Partner(provider)) {
            channel.connect(partner.line());
            partner.tell(channel.address());
            Demo demo = new Demo(channel, partner);
            demo.check();
            demo.table();
            return true;
        } catch (IOException | IllegalStateException e) {
            System.err.println(provider + ": " + e.getMessage());
        } catch (FabricException e) {
            System.err.println(provider + " does not work here: " + e.getMessage());
        }
        return false;
    }

    /** What is measured is not looked at: that the bytes arrive is seen here. */
    private void check() throws IOException {
        for (int bytes : SIZES) {
            partner.tell(DemoPeer.CHECK, bytes, 1);
            for (String trouble : List.of(channel.ask(bytes), partner.line())) {
                if (!trouble.isEmpty()) {
                    throw new IOException(trouble);
                }
            }
        }
    }

    private void table() {
        warmUp();
        for (int bytes : SIZES) {
            double latency = median(DemoPeer.LATENCY, bytes) / 2 / 1000;
            double bandwidth = bytes * 1000.0 * Channel.WINDOW / median(DemoPeer.BANDWIDTH, bytes);
            System.out.printf(Locale.ROOT, "%-12s%10d%14.2f%18.1f%n", channel.provider(), bytes, latency, bandwidth);
        }
    }

    // both compilers of the JVM, on both sides
    private void warmUp() {
        for (String test : List.of(DemoPeer.LATENCY, DemoPeer.BANDWIDTH)) {
            long end = System.nanoTime() + WARM_UP_NANOS / 2;
            while (System.nanoTime() < end) {
                round(test, SIZES[0], 500);
                round(test, SIZES[1], 100);
                // two processes that never sleep leave the compilers no processor of a small machine
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Nanoseconds per round trip, or per window. */
    private double median(String test, int bytes) {
        int count = 10;
        for (long nanos = round(test, bytes, count); nanos < ROUND_NANOS; nanos = round(test, bytes, count)) {
            count = (int) Math.clamp(count * (double) ROUND_NANOS * 1.1 / nanos, count * 1.1 + 1, count * 100.0);
        }
        double[] each = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            each[i] = (double) round(test, bytes, count) / count;
        }
        Arrays.sort(each);
        return each[ROUNDS / 2];
    }

    private long round(String test, int bytes, int count) {
        partner.tell(test, bytes, count);
        long start = System.nanoTime();
        if (test.equals(DemoPeer.LATENCY)) {
            channel.ping(bytes, count);
        } else {
            channel.stream(bytes, count);
        }
        return System.nanoTime() - start;
    }
}
