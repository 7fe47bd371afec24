// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.Completion;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Messages;
import io.jfabric.info.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** jfabric: messages, small ones injected, receives posted while the message is under way. */
final class FabricLink extends SlottedLink implements CompletionHandler {
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

    FabricLink(FabricConnection connection, int largest) {
        this.connection = connection;
        queue = connection.queue();
        messages = connection.endpoint().messages();
        peer = connection.peer();
        injectable = connection.info().tx().injectSize();
        out = arena.allocate(capacity(largest), PAGE).fill((byte) 1);
        in = arena.allocate(capacity(largest), PAGE).fill((byte) 1);
    }

    @Override
    protected void receive(int slot, int bytes) {
        while (!messages.receive(in, offset(slot, bytes), bytes, Address.ANY, slot)) {
            progress();
        }
    }

    @Override
    void send(int bytes) {
        long offset = sendOffset(bytes);
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
        started();
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
            arrived(in.get(ValueLayout.JAVA_LONG, offset((int) context, expectedBytes)));
        }
    }

    @Override
    public void close() {
        connection.close();
        arena.close();
    }
}
