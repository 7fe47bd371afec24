// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricArena;
import io.jfabric.FabricException;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.peer.PeerImpl;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Sends beats. They are injected past all that waits for a peer: one that the provider does not take is as good as one
 * that is lost. Any thread, each out of memory of its own.
 */
final class Sending {
    private final NodeImpl node;
    private final FabricArena arena;
    private final long incarnation;
    private final byte[] address;
    /** Where the provider injects less than these; else null. */
    private final Letters letters;

    /** In nanoseconds: for how long a message may be under way. */
    Sending(NodeImpl node, FabricArena arena, long deadline) {
        this.node = node;
        this.arena = arena;
        this.incarnation = node.attached(Incarnation.class, opened -> Incarnation.create()).number();
        this.address = node.address().bytes();
        this.letters = node.info().tx().injectSize() < questionSize()
                ? new Letters(node, arena, deadline) : null;
    }

    private long questionSize() {
        return Beat.HEADER + address.length;
    }

    /** For who sends: room for one message. */
    MemorySegment room() {
        return arena.allocate(questionSize());
    }

    /** Sends a question of that type out of that memory: it says where this node is. Whether the provider took it. */
    boolean ask(MemorySegment memory, int type, long key, PeerImpl to) {
        Beat.write(memory, type, key, incarnation, address.length);
        MemorySegment.copy(address, 0, memory, ValueLayout.JAVA_BYTE, Beat.HEADER, address.length);
        return inject(memory, questionSize(), to);
    }

    /** Sends an answer of that type to the question with that key. Whether the provider has taken it. */
    boolean answer(MemorySegment memory, int type, long key, PeerImpl to) {
        Beat.write(memory, type, key, incarnation, 0);
        return inject(memory, Beat.HEADER, to);
    }

    private boolean inject(MemorySegment beat, long length, PeerImpl to) {
        try {
            if (letters != null) {
                return to.isOpen() && letters.send(beat.asSlice(0, length), to);
            }
            if (to.isOpen() && to.endpoint().tagged().inject(beat, 0, length, to.fabricAddress(), OwnTags.ALIVE)) {
                node.drive().nudge();
                return true;
            }
        } catch (FabricException | IllegalStateException | IllegalArgumentException unreachable) {
            // its silence will tell; or it is gone from the address vector, with the node as a rule
        }
        return false;
    }
}
