// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.ffi.Errno;

/**
 * An operation context: the token that a provider gets, what the user gave, and what must stay reachable. One small
 * object each, used over and over, so that an operation touches one or two cache lines. What has not changed since the
 * last operation is compared, not stored: a loop that posts the same buffer again and again stores only the token.
 */
public final class ContextSlot {
    /** Room for any message. */
    public static final long UNBOUNDED = -1;

    private static final long MULTI_RECV = Libfabric.FI_MULTI_RECV();

    /** Whether the token is the address of memory that the provider writes to, and so always the same. */
    private final boolean address;
    /** What the provider has; different for every operation, unless it is an address. */
    public long token;
    public long context;
    public Object kept;
    public byte kind;
    /** How long a message may be, unsigned; only for kinds that say so. */
    public long room = UNBOUNDED;
    /** Whether an operation has the slot; kept only for addresses, as there the token does not tell. */
    private boolean busy;
    /** Whether the provider was asked to cancel the operation; matters only for {@link ContextSlab#MULTI_RECV}. */
    private boolean cancelled;
    /** The slab of the endpoint whose operations use it; null while there is none. */
    public ContextSlab owner;
    /** Link in the slab's stack of returned slots. */
    public ContextSlot next;

    public ContextSlot(long token, boolean address) {
        this.token = token;
        this.address = address;
    }

    /** An operation takes the slot; returns its token. */
    public long fill(long newContext, Object keep, byte newKind, long newRoom) {
        if (address) {
            busy = true;
        }
        if (cancelled) {
            // left by the previous operation
            cancelled = false;
        }
        return fillOrdinary(newContext, keep, newKind, newRoom);
    }

    /** As {@link #fill} for a slot whose token is no address. */
    long fillOrdinary(long newContext, Object keep, byte newKind, long newRoom) {
        if (room != newRoom) {
            room = newRoom;
        }
        if (context != newContext) {
            context = newContext;
        }
        if (kept != keep) {
            kept = keep;
        }
        if (kind != newKind) {
            kind = newKind;
        }
        return token;
    }

    /** Whether a completion with this token is that of the operation which has the slot now. */
    public boolean matches(long completed) {
        return token == completed && (!address || busy);
    }

    /** Whether a completion with its token may still come; only for addresses. */
    boolean isBusy() {
        return busy;
    }

    /**
     * The provider is about to be asked to cancel the operation, or did not know it. If another operation has the slot
     * by now, that matters only for a multi-receive, which then ends with its first failure.
     */
    void cancelled(boolean now) {
        cancelled = now;
    }

    /**
     * Whether the failure of an operation is its end. A multi-receive goes on: the failed message had a part of it, and
     * the provider keeps the rest until it says otherwise, or gives it back as cancelled.
     */
    public boolean endsWithFailure(long flags) {
        if (kind != ContextSlab.MULTI_RECV) {
            return true;
        }
        boolean last = (flags & MULTI_RECV) != 0;
        boolean counted = kept instanceof ReceiveParts;
        boolean over = kept instanceof ReceiveParts parts && parts.failed(last) || last || cancelled;
        // a message may still be arriving in another part
        return over && (last && !counted || remains());
    }

    /** Whether a message that is too long for the rest has ended a multi-receive without the provider saying so. */
    public boolean endsTruncated(int err) {
        return err == Errno.ETRUNC && kept instanceof ReceiveParts parts && parts.endsTruncated();
    }

    /**
     * Whether an arrived message is the end of a multi-receive.
     *
     * @param last whether the provider says so
     * @param address where the message is; 0 if that is not known
     */
    public boolean endsWithMessage(boolean last, long address, long length) {
        return kept instanceof ReceiveParts parts
                ? parts.completed(last, address, length) && (parts.isSure() || remains()) : last;
    }

    /** Nothing tells when the provider is done with the memory: keeps it until the provider has closed the endpoint. */
    private boolean remains() {
        return owner == null || owner.keepUntilClosed(kept);
    }

    /** The operation is over. A plain buffer stays reachable until the slot is used again. */
    public void expire() {
        if (kind != ContextSlab.PLAIN && kind != ContextSlab.BOUNDED) {
            letGo();
        }
        nextToken();
    }

    /** From now on no completion of an earlier operation in this slot matches. */
    public void nextToken() {
        if (address) {
            busy = false;
        } else {
            token += ContextChunk.GENERATION;
        }
    }

    /** Stops keeping any thread reachable; only while no operation takes the slot. */
    void letGoOfThreads() {
        Object now = kept;
        Object instead = KeptMemory.withoutThreads(now);
        if (instead != now) {
            kept = instead;
        }
    }

    public void letGo() {
        if (kept instanceof Kept resources) {
            resources.release();
        }
        kept = null;
    }

    /** Whether it is in the list that begins with the given slot. */
    boolean isIn(ContextSlot first) {
        ContextSlot slot = first;
        while (slot != null && slot != this) {
            slot = slot.next;
        }
        return slot != null;
    }
}
