// SPDX-License-Identifier: Apache-2.0
package io.jfabric.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.RemoteRegion;
import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.info.Hints;
import io.jfabric.option.MemoryAccess;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages out of buffers of Netty's pool, and into them. */
@Timeout(90)
class ByteBufsTest extends WithoutLeaks {
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void messagesOfAllSizes(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            for (int size : new int[] {0, 1, 100, 5000, 300_000}) {
                byte[] bytes = new byte[size];
                new Random(size).nextBytes(bytes);
                ByteBuf out = POOL.directBuffer(size + 8).writeLong(size).writeBytes(bytes);
                ByteBuf in = POOL.directBuffer(size + 20, size + 20).writeInt(42);
                CompletableFuture<Received> received = ByteBufs.receive(nodes.b(), in, size);
                CompletableFuture<Void> sent = ByteBufs.send(nodes.a(), out.skipBytes(8), nodes.toB(), size);
                assertThat(out.readerIndex()).isEqualTo(8);
                // the bridge holds it for as long as it must
                out.release();
                assertThat(soon(received).length()).isEqualTo(size);
                soon(sent);
                assertThat(in.readInt()).isEqualTo(42);
                assertThat(ByteBufUtil.getBytes(in)).isEqualTo(bytes);
                in.release();
                gone(out, in);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void messagesWithoutTags(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            ByteBuf out = text("to anyone");
            ByteBuf in = POOL.directBuffer(64, 64).writeInt(42);
            CompletableFuture<Received> received = ByteBufs.receive(nodes.b(), in);
            soon(ByteBufs.send(nodes.a(), out, nodes.toB()));
            assertThat(soon(received).length()).isEqualTo(9);
            assertThat(in.readInt()).isEqualTo(42);
            assertThat(in.toString(StandardCharsets.UTF_8)).isEqualTo("to anyone");
            in.release();
            out.release();
            gone(out, in);
        }
    }

    /** A connection has no tags. */
    @Test
    void messagesOverAConnection() throws Exception {
        try (Hints hints = Hints.msg().provider("tcp"); Node server = Node.open(hints); Node client = Node.open(hints);
             NodeListener listener = server.listen()) {
            CompletableFuture<Peer> connected = client.connect(listener.address());
            Peer toClient = soon(soon(listener.next()).accept());
            Peer toServer = soon(connected);
            for (String text : List.of("first", "", "third")) {
                ByteBuf out = text(text);
                ByteBuf in = POOL.directBuffer(64, 64).writeInt(42);
                CompletableFuture<Received> received = ByteBufs.receive(server, in, toClient);
                CompletableFuture<Void> sent = ByteBufs.send(client, out, toServer);
                out.release();
                assertThat(soon(received).length()).isEqualTo(text.length());
                soon(sent);
                assertThat(in.readInt()).isEqualTo(42);
                assertThat(in.toString(StandardCharsets.UTF_8)).isEqualTo(text);
                in.release();
                gone(out, in);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void writesFromABuffer(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            MemorySegment board = nodes.b().allocate(64);
            var region = nodes.b().register(board, MemoryAccess.REMOTE_WRITE);
            RemoteRegion there = RemoteRegion.of(region.remote().toBytes());
            ByteBuf out = text("over there");
            CompletableFuture<Void> written = ByteBufs.holding(nodes.a(), out,
                    node -> node.write(ByteBufs.readable(out), nodes.toB(), there, 3));
            out.release();
            soon(written);
            gone(out);
            long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (board.get(ValueLayout.JAVA_BYTE, 12) == 0 && System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
            assertThat(new String(board.asSlice(3, 10).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8))
                    .isEqualTo("over there");
        }
    }

    private static void nextComes(Two nodes, String message) throws Exception {
        ByteBuf in = POOL.directBuffer(100);
        ByteBuf out = text(message);
        CompletableFuture<Received> received = ByteBufs.receive(nodes.b(), in, 9);
        soon(ByteBufs.send(nodes.a(), out, nodes.toB(), 9));
        soon(received);
        assertThat(in.toString(StandardCharsets.UTF_8)).isEqualTo(message);
        in.release();
        out.release();
        gone(in, out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void cancelledReceivesGiveBack(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            for (int i = 0; i < 50; i++) {
                ByteBuf in = POOL.directBuffer(100);
                CompletableFuture<Received> received = ByteBufs.receive(nodes.b(), in, 9);
                in.release();
                assertThat(in.refCnt()).isEqualTo(1);
                if (i % 2 == 0) {
                    assertThat(received.cancel(true)).isTrue();
                } else {
                    assertThatThrownBy(() -> received.orTimeout(1, TimeUnit.MILLISECONDS).get(30, TimeUnit.SECONDS))
                            .isInstanceOf(ExecutionException.class).hasCauseInstanceOf(TimeoutException.class);
                }
                gone(in);
            }
            // none of them takes a message
            nextComes(nodes, "for who is left");
        }
    }

    /** Libfabric writes into it after the cancel, for as long as a long message takes. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void capacityMayChangeOnceReleased(String provider) throws Exception {
        int size = 8 << 20;
        try (Two nodes = Two.open(provider)) {
            MemorySegment message = nodes.a().allocate(size).fill((byte) 7);
            for (int i = 0; i < 12; i++) {
                // not of the pool: what it gives up, it unmaps
                ByteBuf in = UnpooledByteBufAllocator.DEFAULT.directBuffer(size, 2 * size);
                CompletableFuture<Received> received = ByteBufs.receive(nodes.b(), in, i);
                // may be for nobody then, until the node is closed
                nodes.a().send(message, nodes.toB(), i);
                Thread.sleep(0, 300_000 * (i % 4));
                boolean cancelled = received.cancel(true);
                try {
                    // it may be cancelled later, too, as the provider could not say so at once
                    assertThat(soon(received).length()).isEqualTo(size);
                    assertThat(cancelled).isFalse();
                } catch (CancellationException givenUp) {
                    soon(nodes.b().released(received));
                    in.capacity(2 * size);
                }
                in.release();
                gone(in);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void completedReceivesTakeNoMessage(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            for (int i = 0; i < 10; i++) {
                ByteBuf unused = POOL.directBuffer(100);
                CompletableFuture<Received> late = ByteBufs.receive(nodes.b(), unused, 9);
                assertThat(soon(late.completeOnTimeout(null, 1, TimeUnit.MILLISECONDS))).isNull();
                unused.release();
                gone(unused);
            }
            nextComes(nodes, "for the next");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void deadlinesGiveBack(String provider) throws Exception {
        try (Hints hints = Hints.rdm().provider(provider);
                Node node = Node.open(hints, NodeOptions.DEFAULT.withReceiveDeadline(Duration.ofMillis(20)))) {
            ByteBuf in = POOL.directBuffer(100);
            CompletableFuture<Received> received = ByteBufs.receive(node, in, 1);
            in.release();
            assertThatThrownBy(() -> soon(received)).hasCauseInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_ETIMEDOUT");
            gone(in);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void closingTheNodeGivesAllBack(String provider) throws Exception {
        ByteBuf[] buffers = new ByteBuf[600];
        List<CompletableFuture<?>> futures = new ArrayList<>();
        try (Two nodes = Two.open(provider)) {
            for (int i = 0; i < buffers.length; i++) {
                buffers[i] = POOL.directBuffer(20_000);
                // nobody receives these, and nobody sends those
                futures.add(i % 2 == 0 ? ByteBufs.send(nodes.a(), buffers[i].writeZero(20_000), nodes.toB(), 3)
                        : ByteBufs.receive(nodes.a(), buffers[i], 4));
                buffers[i].release();
            }
        }
        for (CompletableFuture<?> future : futures) {
            assertThat(future).isDone();
        }
        gone(buffers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void refusalsHoldNothing(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            ByteBuf heap = POOL.heapBuffer(10).writeInt(1);
            assertThatThrownBy(() -> ByteBufs.send(nodes.a(), heap, nodes.toB(), 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("directBuffer");
            ByteBuf pieces = POOL.compositeDirectBuffer().addComponents(true, text("a"), text("b"));
            assertThatThrownBy(() -> ByteBufs.receive(nodes.a(), pieces, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("2 pieces");
            ByteBuf constant = text("c").asReadOnly();
            assertThatThrownBy(() -> ByteBufs.receive(nodes.a(), constant, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("read-only");
            ByteBuf text = text("d");
            assertThatThrownBy(() -> ByteBufs.send(nodes.a(), text, nodes.toB(), -1))
                    .isInstanceOf(IllegalArgumentException.class);
            heap.release();
            pieces.release();
            constant.release();
            text.release();
            gone(heap, pieces, constant, text);
        }
    }

    /** It ends when the program likes, whatever is still written to. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void derivedFuturesLeaveTheMemoryAlone(String provider) throws Exception {
        ByteBuf given = POOL.directBuffer(8);
        ByteBuf handled = POOL.directBuffer(8);
        List<CompletableFuture<Received>> receives = new ArrayList<>();
        List<CompletableFuture<Received>> derived = new ArrayList<>();
        try (Two nodes = Two.open(provider)) {
            for (ByteBuf buffer : List.of(given, handled)) {
                assertThatThrownBy(() -> ByteBufs.holding(nodes.b(), buffer, node -> {
                    receives.add(node.receive(ByteBufs.writable(buffer), 5));
                    derived.add(receives.getLast().thenApply(m -> m));
                    return derived.getLast();
                })).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("derived");
                buffer.release();
            }
            derived.getFirst().cancel(true);
            derived.getLast().complete(null);
            // the receives go on
            assertThat(given.refCnt()).isEqualTo(1);
            assertThat(handled.refCnt()).isEqualTo(1);
            for (ByteBuf buffer : List.of(given, handled)) {
                ByteBuf letter = text("12345678");
                ByteBufs.send(nodes.a(), letter, nodes.toB(), 5).get(20, TimeUnit.SECONDS);
                letter.release();
            }
            for (CompletableFuture<Received> receive : receives) {
                assertThat(receive.get(20, TimeUnit.SECONDS).length()).isEqualTo(8);
            }
            assertThat(given.getByte(7)).isEqualTo((byte) '8');
        }
        given.release();
        handled.release();
        gone(given, handled);
    }

    /** Both went to the same place: who comes second says so, instead of hiding that one is lost. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void twoReceivesIntoOneBufferFailTheSecond(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            ByteBuf in = POOL.directBuffer(64);
            CompletableFuture<Received> first = ByteBufs.receive(nodes.b(), in, 5);
            CompletableFuture<Received> second = ByteBufs.receive(nodes.b(), in, 6);
            ByteBuf out = text("a message");
            soon(ByteBufs.send(nodes.a(), out, nodes.toB(), 5));
            assertThat(soon(first).length()).isEqualTo(9);
            soon(ByteBufs.send(nodes.a(), out, nodes.toB(), 6));
            assertThatThrownBy(() -> soon(second)).isInstanceOf(ExecutionException.class).cause()
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("one receive at a time");
            assertThat(in.writerIndex()).isEqualTo(9);
            out.release();
            in.release();
            gone(in, out);
        }
    }

    /** The message went where the buffer was: in the pool's memory, that is, which stays. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void buffersThatMoveFailTheReceive(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            ByteBuf in = POOL.directBuffer(64);
            CompletableFuture<Received> received = ByteBufs.receive(nodes.b(), in, 5);
            in.capacity(1 << 16);
            ByteBuf out = text("too late");
            soon(ByteBufs.send(nodes.a(), out, nodes.toB(), 5));
            assertThatThrownBy(() -> soon(received)).isInstanceOf(ExecutionException.class).cause()
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("capacity");
            assertThat(in.readableBytes()).isZero();
            in.release();
            out.release();
            gone(in, out);
            assertThatThrownBy(() -> ByteBufs.send(nodes.a(), out, nodes.toB(), 5))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("was released");
        }
    }

    @Test
    void closedNodesHoldNothing() {
        Two nodes = Two.open("shm");
        nodes.close();
        ByteBuf text = text("e");
        assertThatThrownBy(() -> ByteBufs.send(nodes.a(), text, nodes.toB(), 1)).isInstanceOf(RuntimeException.class);
        assertThat(text.release()).isTrue();
    }
}
