// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;

/** Sixty-four operation contexts: endpoints take them from their domain in such chunks. */
final class ContextChunk {
    static final int SLOT_BITS = 6;
    static final int SLOTS = 1 << SLOT_BITS;
    private static final int ID_BITS = 24;
    static final int MAX_ID = (1 << ID_BITS) - 1;
    private static final int INDEX_BITS = SLOT_BITS + ID_BITS;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
    /** Bit 0 is set in tokens, so that none is ever taken for NULL or for an address. */
    private static final int INDEX_SHIFT = 1;
    /** By how much the next token of a slot exceeds this one. */
    static final long GENERATION = 1L << INDEX_SHIFT + INDEX_BITS;
    private static final int CONTEXT_BYTES = 64;

    private final MemorySegment memory;
    private final ContextSlot[] slots = new ContextSlot[SLOTS];

    ContextChunk(int id, boolean nativeMemory) {
        this.memory = nativeMemory ? Arena.ofAuto().allocate(SLOTS * CONTEXT_BYTES, CONTEXT_BYTES) : null;
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = new ContextSlot(nativeMemory
                    ? memory.address() + i * CONTEXT_BYTES
                    : GENERATION | (long) id << SLOT_BITS + INDEX_SHIFT | i << INDEX_SHIFT | 1, nativeMemory);
        }
    }

    /** The index of a token's slot among all slots of the domain. */
    static int indexOf(long token) {
        return (int) (token >>> INDEX_SHIFT) & INDEX_MASK;
    }

    boolean isNative() {
        return memory != null;
    }

    ContextSlot slot(int number) {
        return slots[number];
    }

    /** The slot at an address; null if it is outside this chunk. */
    ContextSlot slotAt(long address) {
        long offset = address - memory.address();
        return offset >= 0 && offset < SLOTS * CONTEXT_BYTES ? slots[(int) (offset / CONTEXT_BYTES)] : null;
    }

    /**
     * The token of a slot in use with this context and kind; 0 for none. Threads may post and complete meanwhile: a
     * token that was there before the free slots were looked at, and still is, has belonged to one operation all the
     * time.
     */
    long find(long context, byte kind, Predicate<ContextSlot> isFree) {
        for (ContextSlot slot : slots) {
            if (slot.context == context) {
                long token = slot.token;
                VarHandle.loadLoadFence();
                if (slot.context == context && (slot.kind == kind || kind == ContextSlab.ANY_KIND)
                        && !isFree.test(slot)) {
                    VarHandle.loadLoadFence();
                    if (slot.matches(token)) {
                        return token;
                    }
                }
            }
        }
        return 0;
    }

    /** The endpoint is closed: lets go of the buffers. Tokens stay valid, as completions may still be unread. */
    void retire() {
        for (ContextSlot slot : slots) {
            slot.owner = null;
            slot.letGo();
            if (slot.kind == ContextSlab.CLAIMED) {
                // its completion was read, and nobody can claim it any more
                slot.nextToken();
            }
        }
    }

    /** Whether it belongs to an open endpoint. */
    boolean isOwned() {
        return slots[0].owner != null;
    }

    /** Whether a completion that carries an address may still come: it would be taken for a newer operation's. */
    boolean isAwaited() {
        for (ContextSlot slot : slots) {
            if (slot.isBusy()) {
                return true;
            }
        }
        return false;
    }

    /** Another endpoint takes the chunk: no token of the previous one may match any more. */
    void renew(ContextSlab slab) {
        if (memory != null) {
            // pointers that providers left there lead to what the previous endpoint had
            memory.fill((byte) 0);
        }
        for (ContextSlot slot : slots) {
            slot.owner = slab;
            slot.nextToken();
        }
    }
}
