// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricArena;
import io.jfabric.FabricException;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;

/**
 * Sends heartbeats. They are injected, if that may be, past all that waits for a peer: one that the provider refuses is
 * as good as lost. Any thread, each from memory of its own.
 */
final class Sending {
    private final NodeImpl node;
    private final FabricArena arena;
    private final long incarnation;
    private final byte[] address;
    /** Null if there is none. */
    private final SideWay side;
    /** Of the side endpoint; empty if there is none. */
    private final byte[] sideAddress;
    /** Null where questions are injected. */
    private final Letters letters;
    /** Whether the provider repeats a question, and so gets no other before that is answered. */
    private final boolean asksOnce;

    /** {@code deadline}: for how long a message may be under way, in nanoseconds. */
    Sending(NodeImpl node, SideWay side, FabricArena arena, long deadline) {
        this.node = node;
        this.side = side;
        this.sideAddress = side == null ? new byte[0] : side.address();
        this.arena = arena;
        this.incarnation = node.attached(Incarnation.class, opened -> Incarnation.create()).number();
        this.address = node.address().bytes();
        this.asksOnce = Quirks.of(node.info().provider()).has(Quirk.UNANSWERED_KEEP_PLACES);
        this.letters = asksOnce || node.info().tx().injectSize() < questionSize()
                ? new Letters(node, arena, deadline) : null;
    }

    private long questionSize() {
        return Beat.HEADER + address.length;
    }

    /** Memory for one message, for a thread that sends. */
    MemorySegment room() {
        return arena.allocate(questionSize() + sideAddress.length);
    }

    /** The side way to a peer; null if there is none, or the peer has not told it yet. */
    Way sideWay(PeerImpl to) {
        SidePlaces.Place place = side == null ? null : side.find(to);
        return place == null ? null : new Way(to, place);
    }

    /** Whether questions that claim to be the peer's have come over the side way. */
    boolean isAskedBySide(PeerImpl peer) {
        return side != null && side.isAskedBy(peer);
    }

    /** The way to answer a question that claims to be the peer's. */
    Way wayBack(MemorySegment question, PeerImpl peer) {
        SidePlaces.Place place = side != null && Beat.isForSide(question)
                ? side.toAnswer(peer, Beat.secondAddress(question)) : null;
        return new Way(peer, place);
    }

    /** Notes where the peer's side endpoint is, if its answer says so. */
    void learn(MemorySegment answer, PeerImpl peer) {
        if (side != null && !Beat.isForSide(answer)) {
            side.learn(peer, Beat.address(answer));
        }
    }

    /**
     * Sends a question, with this node's address, from that memory. Returns whether the provider took it, or repeats
     * the one before.
     */
    boolean ask(MemorySegment memory, int type, long key, Way to) {
        return attempt(() -> {
            long length = writeQuestion(memory, type, key, to);
            return asksOnce && to.peer().isOpen() ? letters.ask(memory.asSlice(0, length), to.peer())
                    : inject(memory, length, to);
        });
    }

    private long writeQuestion(MemorySegment memory, int type, long key, Way to) {
        MemorySegment.copy(address, 0, memory, ValueLayout.JAVA_BYTE, Beat.HEADER, address.length);
        if (to.isMain()) {
            Beat.write(memory, type, key, incarnation, address.length);
            return questionSize();
        }
        Beat.writeForSide(memory, type, key, incarnation, address.length, sideAddress.length);
        MemorySegment.copy(sideAddress, 0, memory, ValueLayout.JAVA_BYTE, questionSize(), sideAddress.length);
        return questionSize() + sideAddress.length;
    }

    /** Sends an answer of that type to the question with that key. Returns whether the provider took it. */
    boolean answer(MemorySegment memory, int type, long key, Way to) {
        return attempt(() -> inject(memory, writeAnswer(memory, type, key, to), to));
    }

    private long writeAnswer(MemorySegment memory, int type, long key, Way to) {
        if (!to.isMain()) {
            Beat.writeForSide(memory, type, key, incarnation, 0, 0);
            return Beat.HEADER;
        }
        Beat.write(memory, type, key, incarnation, sideAddress.length);
        MemorySegment.copy(sideAddress, 0, memory, ValueLayout.JAVA_BYTE, Beat.HEADER, sideAddress.length);
        return Beat.HEADER + sideAddress.length;
    }

    private static boolean attempt(BooleanSupplier sending) {
        try {
            return sending.getAsBoolean();
        } catch (FabricException | IllegalStateException | IllegalArgumentException unreachable) {
            // its silence will tell; or it was removed from the address vector, as a rule with the node; or the
            // keep-alive is closed, and its memory with it
            return false;
        }
    }

    private boolean inject(MemorySegment beat, long length, Way way) {
        PeerImpl to = way.peer();
        if (!to.isOpen()) {
            return false;
        }
        if (way.isMain() && letters != null) {
            return letters.send(beat.asSlice(0, length), to);
        }
        boolean taken = way.isMain()
                ? to.endpoint().tagged().inject(beat, 0, length, to.fabricAddress(), OwnTags.ALIVE)
                : way.place().inject(beat, length);
        if (taken) {
            node.drive().nudge();
        }
        return taken;
    }
}
