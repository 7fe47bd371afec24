// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.jmh;

import io.jfabric.info.Capability;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Accesses to another process's memory, each awaited. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"-XX:+UseSystemMemoryBarrier", "--enable-native-access=ALL-UNNAMED"})
public class RmaBenchmark {
    /** The endpoint and its peer. */
    public static class Remote extends Link {
        @Override
        Capability[] capabilities() {
            return new Capability[] {Capability.TAGGED, Capability.RMA};
        }
    }

    /**
     * {@code fi_write}.
     *
     * @param link the peer
     */
    @Benchmark
    public void write(Remote link) {
        Port port = link.port;
        long sent = port.sent + 1;
        while (!port.endpoint.rma().write(port.send, port.peer, link.link.remote, 0, Port.SENT)) {
            port.poll();
        }
        port.awaitSent(sent);
    }

    /**
     * {@code fi_read}.
     *
     * @param link the peer
     */
    @Benchmark
    public void read(Remote link) {
        Port port = link.port;
        long sent = port.sent + 1;
        while (!port.endpoint.rma().read(port.send, port.peer, link.link.remote, 0, Port.SENT)) {
            port.poll();
        }
        port.awaitSent(sent);
    }
}
