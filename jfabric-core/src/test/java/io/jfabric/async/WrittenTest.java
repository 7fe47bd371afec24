// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.CompletionHandler;
import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes that tell the node whose memory it is. */
@Timeout(120)
class WrittenTest {
    private static final int WRITES = 500;

    static Stream<Providers.Choice> msg() {
        return Providers.offered(Providers.TCP_MSG, Providers.SOCKETS_MSG);
    }

    private static MemoryRegion region(Node node, MemorySegment memory) {
        return node.register(memory, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_READ);
    }

    /** Each is told once, and its bytes are there by then. */
    private static void eachIsTold(Node from, Peer to, Node at) throws Exception {
        MemorySegment target = at.allocate(WRITES * 8);
        RemoteRegion region = region(at, target).remote();
        BlockingQueue<Long> told = new LinkedBlockingQueue<>();
        at.onWritten(data -> {
            if (target.get(ValueLayout.JAVA_LONG, data * 8) == data + 1) {
                told.add(data);
            }
            if (data == 7) {
                throw new IllegalStateException("a handler may throw");
            }
        });
        MemorySegment out = from.allocate(WRITES * 8);
        CompletableFuture<?>[] written = new CompletableFuture<?>[WRITES];
        for (int i = 0; i < WRITES; i++) {
            out.setAtIndex(ValueLayout.JAVA_LONG, i, i + 1);
            written[i] = from.writeData(out.asSlice(i * 8L, 8), i, to, region, i * 8L);
        }
        CompletableFuture.allOf(written).get(60, TimeUnit.SECONDS);
        BitSet all = new BitSet();
        for (int i = 0; i < WRITES; i++) {
            Long data = told.poll(60, TimeUnit.SECONDS);
            assertThat(data).as("after %d of %d", i, WRITES).isNotNull();
            all.set(data.intValue());
        }
        assertThat(all.cardinality()).isEqualTo(WRITES);
        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void theOwnerOfTheMemoryIsTold(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            eachIsTold(nodes.a, nodes.toB, nodes.b);
        }
    }

    /** With a receive waiting, which some providers use up for that. */
    @ParameterizedTest
    @MethodSource("msg")
    void theOwnerOfTheMemoryIsToldOnConnections(Providers.Choice choice) throws Exception {
        try (NodePair connected = NodePair.open(choice)) {
            MemorySegment in = connected.b.allocate(8);
            CompletableFuture<Received> message = connected.b.receive(in, connected.toA);
            eachIsTold(connected.a, connected.toB, connected.b);
            assertThat(message).isNotDone();
            MemorySegment letter = connected.a.allocate(8);
            letter.set(ValueLayout.JAVA_LONG, 0, 99);
            connected.a.send(letter, connected.toB).get(30, TimeUnit.SECONDS);
            assertThat(message.get(30, TimeUnit.SECONDS).length()).isEqualTo(8);
            assertThat(in.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(99);
        }
    }

    /** A read finds what was written before: at once, or if the provider tells the owner, when it has. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatIsReadBackWasWritten(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            BlockingQueue<Long> told = new LinkedBlockingQueue<>();
            nodes.b.onWritten(told::add);
            for (int length : new int[] {8, 2_000, 5_000}) {
                RemoteRegion region = region(nodes.b, nodes.b.allocate(length)).remote();
                MemorySegment out = nodes.a.allocate(length);
                MemorySegment in = nodes.a.allocate(length);
                for (byte round = 1; round <= 40; round++) {
                    out.fill(round);
                    if (round % 2 == 0) {
                        nodes.a.write(out, nodes.toB, region, 0).get(30, TimeUnit.SECONDS);
                    } else {
                        nodes.a.writeData(out, round, nodes.toB, region, 0).get(30, TimeUnit.SECONDS);
                        assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(round);
                    }
                    nodes.a.read(in, nodes.toB, region, 0).get(30, TimeUnit.SECONDS);
                    assertThat(in.mismatch(out)).as("%d bytes, round %d", length, round).isEqualTo(-1);
                }
            }
        }
    }

    /** It is not told afterwards of what it did not want to know; other operations are none the worse. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whoDoesNotAskIsNotTold(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment target = nodes.b.allocate(8);
            RemoteRegion region = region(nodes.b, target).remote();
            MemorySegment out = nodes.a.allocate(8);
            out.set(ValueLayout.JAVA_LONG, 0, 5);
            nodes.a.writeData(out, 1, nodes.toB, region, 0).get(30, TimeUnit.SECONDS);
            CompletableFuture<Received> message = nodes.b.receive(nodes.b.allocate(8), 3);
            nodes.a.send(out, nodes.toB, 3).get(30, TimeUnit.SECONDS);
            message.get(30, TimeUnit.SECONDS);
            BlockingQueue<Long> told = new LinkedBlockingQueue<>();
            nodes.b.onWritten(told::add);
            out.set(ValueLayout.JAVA_LONG, 0, 6);
            nodes.a.writeData(out, 2, nodes.toB, region, 0).get(30, TimeUnit.SECONDS);
            assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(2);
            // another part of the program does not take what is the first one's
            assertThatThrownBy(() -> nodes.b.onWritten(data -> told.add(-data)))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("handler already");
            nodes.a.writeData(out, 3, nodes.toB, region, 0).get(30, TimeUnit.SECONDS);
            assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(3);
            assertThat(target.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(6);
        }
    }

    /** What the node polls nobody else may: futures would never be done. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void completionsCannotBeTakenAway(String provider) {
        try (Node node = Node.open(Hints.rdm().provider(provider))) {
            CompletionHandler other = completion -> { };
            assertThatThrownBy(() -> node.completionQueue().poll(other, 1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a node's").hasMessageContaining("node.domain()");
            assertThatThrownBy(() -> node.completionQueue().await(other, 1, Duration.ofSeconds(1)))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("a node's");
        }
    }
}
