// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.OperationStatistics;
import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * The tokens of an endpoint's operations: one for each operation that a queue will report. Where nothing would tell
 * when it is over there is none, unless the provider writes to it.
 */
public final class Contexts {
    public static final long ANY_NUMBER = Long.MAX_VALUE;
    private static final long NEVER = -1;
    private static final long COMPLETION = Libfabric.FI_COMPLETION();
    private static final long INJECT = Libfabric.FI_INJECT();

    private final ContextRegistry registry;
    private final boolean nativeContexts;
    /** Whether the provider would use a queue that is null. */
    private final boolean needsQueues;
    private final boolean unasked;
    // Two, so that a loop which sends one buffer and receives into another finds each in the slot it had before.
    private final ContextSlab transmits;
    private final ContextSlab receives;
    /** Untagged receives from one peer; separate only where libfabric cannot cancel them. */
    private final ContextSlab directed;
    private final SilentReceives silent;
    /** Whether there was a receive whose end nothing reports. */
    private boolean untold;
    /** Contexts of reserved messages: the provider writes to them, whatever its mode. Created on first use. */
    private ContextSlab claims;
    /** Whether a queue reports all operations of this direction. */
    private boolean transmitAlways;
    private boolean receiveAlways;
    /** Whether those with the default flags ask for a report, which matters if the queue reports only those that do. */
    private boolean transmitAsks;
    private boolean receiveAsks;
    /** Whether, all in all, operations with the default flags are reported. */
    private boolean transmitCompletes;
    private boolean receiveCompletes;
    /** Null if parts are not counted. */
    private ReceiveParts.Rules partRules;
    /** The kind of receives with the default flags. */
    private byte receiveKind;
    /** The kind of receives for one message. */
    private final byte plainReceive;
    /** Whether plain operations carry the user's context itself, see {@link RawContext}. */
    private boolean raw;
    /** Where plain operations take their slots if nothing more has to be decided; else null. */
    private ContextSlab ordinaryTransmits;
    private ContextSlab ordinaryReceives;
    private boolean transmitQueue;
    private boolean receiveQueue;
    private final Set<ContextReader> queues = new CopyOnWriteArraySet<>();
    private boolean parked;
    /** What this is an alias of; null if it is none. */
    private Contexts original;
    private AtomicBoolean ended = new AtomicBoolean();
    private final Inherited inherited = new Inherited();
    private UnreportedUse unreported;
    /** For receives: the provider may write into their memory for longer. */
    private UnreportedUse unreportedReceives;
    private Object endpoint;
    private final LongAdder busy = new LongAdder();
    /** How many operations there had been at the last refusal; means nothing while other threads go on. */
    private volatile long takenAtRefusal = NEVER;

    /**
     * @param directedApart whether receives from one peer cannot be cancelled
     * @param bounded whether messages may be reported as longer than the receive they came into
     * @param unasked whether the provider reports operations that did not ask for it
     * @param mostReceives how many receives may be under way
     */
    public Contexts(ContextRegistry registry, boolean nativeContexts, boolean needsQueues, boolean directedApart,
            boolean bounded, boolean unasked, long mostReceives) {
        Budget budget = mostReceives == ANY_NUMBER ? null : Budget.ofSlots(Math.max(ContextChunk.SLOTS, mostReceives));
        this.plainReceive = bounded ? ContextSlab.BOUNDED : ContextSlab.PLAIN;
        this.receiveKind = plainReceive;
        this.registry = registry;
        this.nativeContexts = nativeContexts;
        this.needsQueues = needsQueues;
        this.unasked = unasked;
        this.transmits = new ContextSlab(registry, nativeContexts);
        this.receives = new ContextSlab(registry, nativeContexts, budget, true);
        this.silent = new SilentReceives(registry, nativeContexts, directedApart);
        this.directed = directedApart ? new ContextSlab(registry, nativeContexts, budget, true) : receives;
    }

    /** Names the endpoint, for messages. To be called before anything else. */
    public void of(Object newEndpoint) {
        endpoint = newEndpoint;
        unreported = new UnreportedUse(registry, transmits.of(endpoint));
        unreportedReceives = new UnreportedUse(registry, transmits);
        lasting();
        receives.of(endpoint);
        directed.of(endpoint);
    }

    private void lasting() {
        receives.lasting(unreportedReceives);
        directed.lasting(unreportedReceives);
        silent.of(endpoint, unreportedReceives);
    }

    /**
     * The completion that gives back a buffer for several messages may be read before those of all the messages.
     *
     * @param truncated whether the provider does not say so for a buffer that ends with a message that is too long
     * @param left no more than that is left behind the furthest message
     */
    public void countParts(boolean truncated, long left) {
        partRules = new ReceiveParts.Rules(truncated, left);
    }

    /** A queue is bound for these directions. */
    public void queueBound(ContextReader queue, long bits) {
        queues.add(queue);
        boolean selective = (bits & BindFlag.SELECTIVE_COMPLETION.code()) != 0;
        if ((bits & BindFlag.TRANSMIT.code()) != 0) {
            transmitQueue = true;
            transmitAlways |= !selective;
        }
        if ((bits & BindFlag.RECV.code()) != 0) {
            receiveQueue = true;
            receiveAlways |= !selective;
            silent.bind(queue, selective);
        }
        choose();
    }

    /** Which queue reports a receive is known only when its message is there. */
    public void reportsReceives() {
        receiveAlways = true;
        choose();
    }

    /** Operations of a shared context are reported where those of its endpoints are. */
    public void reportsWith(Contexts endpoints) {
        queues.removeIf(queue -> !queue.isOpen());
        queues.addAll(endpoints.queues);
    }

    /** Whether all receives are reported if these are the default flags. */
    public boolean reportsAllReceives(long flags) {
        return receiveAlways || (flags & COMPLETION) != 0;
    }

    /** The default flags of transmits. */
    public void transmitFlags(long flags) {
        transmitAsks = (flags & COMPLETION) != 0;
        choose();
    }

    /** The default flags of receives. */
    public void receiveFlags(long flags) {
        receiveAsks = (flags & COMPLETION) != 0;
        receiveKind = (flags & Libfabric.FI_MULTI_RECV()) != 0 ? ContextSlab.MULTI_RECV : plainReceive;
        choose();
    }

    private void choose() {
        transmitCompletes = transmitAlways || transmitAsks && hasTransmitQueue();
        receiveCompletes = receiveAlways || receiveAsks && hasReceiveQueue();
        boolean ordinary = !raw && !nativeContexts && !MemoryCheck.ON;
        ordinaryTransmits = ordinary && transmitCompletes ? transmits : null;
        ordinaryReceives = ordinary && receiveCompletes && receiveKind != ContextSlab.MULTI_RECV ? receives : null;
    }

    /** From now on plain operations take no slot, unless the provider writes to contexts or reports all. */
    public void raw(boolean isNew) {
        if (!isNew) {
            throw new IllegalStateException("rawContexts: " + endpoint + " is enabled already or closed");
        }
        if (!nativeContexts && !unasked) {
            raw = true;
            choose();
            registry.addRaw(transmits);
        }
    }

    /** For a second handle of the same endpoint. */
    public void reportAs(Contexts aliased) {
        original = aliased;
        ended = aliased.ended;
        unreported = aliased.unreported;
        unreportedReceives = aliased.unreportedReceives;
        partRules = aliased.partRules;
        lasting();
        transmitAlways = aliased.transmitAlways;
        receiveAlways = aliased.receiveAlways;
        raw = aliased.raw;
        silent.bindAs(aliased.silent);
        choose();
    }

    /** Whether a context may be the user's own, which the provider got as it is. */
    public boolean isRaw() {
        return raw;
    }

    public boolean hasTransmitQueue() {
        return original == null ? transmitQueue : original.hasTransmitQueue();
    }

    public boolean hasReceiveQueue() {
        return original == null ? receiveQueue : original.hasReceiveQueue();
    }

    /** Whether {@link #transmits} knows of each transmit whether it is over. */
    public boolean seesTransmits() {
        return transmitCompletes && !raw;
    }

    /** Whether all transmits are reported, whatever their flags. */
    public boolean reportsAllTransmits() {
        return transmitAlways;
    }

    public void checkTransmitQueue() {
        if (needsQueues && !hasTransmitQueue()) {
            throw noQueue("TRANSMIT");
        }
    }

    public static IllegalStateException noQueue(String direction) {
        return new IllegalStateException("no completion queue is bound for " + direction);
    }

    /** The token for a transmit; 0 if nothing will report its completion. */
    public long transmit(long context, Object keep) {
        KeptMemory.checkAlive(keep);
        return transmitAlive(context, keep);
    }

    /** As {@link #transmit(long, Object)}, for memory that was checked inside the endpoint's entry. */
    public long transmitAlive(long context, Object keep) {
        ContextSlab slab = ordinaryTransmits;
        return slab != null ? slab.acquireAtOnce(context, keep, ContextSlab.PLAIN, ContextSlot.UNBOUNDED)
                : transmitOtherwise(context, keep);
    }

    private long transmitOtherwise(long context, Object keep) {
        if (!transmitCompletes) {
            return unreportedTransmit(context, keep);
        }
        return raw ? RawContext.token(context) : transmits.acquire(context, keep, ContextSlab.PLAIN);
    }

    /** The token for a transmit with flags of its own. */
    public long transmit(long context, Object keep, byte kind, long flags) {
        KeptMemory.checkAlive(keep);
        return reportsTransmit(flags) ? transmits.acquire(context, keep, kind)
                : unreportedTransmit(context, (flags & INJECT) != 0 ? null : keep);
    }

    /** Whether a transmit with flags of its own is reported. */
    public boolean reportsTransmit(long flags) {
        return transmitAlways || (flags & COMPLETION) != 0 && hasTransmitQueue();
    }

    /**
     * The token for a tagged receive of so many bytes, into memory that was checked inside the endpoint's entry; 0 if
     * nothing will report its completion.
     */
    public long receiveAlive(long context, Object keep, long room) {
        ContextSlab slab = ordinaryReceives;
        return slab != null ? slab.acquireAtOnce(context, keep, plainReceive, room)
                : receiveOtherwise(context, keep, room);
    }

    private long receiveOtherwise(long context, Object keep, long room) {
        if (!receiveCompletes) {
            return unreportedReceive(receives, plainReceive, context, keep);
        }
        return raw ? RawContext.token(context) : receives.acquire(context, keep, plainReceive, room);
    }

    /** As above for an untagged receive, from one peer or any. */
    public long receiveAlive(long context, Object keep, long room, long source) {
        ContextSlab ordinary = source == Address.ANY || directed == receives ? ordinaryReceives : null;
        return ordinary != null ? ordinary.acquireAtOnce(context, keep, plainReceive, room)
                : receiveOtherwise(context, keep, room, source);
    }

    private long receiveOtherwise(long context, Object keep, long room, long source) {
        ContextSlab slab = source == Address.ANY ? receives : directed;
        if (!receiveCompletes) {
            return unreportedReceive(slab, receiveKind, context, keep);
        }
        // these keep slots: several messages come into one buffer, or a receive from one peer may not be cancelled
        return raw && slab == receives && receiveKind != ContextSlab.MULTI_RECV ? RawContext.token(context)
                : slab.acquire(context, counted(receiveKind, keep,
                        keep instanceof MemorySegment all && all.byteSize() == room), receiveKind, room);
    }

    private Object counted(byte kind, Object keep, boolean whole) {
        return partRules != null && kind == ContextSlab.MULTI_RECV ? new ReceiveParts(keep, whole, partRules) : keep;
    }

    /** Whether receives may be under way: untagged ones from one peer, if those are separate, or all others. */
    public boolean mayReceive(boolean fromOne) {
        return raw && !fromOne || untold || silent.isBusy(fromOne) || (fromOne ? directed : receives).busy() > 0;
    }

    /** Whether a receive with these flags is not to be reported by the queue that there is. */
    public boolean isSilent(long flags) {
        return !receiveAlways && (flags & COMPLETION) == 0 && silent.isBound();
    }

    /** The same for receives with the default flags. */
    public boolean receivesSilently() {
        return !receiveCompletes && silent.isBound();
    }

    public SilentReceives silent() {
        return silent;
    }

    /** The token for a receive with flags of its own; for a tagged one the source does not matter. */
    public long receive(long context, Object keep, byte kind, long room, long flags, long source) {
        KeptMemory.checkAlive(keep);
        ContextSlab slab = source == Address.ANY ? receives : directed;
        return receiveAlways || (flags & COMPLETION) != 0 && hasReceiveQueue()
                ? slab.acquire(context, counted(kind, keep, true), kind, SilentReceives.whole(keep, room))
                : unreportedReceive(slab, kind, context, keep);
    }

    private long unreportedTransmit(long context, Object keep) {
        checkTransmitQueue();
        return unreported(transmits, unreported, context, keep);
    }

    private long unreportedReceive(ContextSlab slab, byte kind, long context, Object keep) {
        if (needsQueues && !hasReceiveQueue()) {
            throw noQueue("RECV");
        }
        if (unasked && kind == ContextSlab.MULTI_RECV) {
            // the report of its first message frees the slot, and more messages come
            keepUntilClosed(keep);
        }
        return unreported(slab, unreportedReceives, context, keep);
    }

    /** Nothing reports its end, unless unasked: else only a provider that writes to the context gets one, for good. */
    private long unreported(ContextSlab slab, UnreportedUse use, long context, Object keep) {
        if (nativeContexts || unasked) {
            return slab.acquire(context, keep, unasked ? ContextSlab.SILENT : ContextSlab.PLAIN);
        }
        // no store if nothing changes: another thread may be storing, and all read what lies beside it
        if (use == unreportedReceives && !untold) {
            untold = true;
        }
        use.note(keep);
        return 0;
    }

    /** Nothing will tell when the provider is done with it: it is kept until the provider has closed the endpoint. */
    public void keepUntilClosed(Object keep) {
        unreportedReceives.note(keep);
    }

    /** The provider told the operation with this token to try again; 0 if it has none. */
    public void busy(long token) {
        busy.increment();
        takenAtRefusal = token == 0 ? NEVER : taken();
    }

    /** Whether nothing was posted since the provider last said to try again. */
    public boolean endedInRefusal() {
        return takenAtRefusal == taken();
    }

    private long taken() {
        return transmits.taken() + receives.taken() + directed.taken() + silent.taken();
    }

    /** The counts of the operations, including those of aliases that were closed. */
    public synchronized OperationStatistics statistics() {
        OperationStatistics sum = OperationStatisticsImpl.sum(inherited.statistics(),
                new OperationStatisticsImpl(0, 0, 0, busy.sum(), 0));
        for (ContextSlab slab : slabs()) {
            sum = OperationStatisticsImpl.sum(sum, slab.statistics());
        }
        return sum;
    }

    /** The slabs of all its operations. */
    public synchronized Set<ContextSlab> slabs() {
        Set<ContextSlab> slabs = new LinkedHashSet<>(List.of(transmits, receives));
        slabs.add(directed);
        slabs.addAll(silent.slabs());
        if (claims != null) {
            slabs.add(claims);
        }
        return slabs;
    }

    /** Whether it is only a message being set aside, or looked for: no memory belongs to it. */
    public boolean isReserved(long token) {
        ContextSlot slot = registry.find(token);
        return slot != null && (slot.kind == ContextSlab.CLAIM || slot.kind == ContextSlab.CLAIMED);
    }

    /** The provider did not take the operation. */
    public void cancel(long token) {
        registry.cancel(token);
    }

    /** The provider is about to be asked to cancel the operation; or it did not know it. */
    public void cancelling(long token, boolean now) {
        ContextSlot slot = registry.find(token);
        if (slot != null) {
            slot.cancelled(now);
        }
    }

    public ContextRegistry registry() {
        return registry;
    }

    public ContextSlab transmits() {
        return transmits;
    }

    public ContextSlab receives() {
        return receives;
    }

    /** Receives that cannot be cancelled, where there are any; else {@link #receives}. */
    public ContextSlab directed() {
        return directed;
    }

    public synchronized ContextSlab claims() {
        if (claims == null) {
            claims = new ContextSlab(registry, true).of(endpoint);
        }
        return claims;
    }

    /** Whether the operation is a receive of several messages. */
    public boolean isMultiReceive(long token) {
        return registry.find(token) instanceof ContextSlot slot && slot.kind == ContextSlab.MULTI_RECV;
    }

    /** Where completions go; some may be closed. */
    public Set<ContextReader> queues() {
        return queues;
    }

    /** Whether the endpoint is closed, but the provider has not closed it yet. */
    public void parked(boolean now) {
        parked = now;
    }

    /** The endpoint is closed, though maybe not yet by the provider. */
    public synchronized void close() {
        if (original != null) {
            original.inherit(slabs(), inherited);
        } else {
            slabs().forEach(slab -> slab.close(queues, parked));
            inherited.close(queues, parked);
        }
    }

    /** The provider has closed the endpoint, and can no longer use the memory of operations without a token. */
    public void over() {
        if (original == null) {
            registry.removeRaw(transmits);
            unreported.close();
            unreportedReceives.close();
            registry.over(ended, queues, parked);
        }
    }

    /** Whether the provider has closed the endpoint; shared with aliases. Refers to nothing else. */
    public AtomicBoolean ended() {
        return ended;
    }

    private synchronized void inherit(Set<ContextSlab> slabs, Inherited others) {
        inherited.add(slabs, others, endpoint, queues, parked);
    }

    /** Whether its counts are from now on part of those of the endpoint that it is an alias of. */
    boolean isCountedElsewhere() {
        return original != null;
    }
}
