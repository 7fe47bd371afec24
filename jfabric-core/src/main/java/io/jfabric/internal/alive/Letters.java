// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricArena;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Sends messages that are too long to be injected, or are not to be, each from memory of its own, ahead of all that
 * waits for its peer. Any thread.
 */
final class Letters {
    private final NodeImpl node;
    /** In nanoseconds; nobody waits longer for an answer. */
    private final long deadline;
    private final Queue<MemorySegment> free = new ConcurrentLinkedQueue<>();
    /** Peers to which a question is under way. */
    private final Set<PeerImpl> asked = ConcurrentHashMap.newKeySet();

    Letters(NodeImpl node, FabricArena arena, long deadline) {
        this.node = node;
        this.deadline = deadline;
        // messages beyond those that can be under way are as good as lost
        MemorySegment all = arena.allocate((long) Flow.FIRST * Beat.LARGEST, 64);
        for (int i = 0; i < Flow.FIRST; i++) {
            free.add(all.asSlice((long) i * Beat.LARGEST, Beat.LARGEST));
        }
    }

    /** A question; does nothing, and is true, while the last one is under way, as the provider repeats that itself. */
    boolean ask(MemorySegment question, PeerImpl to) {
        return !asked.add(to) || send(question, to, () -> asked.remove(to));
    }

    /** Whether the provider has taken it. */
    boolean send(MemorySegment message, PeerImpl to) {
        return send(message, to, () -> { });
    }

    private boolean send(MemorySegment message, PeerImpl to, Runnable released) {
        Lane lane = to.firstTransmits();
        // room for a question and an answer
        boolean isFull = lane.isBehind() || lane.waiting() + lane.underWay() >= Flow.FIRST_PER_PEER;
        MemorySegment memory = isFull ? null : free.poll();
        if (memory == null) {
            released.run();
            return false;
        }
        Runnable over = () -> {
            free.add(memory);
            released.run();
        };
        boolean begun = false;
        try {
            memory.copyFrom(message);
            Operation<Void> sent = node.drive().start(TaggedSend.first(node.drive(), to, lane, Clock.after(deadline),
                    memory.asSlice(0, message.byteSize()), OwnTags.ALIVE));
            begun = true;
            sent.whenComplete((done, failure) -> node.whenReleased(sent, failure, over));
            return !sent.isPending() && !sent.isCompletedExceptionally();
        } finally {
            if (!begun) {
                over.run();
            }
        }
    }
}
