// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.FabricObject;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All operation contexts of a domain: leads from what a completion carries back to the {@link ContextSlot}.
 *
 * <p>A provider gets a token for each operation. It is the number of the slot with a generation, so that a completion
 * that outlived its operation or its endpoint is not taken for that of a newer operation; only where the provider
 * writes into the context (FI_CONTEXT, FI_CONTEXT2) is it the address of 64 bytes of its own.
 *
 * <p>A domain that was forgotten is not closed: its provider goes on using all that is kept here. So the registry stays
 * for good, and does not refer to opened objects, which can become garbage.
 */
public final class ContextRegistry {
    private static final ContextChunk[] NONE = {};
    private static final Retired[] NONE_RETIRED = {};

    /** A chunk of a closed endpoint, and the queues that may still have addresses of it. */
    private record Retired(ContextChunk chunk, Readers readers) {
    }

    /** Grows by replacement; a slot, once in, stays at its place. */
    private volatile ContextSlot[] published = new ContextSlot[ContextChunk.SLOTS];
    /** The same array without the volatile read; may lag behind. */
    private ContextSlot[] slots = published;
    private int count;
    /** Native chunks of open endpoints; those taken longest ago come first. */
    private volatile ContextChunk[] natives = NONE;
    /** Native chunks of closed endpoints that may not be used again yet. */
    private volatile Retired[] retired = NONE_RETIRED;
    /** Free chunks of closed endpoints, longest unused first. */
    private final Deque<ContextChunk> idle = new ArrayDeque<>();
    private final Deque<ContextChunk> idleNative = new ArrayDeque<>();

    private final ForeignContexts foreign = new ForeignContexts();
    /** Whether operations carry descriptors of their memory. */
    private final boolean described;

    /** Endpoints with raw contexts: nobody knows what they have under way. */
    private final Set<ContextSlab> raw = ConcurrentHashMap.newKeySet();

    /** Memory of operations that have no context. */
    private final Set<UnreportedUse.Reachable> unreported = ConcurrentHashMap.newKeySet();

    private final MemoryCheck memoryCheck = MemoryCheck.ON ? new MemoryCheck() : null;

    /** For a new domain. */
    public ContextRegistry(boolean described) {
        this.described = described;
    }

    boolean isDescribed() {
        return described;
    }

    /** Null unless {@link MemoryCheck#ON}. */
    public MemoryCheck memoryCheck() {
        return memoryCheck;
    }

    public void addForeign(long address, long context, Object keep) {
        foreign.add(address, new ForeignContext(context, keep));
    }

    /** Whether its completion is still to be read, if there will be one. */
    public boolean hasForeign(long address) {
        return foreign.has(address);
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

    void add(UnreportedUse.Reachable use) {
        unreported.add(use);
    }

    void remove(UnreportedUse.Reachable use) {
        unreported.remove(use);
    }

    /** The open endpoints whose operations have used memory there, and reported no completion. */
    public Stream<String> unreportedIn(MemorySegment memory) {
        return unreported.stream().filter(use -> use.isIn(memory)).map(UnreportedUse.Reachable::endpoint);
    }

    /** The endpoints with raw contexts that the provider has not closed, described for messages. */
    public List<String> rawUsers() {
        return raw.isEmpty() ? List.of()
                : raw.stream().map(endpoint -> endpoint + ", which has raw contexts: " + remedy(endpoint.user()))
                        .toList();
    }

    /** The user's context of a completed operation that is not in a slab; 0 if the token is none of ours. */
    public long foreign(long token) {
        if (RawContext.is(token)) {
            return RawContext.of(token);
        }
        return foreign.take(token);
    }

    /** Describes the operations under way that keep something which passes the test; see {@link UnderWay}. */
    public List<String> underWay(Predicate<Object> uses) {
        return underWay(uses, owner -> true);
    }

    /** The same without those of endpoints that are closed, but that the provider still has. */
    public List<String> underWayOfOpen(Predicate<Object> uses) {
        return underWay(uses, owner -> !(owner.user() instanceof FabricObject object) || object.isOpen());
    }

    private synchronized List<String> underWay(Predicate<Object> uses, Predicate<ContextSlab> of) {
        List<ContextSlot> all = new ArrayList<>();
        for (int i = 0; i < count * ContextChunk.SLOTS; i++) {
            all.add(published[i]);
        }
        for (ContextChunk chunk : natives) {
            for (int i = 0; i < ContextChunk.SLOTS; i++) {
                all.add(chunk.slot(i));
            }
        }
        return UnderWay.look(all, foreign.underWay(), uses, of);
    }

    /** To be called now and then, so that objects that only dead threads still refer to can become garbage. */
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
        // all memory first: if there is none left, nothing has changed
        ContextChunk[] array = nativeMemory ? Arrays.copyOf(natives, natives.length + 1) : null;
        ContextChunk chunk = (nativeMemory ? idleNative : idle).pollFirst();
        if (chunk == null) {
            chunk = nativeMemory ? new ContextChunk(0, true) : add();
        }
        chunk.renew(slab);
        if (nativeMemory) {
            array[array.length - 1] = chunk;
            natives = array;
        }
        return chunk;
    }

    private ContextChunk add() {
        if (count > ContextChunk.MAX_ID) {
            throw new OutOfMemoryError("more than " + (long) count * ContextChunk.SLOTS
                    + " operations are outstanding in one domain");
        }
        ContextChunk chunk = new ContextChunk(count, false);
        int first = count * ContextChunk.SLOTS;
        ContextSlot[] array = published;
        if (first == array.length) {
            array = Arrays.copyOf(array, first * 2);
        }
        for (int i = 0; i < ContextChunk.SLOTS; i++) {
            array[first + i] = chunk.slot(i);
        }
        published = array;
        slots = array;
        count++;
        return chunk;
    }

    /**
     * Takes back the chunks of a closed endpoint.
     *
     * @param queues to which its completions went
     * @param parked whether the provider has not closed it yet
     */
    public synchronized void give(List<ContextChunk> chunks, Collection<ContextReader> queues, boolean parked) {
        List<ContextReader> open = queues.stream().filter(ContextReader::isOpen).toList();
        Readers readers = new Readers(open, parked);
        List<Retired> waiting = new ArrayList<>();
        for (ContextChunk chunk : chunks) {
            for (int i = 0; MemoryCheck.ON && i < ContextChunk.SLOTS; i++) {
                memoryCheck.over(chunk.slot(i));
            }
            chunk.retire();
            if (!open.isEmpty() && chunk.isAwaited()) {
                waiting.add(new Retired(chunk, readers));
            } else {
                (chunk.isNative() ? idleNative : idle).addLast(chunk);
            }
        }
        if (!waiting.isEmpty()) {
            waiting.addAll(0, List.of(retired));
            // in here before it is removed below: others search meanwhile
            retired = waiting.toArray(NONE_RETIRED);
            open.forEach(ContextReader::sayWhenEmpty);
        }
        if (chunks.stream().anyMatch(ContextChunk::isNative)) {
            natives = Arrays.stream(natives).filter(ContextChunk::isOwned).toArray(ContextChunk[]::new);
        }
    }

    /** An endpoint's, for messages. */
    static String name(Object endpoint) {
        return endpoint == null ? "an endpoint that nobody refers to any more" : endpoint.toString();
    }

    /** What a program can do if an endpoint keeps an arena open. */
    static String remedy(Object endpoint) {
        return endpoint instanceof FabricObject object && !object.isOpen()
                ? "close also the endpoints of this process that know it" : "close it first";
    }

    /** A completion of a closed endpoint's operation was read: its slot's address may be used again. */
    public synchronized void over(ContextSlot slot) {
        // a slot with a number gets another one for its next operation, which may have the slot already
        if (slot.owner == null && slot.isBusy()) {
            slot.expire();
            reuse(one -> one.chunk.slotAt(slot.token) == slot && !one.chunk.isAwaited());
        }
    }

    /** The queue has nothing more to report of endpoints that were closed before. */
    public synchronized void emptied(ContextReader queue) {
        reuse(one -> one.readers.emptied(queue));
        foreign.emptied(queue);
        queue.room().emptied();
    }

    /** Nobody reads the queue any more. */
    public synchronized void closed(ContextReader queue) {
        reuse(one -> one.readers.closed(queue));
        foreign.closed(queue);
    }

    /**
     * The provider has closed an endpoint: operations of it that were to start later use no memory any more.
     *
     * @param parked whether it did so late, when threads may be in the queues: then these may report until they are
     *     closed
     */
    void over(AtomicBoolean ended, Collection<ContextReader> queues, boolean parked) {
        ended.set(true);
        List<ContextReader> readers = foreign.over(ended, queues, parked);
        if (!parked) {
            readers.forEach(ContextReader::sayWhenEmpty);
        }
    }

    private void reuse(Predicate<Retired> isOver) {
        List<Retired> left = new ArrayList<>();
        for (Retired one : retired) {
            if (isOver.test(one)) {
                idleNative.addLast(one.chunk);
            } else {
                left.add(one);
            }
        }
        if (left.size() < retired.length) {
            retired = left.toArray(NONE_RETIRED);
        }
    }

    /** The slot of a token; null if the token is none of ours or its operation is over. */
    public ContextSlot find(long token) {
        ContextSlot slot = findOrdinary(token);
        return slot != null ? slot : search(token);
    }

    /** As {@link #find}, but null may also mean that the slot is new to this thread, or the token an address. */
    public ContextSlot findOrdinary(long token) {
        return find(slots, token);
    }

    /** The array for {@link #find(ContextSlot[], long)}. Whoever keeps it asks again when it finds nothing. */
    public ContextSlot[] slots() {
        return slots;
    }

    /** As {@link #findOrdinary}, in an array that may be old: a slot found there is still the right one. */
    public static ContextSlot find(ContextSlot[] array, long token) {
        int index = ContextChunk.indexOf(token);
        if (index < array.length) {
            ContextSlot slot = array[index];
            if (slot != null && slot.token == token) {
                return slot;
            }
        }
        return null;
    }

    /** For {@link #find} if this thread has not seen the newest slots, or the token is an address. */
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
        for (Retired one : retired) {
            ContextSlot slot = one.chunk.slotAt(token);
            if (slot != null) {
                return slot.matches(token) ? slot : null;
            }
        }
        return null;
    }

    /** A receive that the provider has let go of, and will not report. */
    public void over(long token) {
        ContextSlot slot = find(token);
        // messages that came into a multi-receive before may still be unread
        if (slot != null && slot.owner != null && slot.kind != ContextSlab.MULTI_RECV) {
            slot.owner.release(slot);
        }
    }

    /** An operation that the provider did not accept: its slot is free again. */
    public void cancel(long token) {
        ContextSlot slot = token == 0 ? null : find(token);
        if (slot != null && slot.owner != null) {
            slot.owner.undo(slot);
        }
    }
}
