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
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Sends messages that are too long to be injected, each from memory of its own, ahead of all that waits for its peer.
 * Any thread.
 */
final class Letters {
    private final NodeImpl node;
    /** In nanoseconds; nobody waits longer for an answer. */
    private final long deadline;
    private final Queue<MemorySegment> free = new ConcurrentLinkedQueue<>();

    Letters(NodeImpl node, FabricArena arena, long deadline) {
        this.node = node;
        this.deadline = deadline;
        // messages beyond those that can be under way are as good as lost
        MemorySegment all = arena.allocate((long) Flow.FIRST * Beat.LARGEST, 64);
        for (int i = 0; i < Flow.FIRST; i++) {
            free.add(all.asSlice((long) i * Beat.LARGEST, Beat.LARGEST));
        }
    }

    /** Whether the provider has taken it. */
    boolean send(MemorySegment message, PeerImpl to) {
        Lane lane = to.firstTransmits();
        // room for a question and an answer
        MemorySegment memory = lane.waiting() + lane.underWay() >= Flow.FIRST_PER_PEER ? null : free.poll();
        if (memory == null) {
            return false;
        }
        boolean begun = false;
        try {
            memory.copyFrom(message);
            Operation<Void> sent = node.drive().start(TaggedSend.first(node.drive(), to, lane, Clock.after(deadline),
                    memory.asSlice(0, message.byteSize()), OwnTags.ALIVE));
            begun = true;
            sent.whenComplete((done, failure) -> node.whenReleased(sent, failure, () -> free.add(memory)));
            return !sent.isPending() && !sent.isCompletedExceptionally();
        } finally {
            if (!begun) {
                free.add(memory);
            }
        }
    }
}
