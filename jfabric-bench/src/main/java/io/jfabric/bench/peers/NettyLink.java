// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.io.EOFException;
import java.io.IOException;

/** Netty's native epoll transport, driven by the measuring thread. */
final class NettyLink extends Link {
    private final NettyLoop loop = new NettyLoop();
    private final ByteBuf[] out = new ByteBuf[WINDOW];
    private final Inbound inbound = new Inbound();
    private int sendSlot;

    /** Cuts the stream into messages of the expected size. */
    private final class Inbound extends NettyLoop.Handler {
        private int filled;
        private long number;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            while (bytes.isReadable()) {
                if (filled == 0 && bytes.readableBytes() >= Long.BYTES) {
                    number = bytes.getLongLE(bytes.readerIndex());
                } else {
                    for (int i = filled; i < Math.min(Long.BYTES, filled + bytes.readableBytes()); i++) {
                        long one = bytes.getUnsignedByte(bytes.readerIndex() + i - filled);
                        number = (i == 0 ? 0 : number) | one << (Byte.SIZE * i);
                    }
                }
                int taken = Math.min(expectedBytes - filled, bytes.readableBytes());
                bytes.skipBytes(taken);
                filled += taken;
                if (filled == expectedBytes) {
                    filled = 0;
                    arrived(number);
                }
            }
            bytes.release();
        }
    }

    private NettyLink(Meeting meeting, boolean tcp) throws Exception {
        for (int i = 0; i < WINDOW; i++) {
            out[i] = Unpooled.directBuffer(meeting.largest(), meeting.largest()).writeZero(meeting.largest());
        }
        loop.open(meeting, tcp, inbound);
    }

    static NettyLink tcp(Meeting meeting) throws Exception {
        return new NettyLink(meeting, true);
    }

    static NettyLink unix(Meeting meeting) throws Exception {
        return new NettyLink(meeting, false);
    }

    @Override
    void send(int bytes) {
        ByteBuf buffer = out[sendSlot];
        sendSlot = (sendSlot + 1) % WINDOW;
        // the write gives up a reference, and what was sent before has moved the indices
        buffer.retain().setIndex(0, bytes).setLongLE(0, next());
        loop.channel().write(buffer, loop.channel().voidPromise());
    }

    @Override
    void flush() throws EOFException {
        loop.flush();
        sendSlot = 0;
    }

    @Override
    void progress() throws EOFException {
        loop.run();
    }

    @Override
    public void close() throws IOException {
        loop.close();
        for (ByteBuf buffer : out) {
            buffer.release();
        }
    }
}
