// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.post;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;

/**
 * The tokens of an endpoint's operations: one for each that a queue will report, and none where nothing would tell
 * when it is over, unless the provider writes to it.
 */
public final class Contexts {
    private static final long COMPLETION = Libfabric.FI_COMPLETION();

    private final ContextRegistry registry;
    private final boolean nativeContexts;
    /** Whether the provider follows a null queue. */
    private final boolean needsQueues;
    // Two, so that a loop which sends one buffer and receives into another finds each in the slot it had before.
    private final ContextSlab transmits;
    private final ContextSlab receives;
    /** Untagged receives from one peer: apart only where libfabric cannot cancel them. */
    private final ContextSlab directed;
    /** Contexts of reserved messages: the provider writes to them, whatever its mode. Made when first needed. */
    private ContextSlab claims;
    private boolean transmitCompletes;
    private boolean receiveCompletes;
    /** Of receives with the default flags. */
    private byte receiveKind = ContextSlab.PLAIN;
    private boolean transmitQueue;
    private boolean receiveQueue;

    public Contexts(ContextRegistry registry, boolean nativeContexts, boolean needsQueues, boolean directedApart) {
        this.registry = registry;
        this.nativeContexts = nativeContexts;
        this.needsQueues = needsQueues;
        this.transmits = new ContextSlab(registry, nativeContexts);
        this.receives = new ContextSlab(registry, nativeContexts);
        this.directed = directedApart ? new ContextSlab(registry, nativeContexts) : receives;
    }

    /** A queue is bound for these directions. */
    public void queueBound(long bits) {
        boolean selective = (bits & BindFlag.SELECTIVE_COMPLETION.code()) != 0;
        if ((bits & BindFlag.TRANSMIT.code()) != 0) {
            transmitQueue = true;
            transmitCompletes |= !selective;
        }
        if ((bits & BindFlag.RECV.code()) != 0) {
            receiveQueue = true;
            receiveCompletes |= !selective;
        }
    }

    /** Which queue will report a receive is known when its message is there. */
    public void reportsReceives() {
        receiveCompletes = true;
    }

    /** The flags of receives that have none of their own. */
    public void receiveFlags(long flags) {
        receiveKind = (flags & Libfabric.FI_MULTI_RECV()) != 0 ? ContextSlab.MULTI_RECV : ContextSlab.PLAIN;
    }

    /** Of a second handle for the same endpoint. */
    public void reportAs(Contexts original) {
        transmitCompletes = original.transmitCompletes;
        receiveCompletes = original.receiveCompletes;
    }

    public boolean hasTransmitQueue() {
        return transmitQueue;
    }

    public boolean hasReceiveQueue() {
        return receiveQueue;
    }

    /** Whether operations that say nothing else are reported. */
    public boolean reportsTransmits() {
        return transmitCompletes;
    }

    public void checkTransmitQueue() {
        if (needsQueues && !transmitQueue) {
            throw noQueue("TRANSMIT");
        }
    }

    public static IllegalStateException noQueue(String direction) {
        return new IllegalStateException("no completion queue is bound for " + direction);
    }

    /** The token for an operation of this side; 0 where nothing will report its completion. */
    public long transmit(long context, Object keep) {
        return transmitCompletes ? transmits.acquire(context, keep, ContextSlab.PLAIN)
                : unreportedTransmit(context, keep);
    }

    /** The token for an operation of this side with flags of its own. */
    public long transmit(long context, Object keep, byte kind, long flags) {
        return transmitCompletes || (flags & COMPLETION) != 0 ? transmits.acquire(context, keep, kind)
                : unreportedTransmit(context, keep);
    }

    /** The token for a tagged receive; 0 where nothing will report its completion. */
    public long receive(long context, Object keep) {
        return receiveCompletes ? receives.acquire(context, keep, receiveKind)
                : unreportedReceive(receives, context, keep);
    }

    /** The token for an untagged receive, from one peer or any. */
    public long receive(long context, Object keep, long source) {
        ContextSlab slab = source == Address.ANY ? receives : directed;
        return receiveCompletes ? slab.acquire(context, keep, receiveKind)
                : unreportedReceive(slab, context, keep);
    }

    /** The token for a receive with flags of its own; of a tagged one the source does not matter. */
    public long receive(long context, Object keep, byte kind, long flags, long source) {
        ContextSlab slab = source == Address.ANY ? receives : directed;
        return receiveCompletes || (flags & COMPLETION) != 0 ? slab.acquire(context, keep, kind)
                : unreportedReceive(slab, context, keep);
    }

    private long unreportedTransmit(long context, Object keep) {
        checkTransmitQueue();
        return nativeContexts ? transmits.acquire(context, keep, ContextSlab.PLAIN) : 0;
    }

    private long unreportedReceive(ContextSlab slab, long context, Object keep) {
        if (needsQueues && !receiveQueue) {
            throw noQueue("RECV");
        }
        return nativeContexts ? slab.acquire(context, keep, ContextSlab.PLAIN) : 0;
    }

    /** The provider did not take the operation. */
    public void cancel(long token) {
        registry.cancel(token);
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

    /** Receives that cannot be cancelled, where there are such; else {@link #receives}. */
    public ContextSlab directed() {
        return directed;
    }

    public synchronized ContextSlab claims() {
        if (claims == null) {
            claims = new ContextSlab(registry, true);
        }
        return claims;
    }

    /** The endpoint is closed. */
    public void close() {
        transmits.close();
        receives.close();
        directed.close();
        if (claims != null) {
            claims.close();
        }
    }
}
