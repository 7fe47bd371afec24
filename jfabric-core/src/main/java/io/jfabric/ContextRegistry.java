// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All operation contexts of a domain: leads from what a completion carries back to the {@link ContextChunk}.
 *
 * <p>A provider gets a token for each operation. It is the number of the chunk and slot with a generation, so that a
 * completion that outlived its endpoint is not taken for a newer operation's; only where the provider writes into the
 * context (FI_CONTEXT, FI_CONTEXT2) is it the address of 64 bytes of its own.
 */
final class ContextRegistry {
    private static final int FIRST_SIZE = 16;

    /** Grows by replacement; a chunk, once in, stays at its place. */
    private volatile ContextChunk[] published = new ContextChunk[FIRST_SIZE];
    /** The same array without the volatile read; may lag behind. */
    private ContextChunk[] chunks = published;
    private int count;
    /** Chunks of closed endpoints, longest unused first. */
    private final Deque<ContextChunk> idle = new ArrayDeque<>();
    private final Deque<ContextChunk> idleNative = new ArrayDeque<>();

    /** Operations whose context is a struct of their own: triggered and deferred ones. Empty in most programs. */
    private final Map<Long, ForeignContext> foreign = new ConcurrentHashMap<>();

    void addForeign(long address, long context, Object keep) {
        foreign.put(address, new ForeignContext(context, keep));
    }

    void removeForeign(long address) {
        foreign.remove(address);
    }

    /** The user's context of a completed operation that is not in a slab; 0 for none of ours. */
    long foreign(long token) {
        ForeignContext context = token == 0 || foreign.isEmpty() ? null : foreign.remove(token);
        return context == null ? 0 : context.context();
    }

    /** A chunk for a slab. Not on the data path: called when a slab has run out of slots. */
    synchronized ContextChunk take(ContextSlab slab, boolean nativeMemory) {
        ContextChunk chunk = (nativeMemory ? idleNative : idle).pollFirst();
        if (chunk == null) {
            if (count > ContextChunk.MAX_ID) {
                throw new OutOfMemoryError("more than " + (long) count * ContextChunk.SLOTS
                        + " operations are outstanding in one domain");
            }
            chunk = new ContextChunk(count, nativeMemory);
            ContextChunk[] array = published;
            if (count == array.length) {
                array = Arrays.copyOf(array, count * 2);
            }
            array[count++] = chunk;
            published = array;
            chunks = array;
        }
        chunk.renew(slab);
        return chunk;
    }

    /** Takes back the chunks of a closed endpoint. */
    synchronized void give(ContextChunk chunk) {
        chunk.retire();
        // A provider may still hold the address of a context it writes to: these are used again last.
        (chunk.isNative() ? idleNative : idle).addLast(chunk);
    }

    /** The chunk of a token; null if the token is none of ours or is no longer valid. */
    ContextChunk find(long token) {
        int id = ContextChunk.idOf(token);
        ContextChunk[] array = chunks;
        ContextChunk chunk = id < array.length ? array[id] : null;
        if (chunk == null) {
            array = published;
            chunk = id < array.length ? array[id] : null;
        }
        if (chunk != null && !chunk.isNative() && chunk.token(ContextChunk.slotOf(token)) == token) {
            return chunk;
        }
        return findNative(token);
    }

    /** An operation that the provider did not accept: its slot is free again. */
    void cancel(long token) {
        ContextChunk chunk = token == 0 ? null : find(token);
        if (chunk != null && chunk.owner != null) {
            chunk.owner.release(chunk, chunk.slot(token));
        }
    }

    // Providers that need native contexts are few; a domain has a handful of chunks.
    private ContextChunk findNative(long token) {
        for (ContextChunk chunk : published) {
            if (chunk != null && chunk.isNative() && chunk.slot(token) >= 0) {
                return chunk;
            }
        }
        return null;
    }
}
