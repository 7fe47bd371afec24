// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.jmh;

import io.jfabric.info.Capability;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Messages to another process. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"-XX:+UseSystemMemoryBarrier", "--enable-native-access=ALL-UNNAMED"})
public class MessageBenchmark {
    /** The endpoint and its peer. */
    public static class Tagged extends Link {
        @Override
        Capability[] capabilities() {
            return new Capability[] {Capability.TAGGED};
        }
    }

    /**
     * There and back, receive posted first.
     *
     * @param link the peer
     */
    @Benchmark
    public void pingPong(Tagged link) {
        Port port = link.port;
        long received = port.received + 1;
        port.postReceive(Peer.PONG);
        port.postSend(Peer.PING);
        port.awaitReceived(received);
    }

    /**
     * There by {@code fi_tinject}, and back.
     *
     * @param link the peer
     */
    @Benchmark
    public void injectPingPong(Tagged link) {
        Port port = link.port;
        long received = port.received + 1;
        port.postReceive(Peer.PONG);
        while (!port.endpoint.tagged().inject(port.send, port.peer, Peer.PING)) {
            port.poll();
        }
        port.awaitReceived(received);
    }

    /**
     * The time of one of a window of messages, which is acknowledged.
     *
     * @param link the peer
     */
    @Benchmark
    @OperationsPerInvocation(Peer.WINDOW)
    public void messageRate(Tagged link) {
        Port port = link.port;
        long sent = port.sent + Peer.WINDOW;
        long received = port.received + 1;
        port.postReceive(Peer.ACK);
        for (int i = 0; i < Peer.WINDOW; i++) {
            port.postSend(Peer.RATE);
        }
        port.awaitSent(sent);
        port.awaitReceived(received);
    }
}
