// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.Endpoint;
import io.jfabric.FabricArena;
import io.jfabric.async.Received;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.operation.Receive;
import io.jfabric.internal.clock.Clock;
import io.jfabric.internal.clock.Ticks;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/** Receives heartbeats, with several receives always posted, in the thread that makes progress. */
final class Receiving {
    private static final int RECEIVES = 16;

    private final NodeImpl node;
    private final Endpoint endpoint;
    /** Gets each heartbeat, and may write to its memory until it returns. */
    private final Consumer<MemorySegment> taker;
    private final Runnable nodeClosed;
    private final AtomicReferenceArray<CompletableFuture<Received>> posted = new AtomicReferenceArray<>(RECEIVES);
    private volatile boolean closed;

    /** For one of the node's endpoints; each of the receives runs {@code nodeClosed} when the node is closed. */
    Receiving(NodeImpl node, Endpoint endpoint, Consumer<MemorySegment> taker, Runnable nodeClosed) {
        this.node = node;
        this.endpoint = endpoint;
        this.taker = taker;
        this.nodeClosed = nodeClosed;
    }

    void start(FabricArena arena) {
        MemorySegment memory = arena.allocate((long) RECEIVES * Beat.LARGEST);
        for (int i = 0; i < RECEIVES; i++) {
            receive(i, memory.asSlice((long) i * Beat.LARGEST, Beat.LARGEST));
        }
    }

    private void receive(int index, MemorySegment buffer) {
        if (closed) {
            return;
        }
        CompletableFuture<Received> receive;
        try {
            receive = node.drive().start(new Receive(node.common(), node.common().ownReceives(), null, endpoint,
                    Clock.NEVER, buffer, 0, buffer.byteSize(), true, OwnTags.ALIVE, 0));
        } catch (RuntimeException refused) {
            if (node.isOpen()) {
                Ticks.once(1, () -> receive(index, buffer));
            } else {
                nodeClosed.run();
            }
            return;
        }
        posted.set(index, receive);
        if (closed) {
            // whoever closed it did not see this receive, which would take a message meant for the next keep-alive
            receive.cancel(true);
        }
        receive.whenComplete((received, failure) -> {
            if (failure == null) {
                try {
                    if (Beat.isSound(buffer, received.length())) {
                        taker.accept(buffer);
                    }
                } finally {
                    receive(index, buffer);
                }
            } else if (!node.isOpen()) {
                nodeClosed.run();
            } else if (!closed) {
                Ticks.once(1, () -> receive(index, buffer));
            }
        });
    }

    /**
     * Takes what was read already: the thread that read it may be held up by a callback of the program before it hands
     * it out. Returns whether there was any.
     */
    boolean hearNow() {
        boolean any = false;
        for (int i = 0; i < RECEIVES; i++) {
            any |= posted.get(i) instanceof Operation<?> receive && !receive.isDone() && receive.finishIfSettled();
        }
        return any;
    }

    void close() {
        closed = true;
        for (int i = 0; node.isOpen() && i < RECEIVES; i++) {
            CompletableFuture<Received> receive = posted.get(i);
            if (receive != null) {
                receive.cancel(true);
            }
        }
    }
}
