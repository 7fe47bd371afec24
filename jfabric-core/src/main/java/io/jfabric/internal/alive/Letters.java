// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricArena;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Messages that are too long to be injected: each is sent from memory of its own. Any thread. */
final class Letters {
    /** Under way to all peers; more are as good as lost. */
    private static final int MOST = 256;

    private final NodeImpl node;
    private final Queue<MemorySegment> free = new ConcurrentLinkedQueue<>();

    Letters(NodeImpl node, FabricArena arena) {
        this.node = node;
        MemorySegment all = arena.allocate((long) MOST * Beat.LARGEST, 64);
        for (int i = 0; i < MOST; i++) {
            free.add(all.asSlice((long) i * Beat.LARGEST, Beat.LARGEST));
        }
    }

    /** Whether the provider has taken it. */
    boolean send(MemorySegment message, PeerImpl to) {
        MemorySegment memory = to.waiting() > 0 ? null : free.poll();
        if (memory == null) {
            return false;
        }
        boolean begun = false;
        try {
            memory.copyFrom(message);
            CompletableFuture<Void> sent = node.internal().send(memory, 0, message.byteSize(), to, OwnTags.ALIVE);
            begun = true;
            sent.whenComplete((done, failure) -> node.whenReleased(sent, failure, () -> free.add(memory)));
            return !((Operation<?>) sent).isPending();
        } finally {
            if (!begun) {
                free.add(memory);
            }
        }
    }
}
