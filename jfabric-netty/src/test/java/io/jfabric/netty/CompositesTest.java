// SPDX-License-Identifier: Apache-2.0
package io.jfabric.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.info.Hints;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers in several pieces are sent as one message, up to what the provider takes. */
@Timeout(90)
class CompositesTest extends WithoutLeaks {
    private static ByteBuf random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return POOL.directBuffer(size + 1).writeBytes(bytes);
    }

    private static CompositeByteBuf composite(int pieces, int size) {
        CompositeByteBuf all = POOL.compositeDirectBuffer(Integer.MAX_VALUE);
        for (int i = 0; i < pieces; i++) {
            all.addComponent(true, i == 1 ? random(size) : text("piece " + i));
        }
        return all;
    }

    private static int limit(Node node) {
        return (int) node.info().tx().iovLimit();
    }

    /** It is received in one piece, and nothing holds it any more. */
    private static void arrives(Two nodes, ByteBuf out) throws Exception {
        byte[] expected = ByteBufUtil.getBytes(out);
        int begin = out.readerIndex();
        ByteBuf in = POOL.directBuffer(expected.length + 20, expected.length + 20).writeInt(42);
        CompletableFuture<Received> received = ByteBufs.receive(nodes.b(), in, 3);
        CompletableFuture<Void> sent = ByteBufs.send(nodes.a(), out, nodes.toB(), 3);
        assertThat(out.readerIndex()).isEqualTo(begin);
        out.release();
        assertThat(soon(received).length()).isEqualTo(expected.length);
        soon(sent);
        assertThat(in.readInt()).isEqualTo(42);
        assertThat(ByteBufUtil.getBytes(in)).isEqualTo(expected);
        in.release();
        gone(out, in);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void upToTheLimit(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            for (int pieces = 1; pieces <= limit(nodes.a()); pieces++) {
                for (int size : new int[] {0, 1, 5000, 300_000}) {
                    arrives(nodes, composite(pieces, size));
                }
            }
        }
    }

    /** Only the pieces that are to be read count, and empty ones do not. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void ofMorePiecesOnlySome(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            int many = limit(nodes.a()) + 2;
            arrives(nodes, composite(many, 100).skipBytes(7 + 100 + 3));
            arrives(nodes, composite(many, 100).asReadOnly().skipBytes(7 + 100 + 7));
            ByteBuf last = composite(many, 100);
            arrives(nodes, last.readerIndex(last.writerIndex() - 3));
            ByteBuf none = composite(many, 100);
            arrives(nodes, none.readerIndex(none.writerIndex()));
            CompositeByteBuf empty = composite(2, 10);
            for (int i = 0; i < many; i++) {
                empty.addComponent(true, POOL.directBuffer(1));
            }
            arrives(nodes, empty);
        }
    }

    /** Netty says of these that they are not direct. */
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void ofNothingOrHeadersOnly(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            arrives(nodes, POOL.compositeDirectBuffer());
            arrives(nodes, composite(1, 10).addComponent(true, POOL.compositeDirectBuffer()));
            CompositeByteBuf read = POOL.compositeDirectBuffer();
            read.addComponent(true, POOL.heapBuffer(8).writeLong(1)).addComponent(true, text("body"));
            arrives(nodes, read.skipBytes(8));
        }
    }

    @Test
    void overAConnection() throws Exception {
        try (Hints hints = Hints.msg().provider("tcp"); Node server = Node.open(hints); Node client = Node.open(hints);
             NodeListener listener = server.listen()) {
            CompletableFuture<Peer> connected = client.connect(listener.address());
            Peer toClient = soon(soon(listener.next()).accept());
            ByteBuf out = POOL.compositeDirectBuffer().addComponents(true, text("header "), text("and body"));
            ByteBuf in = POOL.directBuffer(64, 64);
            CompletableFuture<Received> received = ByteBufs.receive(server, in, toClient);
            CompletableFuture<Void> sent = ByteBufs.send(client, out, soon(connected));
            out.release();
            assertThat(soon(received).length()).isEqualTo(15);
            soon(sent);
            assertThat(in.toString(StandardCharsets.UTF_8)).isEqualTo("header and body");
            in.release();
            gone(out, in);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void whatIsTooMuchIsRefusedAndNotHeld(String provider) throws Exception {
        try (Two nodes = Two.open(provider)) {
            int limit = limit(nodes.a());
            CompositeByteBuf many = composite(limit + 1, 100);
            assertThatThrownBy(() -> ByteBufs.send(nodes.a(), many, nodes.toB(), 3))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining((limit + 1) + " pieces")
                    .hasMessageContaining("at most " + limit).hasMessageContaining("consolidate");
            assertThat(many.refCnt()).isEqualTo(1);
            arrives(nodes, many.consolidate());
            ByteBuf mixed = POOL.compositeBuffer().addComponents(true, text("a"), POOL.heapBuffer(4).writeInt(1));
            assertThatThrownBy(() -> ByteBufs.send(nodes.a(), mixed, nodes.toB()))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("directBuffer");
            mixed.release();
            gone(mixed);
        }
    }
}
