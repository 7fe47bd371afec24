// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The JDK's socket channels, blocking or in a loop that does not sleep. A write for each message. */
final class SocketLink extends Link {
    private static final int READ_AHEAD = 1 << 16;

    private final SocketChannel channel;
    private final ByteBuffer out;
    private final ByteBuffer in;
    private int start;

    private SocketLink(SocketChannel channel, int largest) {
        this.channel = channel;
        out = ByteBuffer.allocateDirect(largest).order(ByteOrder.nativeOrder());
        in = ByteBuffer.allocateDirect(READ_AHEAD + 2 * largest).order(ByteOrder.nativeOrder());
    }

    static SocketLink tcp(Meeting meeting, boolean blocking) throws IOException {
        return new SocketLink(tcpChannel(meeting, blocking), meeting.largest());
    }

    static SocketLink unix(Meeting meeting, boolean blocking) throws IOException {
        return new SocketLink(unixChannel(meeting, blocking), meeting.largest());
    }

    static SocketChannel tcpChannel(Meeting meeting, boolean blocking) throws IOException {
        SocketChannel channel = connect(meeting, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(blocking);
        return channel;
    }

    static SocketChannel unixChannel(Meeting meeting, boolean blocking) throws IOException {
        SocketChannel channel = connect(meeting, UnixDomainSocketAddress.of(meeting.directory().resolve("socket")));
        channel.configureBlocking(blocking);
        return channel;
    }

    private static SocketChannel connect(Meeting meeting, SocketAddress where) throws IOException {
        boolean unix = where instanceof UnixDomainSocketAddress;
        var family = unix ? StandardProtocolFamily.UNIX : StandardProtocolFamily.INET;
        if (meeting.server()) {
            try (ServerSocketChannel listener = ServerSocketChannel.open(family).bind(where)) {
                meeting.port(unix ? 0 : ((InetSocketAddress) listener.getLocalAddress()).getPort());
                return listener.accept();
            }
        }
        int port = meeting.port(0);
        SocketAddress server = unix ? where : new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return SocketChannel.open(server);
    }

    @Override
    void send(int bytes) throws IOException {
        out.clear().limit(bytes).putLong(0, next());
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    @Override
    void progress() throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("the other side is gone");
        }
        int end = in.position();
        for (; end - start >= expectedBytes; start += expectedBytes) {
            arrived(in.getLong(start));
        }
        if (start == end) {
            in.clear();
            start = 0;
        } else if (in.remaining() < expectedBytes) {
            in.flip().position(start).compact();
            start = 0;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
