// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.Address;
import io.jfabric.Completion;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Messages;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** jfabric: messages, small ones injected, receives posted while the message is under way. */
final class FabricLink extends Link implements CompletionHandler {
    private static final int BATCH = 16;
    private static final int SENT = WINDOW;
    private static final int PAGE = 4096;

    private final Arena arena = Arena.ofShared();
    private final FabricConnection connection;
    private final CompletionQueue queue;
    private final Messages messages;
    private final long peer;
    private final long injectable;
    private final MemorySegment out;
    private final MemorySegment in;
    private int sending;
    private int sendSlot;
    private int receiveSlot;
    private int receiveStride;

    FabricLink(FabricConnection connection, int largest) {
        this.connection = connection;
        queue = connection.queue();
        messages = connection.endpoint().messages();
        peer = connection.peer();
        injectable = connection.info().tx().injectSize();
        out = arena.allocate((long) stride(largest) * WINDOW, PAGE).fill((byte) 1);
        in = arena.allocate((long) stride(largest) * WINDOW, PAGE).fill((byte) 1);
    }

    @Override
    protected void post(int bytes, int count, boolean first) {
        if (first) {
            receiveSlot = 0;
            receiveStride = stride(bytes);
        }
        for (int i = 0; i < count; i++) {
            while (!messages.receive(in, (long) receiveSlot * receiveStride, bytes, Address.ANY, receiveSlot)) {
                progress();
            }
            receiveSlot = (receiveSlot + 1) % WINDOW;
        }
    }

    @Override
    void send(int bytes) {
        long offset = (long) sendSlot * stride(bytes);
        out.set(ValueLayout.JAVA_LONG, offset, next());
        if (bytes <= injectable) {
            while (!messages.inject(out, offset, bytes, peer)) {
                progress();
            }
            return;
        }
        while (!messages.send(out, offset, bytes, peer, SENT)) {
            progress();
        }
        sending++;
        sendSlot = (sendSlot + 1) % WINDOW;
    }

    /** All buffers may be used again afterwards, the same ones first. */
    @Override
    void flush() {
        while (sending > 0) {
            progress();
        }
        sendSlot = 0;
    }

    @Override
    void progress() {
        queue.poll(this, BATCH);
    }

    @Override
    public void onCompletion(Completion completion) {
        long context = completion.context();
        if (context == SENT) {
            sending--;
        } else {
            arrived(in.get(ValueLayout.JAVA_LONG, context * receiveStride));
        }
    }

    @Override
    public void close() {
        connection.close();
        arena.close();
    }
}
