// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ManualIoEventLoop;
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
 * An event loop of Netty's native epoll transport with one channel. The measuring thread drives it and does not let it
 * sleep: no task changes threads, and what a handler writes is written at once.
 */
final class NettyLoop {
    private final ManualIoEventLoop loop = new ManualIoEventLoop(Thread.currentThread(), EpollIoHandler.newFactory());
    private Handler handler;

    /** What comes in. Subclasses take messages apart. */
    abstract static class Handler extends ChannelInboundHandlerAdapter {
        private Channel channel;
        private Throwable failure;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            failure = cause;
        }
    }

    /** Connects with the other side. */
    void open(Meeting meeting, boolean tcp, Handler inbound) throws IOException {
        handler = inbound;
        SocketAddress where = tcp ? new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)
                : new DomainSocketAddress(meeting.directory().resolve("socket").toString());
        if (meeting.server()) {
            listen(meeting, tcp, where);
        } else {
            connect(meeting, tcp, where);
        }
    }

    private void listen(Meeting meeting, boolean tcp, SocketAddress where) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap().group(loop).childHandler(handler)
                .channel(tcp ? EpollServerSocketChannel.class : EpollServerDomainSocketChannel.class);
        if (tcp) {
            bootstrap.childOption(ChannelOption.TCP_NODELAY, true);
        }
        Channel listener = done(bootstrap.bind(where));
        meeting.port(tcp ? ((InetSocketAddress) listener.localAddress()).getPort() : 0);
        awaitChannel();
        done(listener.close());
    }

    private void connect(Meeting meeting, boolean tcp, SocketAddress where) throws IOException {
        Bootstrap bootstrap = new Bootstrap().group(loop).handler(handler)
                .channel(tcp ? EpollSocketChannel.class : EpollDomainSocketChannel.class);
        if (tcp) {
            bootstrap.option(ChannelOption.TCP_NODELAY, true);
        }
        int port = meeting.port(0);
        done(bootstrap.connect(tcp ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port) : where));
        awaitChannel();
    }

    Channel channel() {
        return handler.channel;
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
        while (handler.channel == null) {
            loop.runNow();
        }
    }

    /** Until all that was written is with the kernel. */
    void flush() throws EOFException {
        Channel channel = handler.channel;
        channel.flush();
        while (channel.unsafe().outboundBuffer() != null && !channel.unsafe().outboundBuffer().isEmpty()) {
            run();
        }
    }

    void run() throws EOFException {
        loop.runNow();
        if (handler.failure != null || !handler.channel.isOpen()) {
            EOFException gone = new EOFException("the other side is gone");
            gone.initCause(handler.failure);
            throw gone;
        }
    }

    void close() throws IOException {
        done(handler.channel.close());
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        while (!loop.isTerminated()) {
            loop.runNow();
        }
    }
}
