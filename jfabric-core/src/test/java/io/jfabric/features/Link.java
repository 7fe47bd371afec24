// SPDX-License-Identifier: Apache-2.0
package io.jfabric.features;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Lines of text between the two processes, beside the network that is tried. */
final class Link implements AutoCloseable {
    /** Factor of all deadlines, for machines that are slow: the emulated one of scripts/test-verbs. */
    static final int PATIENCE = Integer.getInteger("jfabric.features.patience", 1);
    static final Duration DEADLINE = Duration.ofSeconds(40L * PATIENCE);
    /** What a side says whose part went wrong. */
    private static final String FAILED = "failed: ";

    private final Socket socket;
    private final BufferedReader in;
    private final PrintWriter out;

    private Link(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Prints the port that the other side is to connect to. */
    static Link listen() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.out.println("port " + server.getLocalPort());
            return new Link(server.accept());
        }
    }

    static Link connect(int port) throws IOException {
        return new Link(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    void tell(String line) {
        out.println(line);
    }

    void fail(Throwable why) {
        tell(FAILED + String.valueOf(why).replace('\n', ' '));
    }

    /** The other's next line; {@code meanwhile} drives this side on. */
    String hear(Runnable meanwhile) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        try {
            while (!in.ready()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("the other side says nothing");
                }
                meanwhile.run();
                Thread.onSpinWait();
            }
            String line = in.readLine();
            if (line.startsWith(FAILED)) {
                throw new OtherSideFailed(line.substring(FAILED.length()));
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Drives this side on until the other says something, so that it can end what it is at. */
    void linger(Runnable meanwhile) {
        long end = System.nanoTime() + DEADLINE.toNanos() / 2;
        try {
            while (!in.ready() && System.nanoTime() < end) {
                meanwhile.run();
                Thread.onSpinWait();
            }
        } catch (IOException gone) {
            // then it needs nothing
        }
    }

    /** What went wrong on the other side, and is told there. */
    static final class OtherSideFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OtherSideFailed(String message) {
            super(message);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
