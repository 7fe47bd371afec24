// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import java.io.IOException;

/**
 * One end of a connection between two processes, used by one thread. Every message begins with its number, which the
 * other side checks: a peer that lost, repeated or reordered messages must not win.
 */
abstract class Link implements AutoCloseable {
    /** So many messages go one way before they are acknowledged. */
    static final int WINDOW = 64;

    /** Size of the messages that are expected. */
    protected int expectedBytes;
    private long sent;
    private long received;
    private long expected;

    /** So many messages of this size come next: post receives, where there is such a thing. */
    final void expect(int bytes, int count) throws Exception {
        expectedBytes = bytes;
        post(bytes, count);
        expected += count;
    }

    /** Until all expected messages are here. */
    final void await() throws Exception {
        while (received < expected) {
            progress();
        }
    }

    /** Number of the message that is sent next. */
    protected final long next() {
        return sent++;
    }

    /** A message is here. */
    protected final void arrived(long number) {
        if (number != received) {
            throw new IllegalStateException("message " + number + " arrived instead of " + received);
        }
        received++;
    }

    /** As {@link #arrived}, of what may overtake others and was checked already. */
    protected final void arrivedInAnyOrder() {
        received++;
    }

    /** Whether the server answers each message by itself, as soon as it is here. */
    boolean answersEach() {
        return false;
    }

    /** The server: how long the answers are, if it answers each. */
    void answerWith(int bytes) {
        throw new UnsupportedOperationException();
    }

    /** Whether all messages that were expected are here. */
    protected final boolean isIdle() {
        return received == expected;
    }

    /** Posts receives. */
    protected void post(int bytes, int count) throws Exception {
    }

    /** Hands over a message, at most {@link #WINDOW} of them without an answer. */
    abstract void send(int bytes) throws Exception;

    /** What has been handed over is on its way afterwards. */
    void flush() throws Exception {
    }

    /** Looks for messages once, or sleeps until there is one. */
    abstract void progress() throws Exception;

    @Override
    public abstract void close() throws IOException;
}
