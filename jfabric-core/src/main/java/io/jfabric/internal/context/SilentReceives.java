// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.info.Address;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Receives that no queue is to tell of, though the provider reports them all the same, since only their length shows
 * that a message was too long. Reports that nobody asked for are not handed on. They are not counted either.
 *
 * <p>Reports that nobody reads fill the queue, and some providers take no receives while one is full: so no more of
 * them are reported than a part of the queue has room for, whatever the endpoints that use it.
 */
public final class SilentReceives {
    /** The queues are not kept. */
    private static final Map<ContextReader, Room> ROOMS = new WeakHashMap<>();

    /** What a queue has for reports, in chunks. */
    private static final class Room {
        private final AtomicInteger free;
        /** Closed endpoints may have left reports there, of all that they had. */
        private int unread;

        Room(long reports) {
            free = new AtomicInteger((int) (reports / ContextChunk.SLOTS));
        }
    }

    private final ContextRegistry registry;
    private final boolean nativeContexts;
    /** As {@link Contexts#directed}. */
    private final boolean directedApart;
    private AtomicInteger budget;
    /** Null as long as there is no queue that tells only of what it is asked to. */
    private ContextSlab any;
    private ContextSlab directed;
    private Object endpoint;
    private UnreportedUse lasting;

    SilentReceives(ContextRegistry registry, boolean nativeContexts, boolean directedApart) {
        this.registry = registry;
        this.nativeContexts = nativeContexts;
        this.directedApart = directedApart;
    }

    void of(Object newEndpoint, UnreportedUse newLasting) {
        endpoint = newEndpoint;
        lasting = newLasting;
    }

    /** A queue is bound for receives; one that tells only of what it is asked to may have so many of them unread. */
    void bind(ContextReader queue, boolean selective, long room) {
        if (!selective) {
            return;
        }
        synchronized (ROOMS) {
            bind(ROOMS.computeIfAbsent(queue, q -> new Room(room)).free);
        }
    }

    /** A slab is closed that had so many chunks of a budget, which is a queue's if it is of such receives. */
    static void giveBack(AtomicInteger budget, int chunks, int unread, Collection<ContextReader> queues) {
        int kept = 0;
        synchronized (ROOMS) {
            for (ContextReader queue : queues) {
                Room room = ROOMS.get(queue);
                if (unread > 0 && room != null && room.free == budget) {
                    room.unread += unread;
                    queue.sayWhenEmpty();
                    kept = unread;
                }
            }
        }
        budget.addAndGet(chunks - kept);
    }

    /** The queue has nothing more to tell of endpoints that were closed before. */
    static void emptied(ContextReader queue) {
        synchronized (ROOMS) {
            Room room = ROOMS.get(queue);
            if (room != null) {
                room.free.addAndGet(room.unread);
                room.unread = 0;
            }
        }
    }

    /** For a second handle of the same endpoint. */
    void bindAs(SilentReceives original) {
        if (original.isBound()) {
            bind(original.budget);
        }
    }

    private void bind(AtomicInteger newBudget) {
        budget = newBudget;
        any = slab();
        directed = directedApart ? slab() : any;
    }

    private ContextSlab slab() {
        ContextSlab slab = new ContextSlab(registry, nativeContexts, budget, false).of(endpoint);
        slab.lasting(lasting);
        return slab;
    }

    boolean isBound() {
        return any != null;
    }

    /** The token, to be posted as one to be reported; {@link ContextSlab#FULL} where it cannot be. */
    public long acquire(long context, Object keep, long room, long source) {
        KeptMemory.checkAlive(keep);
        return (source == Address.ANY ? any : directed)
                .acquire(context, keep, ContextSlab.SILENT, whole(keep, room));
    }

    /** How long what the provider reports may be, which counts what comes before the message. */
    static long whole(Object keep, long room) {
        return room != ContextSlot.UNBOUNDED && keep instanceof Kept kept ? room + kept.prefix() : room;
    }

    /** As {@link ContextSlab#find(long)}, of untagged receives from one peer where these are apart, or all others. */
    public long find(long context, boolean fromOne) {
        return isBound() ? (fromOne ? directed : any).find(context) : 0;
    }

    public boolean isBusy(boolean fromOne) {
        return isBound() && (fromOne ? directed : any).busy() > 0;
    }

    /** How many are under way or unread. */
    public int busy() {
        return !isBound() ? 0 : any == directed ? any.busy() : any.busy() + directed.busy();
    }

    /** Of those that can be cancelled. */
    public List<Long> tokens() {
        return isBound() ? any.tokens() : List.of();
    }

    /** Grows with each. */
    long taken() {
        return isBound() ? any.taken() + directed.taken() : 0;
    }

    Set<ContextSlab> slabs() {
        return !isBound() ? Set.of() : directed == any ? Set.of(any) : Set.of(any, directed);
    }
}
