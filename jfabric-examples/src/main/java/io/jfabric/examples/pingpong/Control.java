// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import io.jfabric.info.Address;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/**
 * The TCP connection beside the fabric, over which the two sides tell each other their addresses and keep in step.
 *
 * <p>The protocol is {@code fi_pingpong}'s. A name is its length (4 bytes, most significant first), its
 * {@code fi_info.addr_format} (4 bytes in the order of the machine: both sides must have the same) and its bytes.
 * Before each size the client says "q" and the server "a"; after it the client says how many answers it counted, in
 * decimal, and the server says "cnt ok". These texts end with a NUL byte; the count is padded to ten bytes.
 */
final class Control implements AutoCloseable {
    static final int DEFAULT_PORT = 47592;

    private static final int LONGEST_NAME = 1024;
    private static final int COUNT_BYTES = 10;

    private final SocketChannel channel;
    private final boolean client;
    private final Trace trace;
    private final ByteBuffer in = ByteBuffer.allocateDirect(2 * LONGEST_NAME).flip();
    private Runnable idle = () -> LockSupport.parkNanos(50_000);

    private Control(SocketChannel channel, boolean client, Trace trace) throws IOException {
        this.channel = channel;
        this.client = client;
        this.trace = trace;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** The address of an endpoint and the form it has. */
    record Name(int format, byte[] bytes) {
        Address address() {
            return Address.ofCode(format, bytes);
        }
    }

    /** Waits for a client; any number of ports may be in use by earlier runs. */
    static Control accept(int port, boolean ipv6, Trace trace) throws IOException {
        StandardProtocolFamily family = ipv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
        try (ServerSocketChannel listener = ServerSocketChannel.open(family)) {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(new InetSocketAddress(ipv6 ? InetAddress.getByName("::") : InetAddress.getByName("0.0.0.0"),
                    port), 10);
            trace.say("server: waiting for a client on port %d", port);
            return new Control(listener.accept(), false, trace);
        }
    }

    /** Connects to a server. Port 0 of this side stands for any. */
    static Control connect(String host, int port, int sourcePort, boolean ipv6, Trace trace) throws IOException {
        StandardProtocolFamily family = ipv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
        IOException failure = new UnknownHostException(host + ": no " + (ipv6 ? "IPv6" : "IPv4") + " address");
        for (InetAddress address : InetAddress.getAllByName(host)) {
            if (!(ipv6 ? address instanceof Inet6Address : address instanceof Inet4Address)) {
                continue;
            }
            trace.say("client: connecting to %s", address);
            SocketChannel channel = SocketChannel.open(family);
            try {
                if (sourcePort != 0) {
                    channel.bind(new InetSocketAddress(sourcePort));
                }
                channel.connect(new InetSocketAddress(address, port));
                return new Control(channel, true, trace);
            } catch (IOException e) {
                channel.close();
                failure = e instanceof ConnectException
                        ? new ConnectException("no server at " + host + " port " + port + ": " + e.getMessage()) : e;
            }
        }
        throw failure;
    }

    boolean isClient() {
        return client;
    }

    /** What to do again and again while waiting for the peer: providers may need a poll to move on. */
    void whileWaiting(Runnable action) {
        idle = action;
    }

    /** Sends the address of an endpoint. */
    void send(Name name) throws IOException {
        trace.say("sending name: %d bytes, format %d", name.bytes.length, name.format);
        // in one piece: C does not read on if it gets less than it asked for
        write(ByteBuffer.allocate(8 + name.bytes.length).putInt(name.bytes.length).order(ByteOrder.nativeOrder())
                .putInt(name.format).put(name.bytes));
    }

    /** Waits for the address of the peer's endpoint. */
    Name receiveName() throws IOException {
        int length = read(Integer.BYTES).order(ByteOrder.BIG_ENDIAN).getInt();
        if (length < 0 || length > LONGEST_NAME) {
            throw new IOException("the peer announced a name of " + Integer.toUnsignedLong(length)
                    + " bytes; is it fi_pingpong?");
        }
        int format = read(Integer.BYTES).order(ByteOrder.nativeOrder()).getInt();
        byte[] bytes = new byte[length];
        read(length).get(bytes);
        trace.say("received name: %d bytes, format %d", length, format);
        return new Name(format, bytes);
    }

    /** Returns when the other side is here too. */
    void sync() throws IOException {
        if (client) {
            write(text("q"));
            expect("a");
        } else {
            expect("q");
            write(text("a"));
        }
        trace.say("synchronised");
    }

    /** The client's count, on both sides. */
    long exchangeCount(long acknowledged) throws IOException {
        if (client) {
            write(ByteBuffer.allocate(COUNT_BYTES)
                    .put(Long.toString(acknowledged).getBytes(StandardCharsets.US_ASCII)).position(COUNT_BYTES));
            expect("cnt ok");
            return acknowledged;
        }
        String count = string(read(COUNT_BYTES));
        try {
            long parsed = Long.parseLong(count);
            write(text("cnt ok"));
            return parsed;
        } catch (NumberFormatException e) {
            throw new IOException("the peer sent the count \"" + count + "\"", e);
        }
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.allocate(text.length() + 1).put(text.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
    }

    private void expect(String text) throws IOException {
        String got = string(read(text.length() + 1));
        if (!got.equals(text)) {
            throw new IOException("the peer said \"" + got + "\" instead of \"" + text + "\"");
        }
    }

    private static String string(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        String text = new String(copy, StandardCharsets.ISO_8859_1);
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }

    private void write(ByteBuffer message) throws IOException {
        message.flip();
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }

    /** The next bytes: a view that is good until the next call. */
    private ByteBuffer read(int length) throws IOException {
        while (in.remaining() < length) {
            if (peerIsGone()) {
                throw new EOFException("the peer closed the control connection: its own terminal says why");
            }
            if (in.remaining() < length) {
                idle.run();
            }
        }
        ByteBuffer view = in.slice(in.position(), length);
        in.position(in.position() + length);
        return view;
    }

    /** Whether the peer has closed the connection. Reads what there is; never blocks. */
    boolean peerIsGone() throws IOException {
        in.compact();
        int n = channel.read(in);
        in.flip();
        return n < 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
