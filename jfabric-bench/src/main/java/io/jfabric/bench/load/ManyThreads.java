// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.load;

import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.Node;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;

/** Each of many virtual threads makes one call. */
final class ManyThreads {
    private static final int BYTES = 64;
    private static final Duration PATIENCE = Duration.ofMinutes(9);
    private static final int WARM_UP = 20_000;

    private final Node node;
    private final byte[] address;
    private final int count;
    private final AtomicInteger wrong = new AtomicInteger();
    private final AtomicReference<Throwable> first = new AtomicReference<>();

    ManyThreads(Node node, byte[] address, int count) {
        this.node = node;
        this.address = address;
        this.count = count;
    }

    boolean run() throws InterruptedException {
        CallerOptions options = CallerOptions.DEFAULT.withDeadline(PATIENCE).withBacklog(Math.max(count, WARM_UP));
        try (Caller caller = Caller.open(node.peer(address), LoadServer.SERVICE, options)) {
            run(caller, WARM_UP);
            long start = System.nanoTime();
            ConcurrentHistogram times = run(caller, count);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.println(String.format(Locale.ROOT, "%,d virtual threads, a call of %d bytes each: %,d answered, "
                    + "%d not or wrong; %.1f s, %,.0f calls a second", count, BYTES, times.getTotalCount(), wrong.get(),
                    seconds, count / seconds));
            System.out.println("from the start of a thread to its answer, " + Load.text(times));
        }
        if (first.get() != null) {
            first.get().printStackTrace();
        }
        return wrong.get() == 0;
    }

    private ConcurrentHistogram run(Caller caller, int threads) throws InterruptedException {
        ConcurrentHistogram times = new ConcurrentHistogram(PATIENCE.toNanos(), 3);
        CountDownLatch ended = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            int number = i;
            long began = System.nanoTime();
            Thread.startVirtualThread(() -> {
                try {
                    byte[] request = new byte[BYTES];
                    ByteBuffer.wrap(request).putInt(number);
                    byte[] answer = caller.call(request).join();
                    if (answer.length == BYTES && ByteBuffer.wrap(answer).getInt() == number) {
                        times.recordValue(System.nanoTime() - began);
                    } else {
                        wrong.incrementAndGet();
                    }
                } catch (RuntimeException e) {
                    wrong.incrementAndGet();
                    first.compareAndSet(null, e);
                } finally {
                    ended.countDown();
                }
            });
        }
        if (!ended.await(PATIENCE.toSeconds() + 30, TimeUnit.SECONDS)) {
            wrong.addAndGet((int) ended.getCount());
        }
        return times;
    }
}
