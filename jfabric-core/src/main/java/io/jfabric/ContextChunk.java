// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Sixty-four operation contexts: for each the token, what the user gave, and what must stay reachable. */
final class ContextChunk {
    static final int SLOT_BITS = 6;
    static final int SLOTS = 1 << SLOT_BITS;
    static final int SLOT_MASK = SLOTS - 1;
    private static final int ID_BITS = 26;
    static final int MAX_ID = (1 << ID_BITS) - 1;
    /** Bit 0 is set in tokens, so that none is ever taken for NULL or for an address. */
    private static final int ID_SHIFT = SLOT_BITS + 1;
    private static final long GENERATION = 1L << ID_SHIFT + ID_BITS;
    private static final int CONTEXT_BYTES = 64;

    /** Whose operations these are; null while nobody's. */
    ContextSlab owner;
    /** First slot's number within the slab. */
    int firstSlot;
    /** Links of the slab's stack of returned slots. */
    final int[] next = new int[SLOTS];
    private final MemorySegment memory;
    private final long[] tokens = new long[SLOTS];
    private final long[] contexts = new long[SLOTS];
    private final Object[] kept = new Object[SLOTS];
    private final byte[] kinds = new byte[SLOTS];
    private final boolean[] busy = new boolean[SLOTS];

    ContextChunk(int id, boolean nativeMemory) {
        this.memory = nativeMemory ? Arena.ofAuto().allocate(SLOTS * CONTEXT_BYTES, CONTEXT_BYTES) : null;
        for (int slot = 0; slot < SLOTS; slot++) {
            tokens[slot] = nativeMemory
                    ? memory.address() + slot * CONTEXT_BYTES
                    : GENERATION | (long) id << ID_SHIFT | slot << 1 | 1;
        }
    }

    static int idOf(long token) {
        return (int) (token >>> ID_SHIFT) & MAX_ID;
    }

    static int slotOf(long token) {
        return (int) (token >>> 1) & SLOT_MASK;
    }

    boolean isNative() {
        return memory != null;
    }

    /** The slot of a token of this chunk; -1 for an address outside it. */
    int slot(long token) {
        if (memory == null) {
            return slotOf(token);
        }
        long offset = token - memory.address();
        return offset >= 0 && offset < SLOTS * CONTEXT_BYTES ? (int) (offset / CONTEXT_BYTES) : -1;
    }

    long token(int slot) {
        return tokens[slot];
    }

    long context(int slot) {
        return contexts[slot];
    }

    byte kind(int slot) {
        return kinds[slot];
    }

    Object kept(int slot) {
        return kept[slot];
    }

    /** The token of a slot in use with this context; 0 for none. */
    long find(long context) {
        for (int slot = 0; slot < SLOTS; slot++) {
            if (busy[slot] && contexts[slot] == context) {
                return tokens[slot];
            }
        }
        return 0;
    }

    /** Fills a slot; returns its token. */
    long fill(int slot, long context, Object keep, byte kind) {
        contexts[slot] = context;
        // A reference store costs a GC barrier; a loop that posts the same buffer over and over pays it once.
        if (kept[slot] != keep) {
            kept[slot] = keep;
        }
        kinds[slot] = kind;
        busy[slot] = true;
        return tokens[slot];
    }

    /** Ends the life of a slot's token. A plain buffer stays reachable until the slot is used again. */
    void expire(int slot) {
        busy[slot] = false;
        if (memory == null) {
            tokens[slot] += GENERATION;
        }
        if (kinds[slot] != ContextSlab.PLAIN) {
            if (kept[slot] instanceof Kept resources) {
                resources.release();
            }
            kept[slot] = null;
        }
    }

    /** The endpoint is closed: lets go of the buffers. Tokens stay valid, as completions may still be unread. */
    void retire() {
        owner = null;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (busy[slot] && kept[slot] instanceof Kept resources) {
                resources.release();
            }
        }
        Arrays.fill(kept, null);
    }

    /** Another endpoint takes the chunk: no token of the last one may match any more. */
    void renew(ContextSlab slab) {
        owner = slab;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (memory == null) {
                tokens[slot] += GENERATION;
            }
            busy[slot] = false;
        }
    }
}
