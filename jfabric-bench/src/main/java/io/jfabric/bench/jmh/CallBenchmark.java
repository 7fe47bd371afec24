// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.jmh;

import io.jfabric.MemoryRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What calls cost without a peer: the endpoint talks to itself. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"-XX:+UseSystemMemoryBarrier", "--enable-native-access=ALL-UNNAMED"})
public class CallBenchmark {
    /** The endpoint. */
    @State(Scope.Thread)
    public static class Loop {
        /** Libfabric's name of the provider. */
        @Param("shm")
        public String provider;
        /** The local address to bind to; empty for the provider's choice. */
        @Param("")
        public String node;
        /** Bytes of a message, or of the memory to register. */
        @Param("8")
        public long bytes;

        Port port;

        /** Opens. */
        @Setup(Level.Trial)
        public void open() {
            port = new Port(provider, node, bytes, Capability.TAGGED);
            port.connect(port.name());
        }

        /** Closes. */
        @TearDown(Level.Trial)
        public void close() {
            port.close();
        }
    }

    /**
     * {@code fi_getinfo} and {@code fi_freeinfo}.
     *
     * @param loop the endpoint
     * @return how many infos there are
     */
    @Benchmark
    public int getInfo(Loop loop) {
        try (Hints hints = Port.hints(loop.provider, Capability.TAGGED);
                FabricInfoList infos = Port.infos(loop.node, hints)) {
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
        return loop.port.queue.poll(loop.port, Port.BATCH);
    }

    /**
     * The time of one of sixteen messages whose completions are read in batches.
     *
     * @param loop the endpoint
     */
    @Benchmark
    @OperationsPerInvocation(Port.BATCH)
    public void batchDrain(Loop loop) {
        Port port = loop.port;
        long sent = port.sent + Port.BATCH;
        long received = port.received + Port.BATCH;
        for (int i = 0; i < Port.BATCH; i++) {
            port.postReceive(Peer.PING);
        }
        for (int i = 0; i < Port.BATCH; i++) {
            port.postSend(Peer.PING);
        }
        port.awaitSent(sent);
        port.awaitReceived(received);
    }

    /**
     * {@code fi_mr_reg} and {@code fi_close}.
     *
     * @param loop the endpoint
     * @return the key
     */
    @Benchmark
    public long register(Loop loop) {
        try (MemoryRegion region = loop.port.domain.register(loop.port.send, MemoryAccess.SEND, MemoryAccess.RECV)) {
            return region.key();
        }
    }
}
