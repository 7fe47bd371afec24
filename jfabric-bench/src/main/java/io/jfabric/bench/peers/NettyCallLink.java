// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.collection.LongObjectHashMap;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Request and response over Netty's epoll transport, driven by the measuring thread: length and number of the call in
 * front of each message, and a map of the futures. No deadlines, no limits.
 */
final class NettyCallLink extends CallLink {
    private static final int HEADER = Integer.BYTES + Long.BYTES;
    /** Longer messages are not copied behind their header. */
    private static final int COPIED = 4096;

    private final NettyLoop loop;
    private final boolean server;
    private final ByteBuf payload;
    private final ByteBuf arrived;
    private final LongObjectHashMap<CompletableFuture<Long>> futures = new LongObjectHashMap<>();
    private boolean written;

    /** Cuts the stream into messages. */
    private final class Inbound extends NettyLoop.Handler {
        private final ByteBuf header = Unpooled.directBuffer(HEADER, HEADER);

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            while (bytes.isReadable()) {
                if (header.isWritable()) {
                    header.writeBytes(bytes, Math.min(header.writableBytes(), bytes.readableBytes()));
                } else {
                    int missing = header.getIntLE(0) - arrived.writerIndex();
                    arrived.writeBytes(bytes, Math.min(missing, bytes.readableBytes()));
                    if (arrived.writerIndex() == header.getIntLE(0)) {
                        handle(header.getLongLE(Integer.BYTES), arrived.getLongLE(0));
                        arrived.clear();
                        header.clear();
                    }
                }
            }
            bytes.release();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            if (written) {
                written = false;
                context.flush();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            header.release();
        }
    }

    NettyCallLink(Meeting meeting, boolean tcp) throws Exception {
        server = meeting.server();
        payload = Unpooled.directBuffer(meeting.largest(), meeting.largest()).writeZero(meeting.largest());
        arrived = Unpooled.directBuffer(meeting.largest(), meeting.largest());
        loop = new NettyLoop();
        loop.open(meeting, tcp, new Inbound());
    }

    private void handle(long id, long number) {
        if (server) {
            write(id, asked(number));
            written = true;
            arrivedInAnyOrder();
        } else {
            futures.remove(id).complete(number);
        }
    }

    private void write(long number, int bytes) {
        Channel channel = loop.channel();
        payload.setLongLE(0, number);
        if (bytes <= COPIED) {
            channel.write(channel.alloc().directBuffer(HEADER + bytes).writeIntLE(bytes).writeLongLE(number)
                    .writeBytes(payload, 0, bytes), channel.voidPromise());
        } else {
            // the number is copied, as what was written before may still be under way
            channel.write(channel.alloc().directBuffer(HEADER + Long.BYTES).writeIntLE(bytes).writeLongLE(number)
                    .writeLongLE(number), channel.voidPromise());
            channel.write(payload.retainedSlice(Long.BYTES, bytes - Long.BYTES), channel.voidPromise());
        }
    }

    @Override
    void send(int bytes) {
        long number = next();
        CompletableFuture<Long> future = new CompletableFuture<>();
        futures.put(number, future);
        future.whenComplete((answer, failure) -> answered(number, answer, failure));
        write(number, bytes);
    }

    @Override
    void flush() throws IOException {
        loop.flush();
    }

    @Override
    void progress() throws IOException {
        loop.run();
    }

    @Override
    public void close() throws IOException {
        loop.close();
        payload.release();
        arrived.release();
    }
}
