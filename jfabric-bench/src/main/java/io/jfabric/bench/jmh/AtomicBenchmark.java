// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.jmh;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.info.Capability;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Atomic operations on another process's memory, each awaited. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"-XX:+UseSystemMemoryBarrier", "--enable-native-access=ALL-UNNAMED"})
public class AtomicBenchmark {
    /** The endpoint and its peer. */
    public static class Remote extends Link {
        @Override
        Capability[] capabilities() {
            return new Capability[] {Capability.TAGGED, Capability.ATOMIC};
        }
    }

    /**
     * Adds to a long, or {@code bytes/8} of them ({@code fi_atomic}).
     *
     * @param link the peer
     */
    @Benchmark
    public void add(Remote link) {
        Port port = link.port;
        long sent = port.sent + 1;
        while (!port.endpoint.atomics().apply(port.send, port.peer, link.link.remote, 0, Datatype.INT64,
                AtomicOp.SUM, Port.SENT)) {
            port.poll();
        }
        port.awaitSent(sent);
    }

    /**
     * Adds to a long and fetches what it was ({@code fi_fetch_atomic}).
     *
     * @param link the peer
     */
    @Benchmark
    public void fetchAndAdd(Remote link) {
        Port port = link.port;
        long sent = port.sent + 1;
        while (!port.endpoint.atomics().fetchAndApply(port.send, port.receive, port.peer, link.link.remote, 0,
                Datatype.INT64, AtomicOp.SUM, Port.SENT)) {
            port.poll();
        }
        port.awaitSent(sent);
    }
}
