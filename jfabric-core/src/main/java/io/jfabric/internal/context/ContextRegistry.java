// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * All operation contexts of a domain: leads from what a completion carries back to the {@link ContextSlot}.
 *
 * <p>A provider gets a token for each operation. It is the number of the slot with a generation, so that a completion
 * that outlived its operation or its endpoint is not taken for a newer operation's; only where the provider writes
 * into the context (FI_CONTEXT, FI_CONTEXT2) is it the address of 64 bytes of its own.
 *
 * <p>A domain that was forgotten is not closed: its provider goes on to use all that is kept here. So this stays for
 * good, and refers to nothing that was opened, which can become garbage.
 */
public final class ContextRegistry {
    private static final ContextChunk[] NONE = {};

    /** Grows by replacement; a slot, once in, stays at its place. */
    private volatile ContextSlot[] published = new ContextSlot[ContextChunk.SLOTS];
    /** The same array without the volatile read; may lag behind. */
    private ContextSlot[] slots = published;
    private int count;
    private volatile ContextChunk[] natives = NONE;
    /** Chunks of closed endpoints, longest unused first. */
    private final Deque<ContextChunk> idle = new ArrayDeque<>();
    private final Deque<ContextChunk> idleNative = new ArrayDeque<>();

    /** Operations whose context is a struct of their own: triggered and deferred ones. Empty in most programs. */
    private final Map<Long, ForeignContext> foreign = new ConcurrentHashMap<>();

    /** Of endpoints of which nobody knows what is under way. */
    private final Set<ContextSlab> raw = ConcurrentHashMap.newKeySet();

    /** Memory of operations that have no context. */
    private final Set<UnreportedUse> unreported = ConcurrentHashMap.newKeySet();

    private final MemoryCheck memoryCheck = MemoryCheck.ON ? new MemoryCheck() : null;

    /** Null unless {@link MemoryCheck#ON}. */
    public MemoryCheck memoryCheck() {
        return memoryCheck;
    }

    public void addForeign(long address, long context, Object keep) {
        foreign.put(address, new ForeignContext(context, keep));
    }

    /** Whether its completion is still to be read, if there will be one. */
    public boolean hasForeign(long address) {
        return foreign.containsKey(address);
    }

    public void removeForeign(long address) {
        foreign.remove(address);
    }

    void addRaw(ContextSlab endpoint) {
        raw.add(endpoint);
    }

    void removeRaw(ContextSlab endpoint) {
        raw.remove(endpoint);
    }

    void add(UnreportedUse use) {
        unreported.add(use);
    }

    void remove(UnreportedUse use) {
        unreported.remove(use);
    }

    /** The endpoints with raw contexts that the provider has not closed, as texts. */
    public List<String> rawUsers() {
        return raw.isEmpty() ? List.of()
                : raw.stream().map(endpoint -> endpoint + ", which has raw contexts: " + Contexts.remedy(endpoint))
                        .toList();
    }

    /** The user's context of a completed operation that is not in a slab; 0 for none of ours. */
    public long foreign(long token) {
        if (RawContext.is(token)) {
            return RawContext.of(token);
        }
        ForeignContext context = token == 0 || foreign.isEmpty() ? null : foreign.remove(token);
        return context == null ? 0 : context.context();
    }

    /** What the operations under way are that keep something of which the test is true; see {@link UnderWay}. */
    public synchronized List<String> underWay(Predicate<Object> uses) {
        List<ContextSlot> all = new ArrayList<>();
        for (int i = 0; i < count * ContextChunk.SLOTS; i++) {
            all.add(published[i]);
        }
        for (ContextChunk chunk : natives) {
            for (int i = 0; i < ContextChunk.SLOTS; i++) {
                all.add(chunk.slot(i));
            }
        }
        return UnderWay.look(all, foreign.values(), uses);
    }

    /** To be called now and then, so that who was forgotten by all but those can become garbage. */
    public void letGoOfDeadThreads() {
        Set<ContextSlab> slabs = Collections.newSetFromMap(new IdentityHashMap<>());
        synchronized (this) {
            for (int i = 0; i < count; i++) {
                slabs.add(published[i * ContextChunk.SLOTS].owner);
            }
            for (ContextChunk chunk : natives) {
                slabs.add(chunk.slot(0).owner);
            }
        }
        slabs.remove(null);
        slabs.forEach(ContextSlab::letGoOfDeadOwner);
    }

    /** A chunk for a slab. Not on the data path: called when a slab has run out of slots. */
    public synchronized ContextChunk take(ContextSlab slab, boolean nativeMemory) {
        ContextChunk chunk = (nativeMemory ? idleNative : idle).pollFirst();
        if (chunk == null) {
            chunk = nativeMemory ? addNative() : add();
        }
        chunk.renew(slab);
        return chunk;
    }

    private ContextChunk addNative() {
        ContextChunk chunk = new ContextChunk(0, true);
        // the newest first: those behind may be of endpoints that are closed
        ContextChunk[] array = new ContextChunk[natives.length + 1];
        array[0] = chunk;
        System.arraycopy(natives, 0, array, 1, natives.length);
        natives = array;
        return chunk;
    }

    private ContextChunk add() {
        if (count > ContextChunk.MAX_ID) {
            throw new OutOfMemoryError("more than " + (long) count * ContextChunk.SLOTS
                    + " operations are outstanding in one domain");
        }
        ContextChunk chunk = new ContextChunk(count, false);
        int first = count++ * ContextChunk.SLOTS;
        ContextSlot[] array = published;
        if (first == array.length) {
            array = Arrays.copyOf(array, first * 2);
        }
        for (int i = 0; i < ContextChunk.SLOTS; i++) {
            array[first + i] = chunk.slot(i);
        }
        published = array;
        slots = array;
        return chunk;
    }

    /** Takes back the chunks of a closed endpoint. */
    public synchronized void give(ContextChunk chunk) {
        for (int i = 0; MemoryCheck.ON && i < ContextChunk.SLOTS; i++) {
            memoryCheck.over(chunk.slot(i));
        }
        chunk.retire();
        // A queue may still hold addresses: such a chunk waits for their completions as long as there is the domain.
        if (!chunk.isAwaited()) {
            (chunk.isNative() ? idleNative : idle).addLast(chunk);
        }
    }

    /** The slot of a token; null if the token is none of ours or its operation is over. */
    public ContextSlot find(long token) {
        ContextSlot slot = findOrdinary(token);
        return slot != null ? slot : search(token);
    }

    /** As {@link #find}, of what is found at once and is not an address; null may also mean to ask that. */
    public ContextSlot findOrdinary(long token) {
        ContextSlot[] array = slots;
        int index = ContextChunk.indexOf(token);
        if (index < array.length) {
            ContextSlot slot = array[index];
            if (slot != null && slot.token == token) {
                return slot;
            }
        }
        return null;
    }

    /** As {@link #find}, should this thread not have seen the newest slots, or the token be an address. */
    private ContextSlot search(long token) {
        ContextSlot[] array = published;
        int index = ContextChunk.indexOf(token);
        if (index < array.length && array[index] != null && array[index].token == token) {
            return array[index];
        }
        // Providers that need native contexts are few; a domain has a handful of such chunks.
        for (ContextChunk chunk : natives) {
            ContextSlot slot = chunk.slotAt(token);
            if (slot != null) {
                return slot.matches(token) ? slot : null;
            }
        }
        return null;
    }

    /** An operation that the provider did not accept: its slot is free again. */
    public void cancel(long token) {
        ContextSlot slot = token == 0 ? null : find(token);
        if (slot != null && slot.owner != null) {
            slot.owner.undo(slot);
        }
    }
}
