// SPDX-License-Identifier: Apache-2.0
package io.jfabric.launch.internal.rendezvous;

import io.jfabric.launch.internal.session.Deadline;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One side of a connection. Sending never waits: a thread of its own writes, and pings when there is nothing to write,
 * so that the other side notices when this one is no longer there.
 */
final class Line implements AutoCloseable {
    /** The last frame: what was sent before has been handed to the kernel when the stream ends. */
    private static final Frame END = Frame.empty((byte) 0);

    final Socket socket;
    final DataInputStream in;
    private final DataOutputStream out;
    private final LinkedBlockingQueue<Frame> outgoing = new LinkedBlockingQueue<>();
    private final CountDownLatch written = new CountDownLatch(1);
    private volatile Deadline end;

    Line(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new DataInputStream(new BufferedInputStream(new Bounded(socket.getInputStream())));
        out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** What is read from now on must have come by then, all of it; null for the time-out of the socket. */
    void within(Deadline deadline) {
        end = deadline;
    }

    /** A byte now and then does not prolong a deadline. */
    private final class Bounded extends FilterInputStream {
        Bounded(InputStream from) {
            super(from);
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            Deadline until = end;
            if (until != null) {
                if (until.passed()) {
                    throw new SocketTimeoutException("not all has come within " + until);
                }
                socket.setSoTimeout(Math.clamp(until.millis(), 1, Integer.MAX_VALUE));
            }
            return super.read(to, offset, length);
        }
    }

    /** Sends the magic and a frame, in this thread; before {@link #start}. */
    void greet(Frame frame) throws IOException {
        out.write(Frame.MAGIC);
        frame.write(out);
        out.flush();
    }

    /** From now on frames go through the queue; after so many milliseconds of silence either side is lost. */
    void start(Thread.Builder thread, int liveness) throws IOException {
        end = null;
        socket.setSoTimeout(liveness);
        thread.start(() -> write(liveness / 4));
    }

    void send(Frame frame) {
        outgoing.add(frame);
    }

    private void write(int pause) {
        try {
            while (true) {
                Frame frame = outgoing.poll(pause, TimeUnit.MILLISECONDS);
                if (frame == END) {
                    out.flush();
                    socket.shutdownOutput();
                    return;
                }
                (frame == null ? Frame.empty(Frame.PING) : frame).write(out);
                if (outgoing.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException | InterruptedException e) {
            close();
        } catch (Throwable e) {
            // nobody would ping any more: better the other side notices at once
            close();
            throw e;
        } finally {
            written.countDown();
        }
    }

    /** Ends the stream after what was sent. */
    void finish() {
        outgoing.add(END);
    }

    /** Waits until what was sent is with the kernel, after {@link #finish}, or cannot be sent any more. */
    void awaitWritten(Deadline deadline) throws InterruptedException {
        written.await(deadline.millis(), TimeUnit.MILLISECONDS);
    }

    /** Whoever reads gets an exception. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no further use either way
        }
    }
}
