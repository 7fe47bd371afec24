// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Netty's native epoll transport. The measuring thread drives the event loop itself and does not let it sleep: no task
 * changes threads, and what a handler writes is written at once.
 */
final class NettyLink extends Link {
    private final ManualIoEventLoop loop = new ManualIoEventLoop(Thread.currentThread(), EpollIoHandler.newFactory());
    private final ByteBuf[] out = new ByteBuf[WINDOW];
    private final Inbound inbound = new Inbound();
    private Channel channel;
    private int sendSlot;

    /** Cuts the stream into messages of the expected size. */
    private final class Inbound extends ChannelInboundHandlerAdapter {
        private int filled;
        private long number;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
        }

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

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            failure = cause;
        }
    }

    private Throwable failure;

    private NettyLink(Meeting meeting, SocketAddress where, Class<? extends Channel> client,
            Class<? extends ServerChannel> server) throws Exception {
        for (int i = 0; i < WINDOW; i++) {
            out[i] = Unpooled.directBuffer(meeting.largest(), meeting.largest()).writeZero(meeting.largest());
        }
        boolean tcp = where instanceof InetSocketAddress;
        if (meeting.server()) {
            ServerBootstrap bootstrap = new ServerBootstrap().group(loop).channel(server).childHandler(handler());
            if (tcp) {
                bootstrap.childOption(ChannelOption.TCP_NODELAY, true);
            }
            Channel listener = done(bootstrap.bind(where));
            meeting.port(tcp ? ((InetSocketAddress) listener.localAddress()).getPort() : 0);
            awaitChannel();
            done(listener.close());
        } else {
            Bootstrap bootstrap = new Bootstrap().group(loop).channel(client).handler(handler());
            if (tcp) {
                bootstrap.option(ChannelOption.TCP_NODELAY, true);
            }
            int port = meeting.port(0);
            done(bootstrap.connect(tcp ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port) : where));
            awaitChannel();
        }
    }

    static NettyLink tcp(Meeting meeting) throws Exception {
        return new NettyLink(meeting, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                EpollSocketChannel.class, EpollServerSocketChannel.class);
    }

    static NettyLink unix(Meeting meeting) throws Exception {
        return new NettyLink(meeting, new DomainSocketAddress(meeting.directory().resolve("socket").toString()),
                EpollDomainSocketChannel.class, EpollServerDomainSocketChannel.class);
    }

    private ChannelHandler handler() {
        return inbound;
    }

    private Channel done(ChannelFuture future) throws IOException {
        while (!future.isDone()) {
            loop.runNow();
        }
        if (!future.isSuccess()) {
            throw new IOException("Netty could not connect", future.cause());
        }
        return future.channel();
    }

    private void awaitChannel() {
        while (channel == null) {
            loop.runNow();
        }
    }

    @Override
    void send(int bytes) {
        ByteBuf buffer = out[sendSlot];
        sendSlot = (sendSlot + 1) % WINDOW;
        // the write gives up a reference, and what was sent before has moved the indices
        buffer.retain().setIndex(0, bytes).setLongLE(0, next());
        channel.write(buffer, channel.voidPromise());
    }

    @Override
    void flush() throws EOFException {
        channel.flush();
        while (buffersInUse()) {
            progress();
        }
        sendSlot = 0;
    }

    private boolean buffersInUse() {
        return channel.unsafe().outboundBuffer() != null && !channel.unsafe().outboundBuffer().isEmpty();
    }

    @Override
    void progress() throws EOFException {
        loop.runNow();
        if (failure != null || !channel.isOpen()) {
            EOFException gone = new EOFException("the other side is gone");
            gone.initCause(failure);
            throw gone;
        }
    }

    @Override
    public void close() throws IOException {
        done(channel.close());
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        while (!loop.isTerminated()) {
            loop.runNow();
        }
        for (ByteBuf buffer : out) {
            buffer.release();
        }
    }
}
