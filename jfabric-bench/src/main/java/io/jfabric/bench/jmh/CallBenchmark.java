// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.jmh;

import io.jfabric.FabricInfoList;
import io.jfabric.Hints;
import io.jfabric.MemoryAccess;
import io.jfabric.MemoryRegion;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** What single calls cost. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"-XX:+UseSystemMemoryBarrier", "--enable-native-access=ALL-UNNAMED"})
public class CallBenchmark {
    private static final int BATCH = 16;

    /**
     * {@code fi_getinfo} and {@code fi_freeinfo}.
     *
     * @param loop the endpoint
     * @return how many infos there are
     */
    @Benchmark
    public int getInfo(Loop loop) {
        try (Hints hints = loop.hints(); FabricInfoList infos = loop.infos(hints)) {
            return infos.size();
        }
    }

    /**
     * A poll of an empty queue.
     *
     * @param loop the endpoint
     * @return 0
     */
    @Benchmark
    public int emptyPoll(Loop loop) {
        return loop.queue.poll(loop, BATCH);
    }

    /**
     * Receive, send and both completions.
     *
     * @param loop the endpoint
     */
    @Benchmark
    public void taggedToItself(Loop loop) {
        loop.postReceive();
        long sent = loop.sent + 1;
        long received = loop.received + 1;
        while (!loop.endpoint.tagged().send(loop.send, loop.peer, 7, 1)) {
            loop.queue.poll(loop, BATCH);
        }
        loop.awaitSent(sent);
        loop.awaitReceived(received);
    }

    /**
     * Receive, inject and the completion.
     *
     * @param loop the endpoint
     */
    @Benchmark
    public void injectToItself(Loop loop) {
        loop.postReceive();
        long received = loop.received + 1;
        while (!loop.endpoint.tagged().inject(loop.send, loop.peer, 7)) {
            loop.queue.poll(loop, BATCH);
        }
        loop.awaitReceived(received);
    }

    /**
     * Sixteen messages at once, whose completions come in batches; the time of one.
     *
     * @param loop the endpoint
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void batchDrain(Loop loop) {
        long sent = loop.sent + BATCH;
        long received = loop.received + BATCH;
        for (int i = 0; i < BATCH; i++) {
            loop.postReceive();
        }
        for (int i = 0; i < BATCH; i++) {
            while (!loop.endpoint.tagged().send(loop.send, loop.peer, 7, 1)) {
                loop.queue.poll(loop, BATCH);
            }
        }
        loop.awaitSent(sent);
        loop.awaitReceived(received);
    }

    /**
     * {@code fi_mr_reg} and {@code fi_close}.
     *
     * @param loop the endpoint
     * @return the key
     */
    @Benchmark
    public long register(Loop loop) {
        try (MemoryRegion region = loop.domain.register(loop.send, MemoryAccess.SEND, MemoryAccess.RECV)) {
            return region.key();
        }
    }
}
