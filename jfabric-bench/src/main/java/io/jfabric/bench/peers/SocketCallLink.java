// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Request and response over a socket channel, in a loop that does not sleep: length and number of the call in front of
 * each message, and a map of the futures. No deadlines, no limits.
 */
final class SocketCallLink extends CallLink {
    private static final int HEADER = Integer.BYTES + Long.BYTES;
    private static final int READ_AHEAD = 1 << 16;

    private final SocketChannel channel;
    private final boolean server;
    private final ByteBuffer out;
    private final ByteBuffer in;
    private final byte[] payload;
    private final Map<Long, CompletableFuture<Long>> futures = new HashMap<>();
    private int start;

    SocketCallLink(SocketChannel channel, boolean server, int largest) {
        this.channel = channel;
        this.server = server;
        out = ByteBuffer.allocateDirect(HEADER + largest).order(ByteOrder.nativeOrder());
        in = ByteBuffer.allocateDirect(READ_AHEAD + 2 * (HEADER + largest)).order(ByteOrder.nativeOrder());
        payload = new byte[largest];
    }

    @Override
    void send(int bytes) throws IOException {
        long number = next();
        CompletableFuture<Long> future = new CompletableFuture<>();
        futures.put(number, future);
        future.whenComplete((answer, failure) -> answered(number, answer, failure));
        write(number, bytes);
    }

    private void write(long number, int bytes) throws IOException {
        out.clear().putInt(bytes).putLong(number).put(payload, 0, bytes).putLong(HEADER, number).flip();
        while (out.hasRemaining()) {
            // the other side may be writing, too
            if (channel.write(out) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    void progress() throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("the other side is gone");
        }
        int end = in.position();
        while (end - start >= HEADER && end - start >= HEADER + in.getInt(start)) {
            int from = start;
            start += HEADER + in.getInt(from);
            handle(in.getLong(from + Integer.BYTES), in.getLong(from + HEADER), in.getInt(from), from + HEADER);
        }
        if (start == end) {
            in.clear();
            start = 0;
        } else if (in.remaining() < HEADER + payload.length) {
            in.flip().position(start).compact();
            start = 0;
        }
    }

    private void handle(long id, long number, int bytes, int at) throws IOException {
        // to where the program wants it
        in.get(at, payload, 0, bytes);
        if (server) {
            write(id, asked(number));
            arrivedInAnyOrder();
        } else {
            futures.remove(id).complete(number);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
