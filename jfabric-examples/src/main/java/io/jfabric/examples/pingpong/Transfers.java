// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.pingpong;

import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Endpoint;
import io.jfabric.Messages;
import io.jfabric.Request;
import io.jfabric.TaggedMessages;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.OperationFlag;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * Sends and receives one message at a time. Always one receive is posted ahead, as large as any message.
 *
 * <p>{@link #send} and {@link #receive} are the loop that is measured: they allocate nothing.
 */
final class Transfers {
    private static final long TAG = 1234;
    private static final byte[] FIN = {'f', 'i', 'n', 0};
    /** How many polls before a processor is given up: where there are too few, the peer may need this one. */
    private static final int POLLS_BEFORE_YIELD = 1 << 10;
    /** How many polls between two looks at the control connection. */
    private static final int POLLS_BEFORE_LOOK = 1 << 16;
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Control control;
    private final Endpoint endpoint;
    private final Messages messages;
    private final TaggedMessages tagged;
    private final boolean useTags;
    private final long injectSize;
    private final CompletionQueue transmitQueue;
    private final CompletionQueue receiveQueue;
    // kept in fields: a new handler per poll would be garbage
    private final CompletionHandler onTransmitted = completion -> countTransmitted();
    private final CompletionHandler onReceived = completion -> countReceived();
    private final MemorySegment out;
    private final MemorySegment in;
    private final Pattern pattern;

    private long peer = Address.ANY;
    private long transmitted;
    private long received;
    private long toTransmit;
    private long toReceive;
    /** When a peer that has left is missed at last; 0 while it may not leave at all. */
    private long deadline;

    Transfers(Link link, Control control, boolean check) {
        this.control = control;
        this.endpoint = link.endpoint();
        this.messages = endpoint.messages();
        this.tagged = endpoint.tagged();
        this.useTags = link.info().capabilities().contains(Capability.TAGGED);
        this.injectSize = link.info().tx().injectSize();
        this.transmitQueue = link.transmitted();
        this.receiveQueue = link.received();
        this.out = link.sendBuffer();
        this.in = link.receiveBuffer();
        this.pattern = check ? new Pattern() : null;
    }

    private void countTransmitted() {
        transmitted++;
    }

    private void countReceived() {
        received++;
    }

    /** Where messages go from now on; connected endpoints need no address. */
    void peer(long address) {
        peer = address;
    }

    /** Posts the receive for the next message. */
    void postReceive() throws IOException {
        postSpareReceive();
        toReceive++;
    }

    /** Posts a receive that nothing waits for. */
    void postSpareReceive() throws IOException {
        for (int polls = 1; !(useTags
                ? tagged.receive(in, 0, in.byteSize(), Address.ANY, TAG, 0, 0)
                : messages.receive(in, 0, in.byteSize(), Address.ANY, 0)); polls++) {
            progress(polls);
        }
    }

    /** Sends a message and, unless it is so small that it is copied at once, waits until it has left. */
    void send(int size) throws IOException {
        if (pattern != null) {
            pattern.fill(out, size);
        }
        toTransmit++;
        if (size < injectSize) {
            for (int polls = 1; !(useTags
                    ? tagged.inject(out, 0, size, peer, TAG)
                    : messages.inject(out, 0, size, peer)); polls++) {
                progress(polls);
            }
            transmitted++;
        } else {
            for (int polls = 1; !(useTags
                    ? tagged.send(out, 0, size, peer, TAG, 0)
                    : messages.send(out, 0, size, peer, 0)); polls++) {
                progress(polls);
            }
            awaitTransmitted();
        }
    }

    /** Waits for the message that was posted last and posts the next receive. */
    void receive(int size) throws IOException {
        awaitReceived();
        if (pattern != null) {
            check(size);
        }
        postReceive();
    }

    private void check(int size) throws IOException {
        long error = pattern.firstError(in, size);
        if (error >= 0) {
            throw new CorruptMessageException(pattern.checked(), size, error);
        }
    }

    /** Says goodbye and waits for the peer's. */
    void finish() throws IOException {
        deadline = System.nanoTime() + GRACE.toNanos();
        MemorySegment fin = out.asSlice(0, FIN.length);
        MemorySegment.copy(FIN, 0, fin, ValueLayout.JAVA_BYTE, 0, FIN.length);
        Request<?> goodbye = useTags ? tagged.sendRequest().tag(TAG) : messages.sendRequest();
        goodbye.buffers(fin).peer(peer).flags(OperationFlag.TRANSMIT_COMPLETE);
        toTransmit++;
        for (int polls = 1; !goodbye.post(0); polls++) {
            progress(polls);
        }
        awaitTransmitted();
        awaitReceived();
    }

    private void awaitTransmitted() throws IOException {
        for (int polls = 1; transmitted < toTransmit; polls++) {
            if (transmitQueue.poll(onTransmitted, 1) == 0) {
                idle(polls);
            }
        }
    }

    private void awaitReceived() throws IOException {
        for (int polls = 1; received < toReceive; polls++) {
            if (receiveQueue.poll(onReceived, 1) == 0) {
                idle(polls);
            }
        }
    }

    /** Lets the provider work. */
    void progress() {
        transmitQueue.poll(onTransmitted, 1);
        receiveQueue.poll(onReceived, 1);
    }

    /** Until an operation is taken, which it may never be if the peer is gone. */
    private void progress(int polls) throws IOException {
        progress();
        idle(polls);
    }

    private void idle(int polls) throws IOException {
        if ((polls & POLLS_BEFORE_YIELD - 1) == 0) {
            Thread.yield();
        }
        if ((polls & POLLS_BEFORE_LOOK - 1) == 0 && control.peerIsGone() && mustBeHere()) {
            // C would wait forever
            throw new EOFException("the peer closed the control connection before its last message came");
        }
    }

    /** At the end, the peer may have left before its goodbye is received. */
    private boolean mustBeHere() {
        return deadline == 0 || System.nanoTime() - deadline > 0;
    }
}
