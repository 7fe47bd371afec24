// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.bench.Compilers;
import io.jfabric.bench.vsc.Control;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The work: messages there and back, and windows of messages one way. The client says how many, and measures. */
final class PingPong {
    private static final int ACKNOWLEDGEMENT = Long.BYTES;
    private static final int COMMAND_BYTES = 3 * Integer.BYTES;
    private static final int END = 0;
    private static final int ROUND_TRIPS = 1;
    private static final int WINDOWS = 2;
    private static final int WARM_UP = 3;
    private static final long SLOWEST_NANOS = 10_000_000_000L;
    private static final int DIGITS = 3;
    private static final int FIRST_BATCH = 16;
    private static final int LARGE = 1 << 16;
    private static final int BATCHES = 16;
    private static final int PAUSE_MILLIS = 40;
    /** How many times as long as asked for it goes on warming up where the compilers are not done. */
    static final int LONGER = 10;

    private final Control control;
    private final Link link;
    private final Compilers compilers = new Compilers();
    private final Histogram histogram = new Histogram(SLOWEST_NANOS, DIGITS);
    private boolean serverCompiles = true;

    PingPong(Control control, Link link) {
        this.control = control;
        this.link = link;
    }

    void measure(int bytes, long warmupNanos, long measureNanos) throws Exception {
        int count = warmUp(ROUND_TRIPS, bytes, warmupNanos, measureNanos);
        histogram.reset();
        run(ROUND_TRIPS, bytes, count);
        System.out.printf(Locale.ROOT, "latency %d %d %d %d %d %d %d%n", bytes, count, at(50), at(90), at(99), at(99.9),
                histogram.getMaxValue());
        int windows = warmUp(WINDOWS, bytes, warmupNanos, measureNanos);
        long nanos = run(WINDOWS, bytes, windows);
        System.out.printf(Locale.ROOT, "rate %d %.0f%n", bytes, (double) windows * Link.WINDOW / nanos * 1e9);
    }

    void end() throws IOException {
        command(END, 0, 0);
    }

    private long at(double percentile) {
        return histogram.getValueAtPercentile(percentile);
    }

    /**
     * At least as long as asked for, and until neither process has much to compile. Returns how many repetitions take
     * as long as is to be measured, going by the fastest ones.
     */
    private int warmUp(int kind, int bytes, long warmupNanos, long measureNanos) throws Exception {
        long end = System.nanoTime() + warmupNanos;
        compilers.begin();
        command(WARM_UP, bytes, 0);
        // 16 windows of 1 MiB would be a gigabyte
        int count = bytes > LARGE ? 1 : FIRST_BATCH;
        double each = Double.MAX_VALUE;
        do {
            long nanos = run(kind, bytes, count);
            each = Math.min(each, (double) nanos / count);
            if (nanos < warmupNanos / BATCHES) {
                count *= 2;
            }
            // two processes that never sleep leave a compiler no processor of a small machine
            Thread.sleep(PAUSE_MILLIS);
        } while (System.nanoTime() < end
                || (compilers.areBusy() | serverCompiles) && System.nanoTime() - end < LONGER * warmupNanos);
        return (int) Math.clamp(measureNanos / each, 1, Integer.MAX_VALUE);
    }

    private long run(int kind, int bytes, int count) throws Exception {
        command(kind, bytes, count);
        control.barrier();
        long start = System.nanoTime();
        if (kind == ROUND_TRIPS) {
            ping(bytes, count);
        } else {
            sendWindows(bytes, count);
        }
        long nanos = System.nanoTime() - start;
        serverCompiles = control.receive(1)[0] != 0;
        return nanos;
    }

    private void ping(int bytes, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            link.send(bytes);
            link.expect(bytes, 1);
            link.flush();
            link.await();
            histogram.recordValue(System.nanoTime() - start);
        }
    }

    private void sendWindows(int bytes, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            for (int w = 0; w < Link.WINDOW; w++) {
                link.send(bytes);
            }
            link.expect(ACKNOWLEDGEMENT, link.answersEach() ? Link.WINDOW : 1);
            link.flush();
            link.await();
        }
    }

    /** The server: does what the client commands, until it has had enough. */
    void serve() throws Exception {
        while (true) {
            ByteBuffer command = ByteBuffer.wrap(control.receive(COMMAND_BYTES));
            int kind = command.getInt();
            int bytes = command.getInt();
            int count = command.getInt();
            if (kind == END) {
                return;
            }
            if (kind == WARM_UP) {
                compilers.begin();
                continue;
            }
            int window = kind == ROUND_TRIPS ? 1 : Link.WINDOW;
            int answerBytes = kind == ROUND_TRIPS ? bytes : ACKNOWLEDGEMENT;
            if (link.answersEach()) {
                link.answerWith(answerBytes);
                link.expect(bytes, Math.multiplyExact(window, count));
                control.barrier();
                link.await();
                link.flush();
            } else {
                link.expect(bytes, window);
                control.barrier();
                answer(bytes, window, answerBytes, count);
            }
            control.send(new byte[] {(byte) (compilers.areBusy() ? 1 : 0)});
        }
    }

    private void answer(int bytes, int window, int answerBytes, int count) throws Exception {
        for (int i = 1; i <= count; i++) {
            link.await();
            link.send(answerBytes);
            if (i < count) {
                link.expect(bytes, window);
            }
            link.flush();
        }
    }

    private void command(int kind, int bytes, int count) throws IOException {
        control.send(ByteBuffer.allocate(COMMAND_BYTES).putInt(kind).putInt(bytes).putInt(count).array());
    }
}
