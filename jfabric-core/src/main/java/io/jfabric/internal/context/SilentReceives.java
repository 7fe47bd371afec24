// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.info.Address;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Receives that no queue is to report, though the provider reports them all the same, since only their length shows
 * that a message was too long. Reports that nobody asked for are not handed on, and not counted.
 *
 * <p>Reports that nobody reads fill the queue, and some providers take no receives while one is full. So only as many
 * of them are reported as part of the queue has room for, whichever endpoints use it.
 */
public final class SilentReceives {
    private final ContextRegistry registry;
    private final boolean nativeContexts;
    /** As {@link Contexts#directed}. */
    private final boolean directedApart;
    private Budget budget;
    /** Null as long as there is no queue that reports only what it is asked to. */
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

    /** A queue is bound for receives. */
    void bind(ContextReader queue, boolean selective) {
        if (selective) {
            bind(queue.room().silent());
        }
    }

    /** A slab with so many chunks of a budget is closed. If it was for silent receives, a queue has that budget. */
    static void giveBack(Budget budget, int chunks, int unread, Collection<ContextReader> queues) {
        ContextReader queue = queues.stream().filter(each -> each.room().silent() == budget).findFirst().orElse(null);
        boolean stays = queue != null && unread > 0;
        budget.giveBack(chunks, stays ? unread : 0);
        if (stays) {
            queue.sayWhenEmpty();
        }
    }

    /** For a second handle of the same endpoint. */
    void bindAs(SilentReceives original) {
        if (original.isBound()) {
            bind(original.budget);
        }
    }

    private void bind(Budget newBudget) {
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

    /** The token, for a receive to be posted as one that is reported; {@link ContextSlab#FULL} if it cannot be. */
    public long acquire(long context, Object keep, long room, long source) {
        KeptMemory.checkAlive(keep);
        return (source == Address.ANY ? any : directed)
                .acquire(context, keep, ContextSlab.SILENT, whole(keep, room));
    }

    /** The longest length that the provider may report, which includes what comes before the message. */
    static long whole(Object keep, long room) {
        return room != ContextSlot.UNBOUNDED && keep instanceof Kept kept ? room + kept.prefix() : room;
    }

    /** As {@link ContextSlab#find(long)}, for untagged receives from one peer if they are separate, or all others. */
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

    /** The tokens of those that can be cancelled. */
    public List<Long> tokens() {
        return isBound() ? any.tokens() : List.of();
    }

    /** Grows with each receive. */
    long taken() {
        return isBound() ? any.taken() + directed.taken() : 0;
    }

    Set<ContextSlab> slabs() {
        return !isBound() ? Set.of() : directed == any ? Set.of(any) : Set.of(any, directed);
    }
}
