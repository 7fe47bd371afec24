// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.jmh;

import io.jfabric.Completion;
import io.jfabric.CompletionHandler;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * The remote process of the benchmarks: answers messages, and makes progress for accesses to its memory. Its clients
 * come one after the other, over a socket that stays open as long as they need it.
 */
public final class Peer implements CompletionHandler {
    static final long PING = 1;
    static final long PONG = 2;
    /** Counted only: each {@link #WINDOW} of them is acknowledged. */
    static final long RATE = 3;
    static final long ACK = 4;
    static final int WINDOW = 64;
    private static final int RECEIVES = 2 * WINDOW;
    private static final long ANSWER = RECEIVES;

    private final Port port;
    private final MemorySegment buffers;
    private final long bytes;
    private final int[] free = new int[RECEIVES];
    private int freeCount;
    private int pongs;
    private int acks;
    private int rated;
    private volatile boolean over;

    private Peer(Port port, MemorySegment buffers, long bytes) {
        this.port = port;
        this.buffers = buffers;
        this.bytes = bytes;
        for (int i = 0; i < RECEIVES; i++) {
            free[freeCount++] = i;
        }
    }

    /**
     * Serves until it is killed.
     *
     * @param args the host and port to listen on; with port 0 it is a child process: it takes any port, says which on
     *     stdout, and ends with its stdin
     * @throws IOException if it cannot listen
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: Peer HOST PORT");
            System.exit(2);
        }
        try (ServerSocket listener = new ServerSocket()) {
            listener.bind(new InetSocketAddress(InetAddress.getByName(args[0]), Integer.parseInt(args[1])));
            if (args[1].equals("0")) {
                Thread.ofPlatform().daemon().start(Peer::endWithParent);
            }
            System.out.println("listening on port " + listener.getLocalPort());
            while (true) {
                try (Socket client = listener.accept()) {
                    serve(client);
                } catch (IOException | RuntimeException e) {
                    System.err.println("peer: " + e);
                }
            }
        }
    }

    private static void endWithParent() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // that is an end too
        }
        System.exit(0);
    }

    private static void serve(Socket client) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        String provider = in.readUTF();
        String node = in.readUTF();
        Capability[] capabilities = new Capability[in.readInt()];
        for (int i = 0; i < capabilities.length; i++) {
            capabilities[i] = Capability.valueOf(in.readUTF());
        }
        long bytes = in.readLong();
        // the address that the client came to is one that it reaches
        String local = node.isEmpty() ? "" : client.getLocalAddress().getHostAddress();
        try (Arena arena = Arena.ofShared(); Port port = new Port(provider, local, bytes, capabilities)) {
            write(out, port.name());
            write(out, port.region == null ? new byte[0] : port.region.remote().toBytes());
            port.connect(in.readNBytes(in.readInt()));
            Peer peer = new Peer(port, arena.allocate(RECEIVES * bytes, 64), bytes);
            Thread.ofPlatform().daemon().start(() -> peer.awaitEnd(in));
            peer.run(out);
        }
    }

    static void write(DataOutputStream out, byte[] value) throws IOException {
        out.writeInt(value.length);
        out.write(value);
    }

    private void awaitEnd(DataInputStream in) {
        try {
            in.read();
        } catch (IOException e) {
            // that is an end too
        }
        over = true;
    }

    private void run(DataOutputStream out) throws IOException {
        repost();
        out.writeByte(1);
        while (!over) {
            port.queue.poll(this, Port.BATCH);
            repost();
            while (pongs > 0 && answer(PONG)) {
                pongs--;
            }
            while (acks > 0 && answer(ACK)) {
                acks--;
            }
        }
    }

    private void repost() {
        while (freeCount > 0) {
            int slot = free[freeCount - 1];
            if (!port.endpoint.tagged().receive(buffers, slot * bytes, bytes, Address.ANY, 0, ~0L, slot)) {
                return;
            }
            freeCount--;
        }
    }

    private boolean answer(long tag) {
        return port.endpoint.tagged().send(port.send, 0, bytes, port.peer, tag, ANSWER);
    }

    @Override
    public void onCompletion(Completion completion) {
        if (completion.context() == ANSWER) {
            return;
        }
        free[freeCount++] = (int) completion.context();
        if (completion.tag() == PING) {
            pongs++;
        } else if (++rated == WINDOW) {
            rated = 0;
            acks++;
        }
    }
}
