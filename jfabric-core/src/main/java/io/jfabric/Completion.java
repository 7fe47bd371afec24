// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_cq_tagged_entry;
import io.jfabric.ffi.Memory;

/**
 * A completed operation, as {@link CompletionQueue#poll} shows it to a handler: a view of the queue's own buffer, used
 * again for the next completion. Reading it allocates nothing. Not thread-safe.
 *
 * <p>What a queue does not report in its {@link CompletionFormat} throws {@link UnsupportedOperationException}.
 */
public final class Completion {
    // fi_cq_tagged_entry begins with the entries of the smaller formats
    private static final long FLAGS = fi_cq_tagged_entry.flags$offset();
    private static final long LENGTH = fi_cq_tagged_entry.len$offset();
    private static final long BUFFER = fi_cq_tagged_entry.buf$offset();
    private static final long DATA = fi_cq_tagged_entry.data$offset();
    private static final long TAG = fi_cq_tagged_entry.tag$offset();
    private static final long MULTI_RECV = Libfabric.FI_MULTI_RECV();

    private final ContextRegistry contexts;
    private final CompletionFormat format;
    private long entry;
    private long context;
    private long prefix;
    private long source = Address.NOT_AVAILABLE;

    Completion(ContextRegistry contexts, CompletionFormat format) {
        this.contexts = contexts;
        this.format = format;
    }

    /** Shows the entry at an address and frees the operation's slot. */
    void show(long address, long from) {
        // compared before stored, as in ContextSlot: most often it is the same as last time
        if (entry != address) {
            entry = address;
        }
        if (source != from) {
            source = from;
        }
        if (prefix != 0) {
            prefix = 0;
        }
        long token = Memory.getLong(address);
        ContextSlot slot = token == 0 ? null : contexts.find(token);
        if (slot == null) {
            context = contexts.foreign(token);
            return;
        }
        context = slot.context;
        if (slot.kind != ContextSlab.PLAIN) {
            showSpecial(slot);
            return;
        }
        ContextSlab owner = slot.owner;
        if (owner != null) {
            owner.release(slot);
        }
    }

    private void showSpecial(ContextSlot slot) {
        if (slot.kept instanceof Kept kept) {
            prefix = kept.prefix();
        }
        boolean over = switch (slot.kind) {
            case ContextSlab.MULTI_RECV -> (Memory.getLong(entry + FLAGS) & MULTI_RECV) != 0;
            case ContextSlab.CLAIM -> {
                slot.kind = ContextSlab.CLAIMED;
                yield false;
            }
            default -> true;
        };
        ContextSlab owner = slot.owner;
        if (over && owner != null) {
            owner.release(slot);
        }
    }

    private long field(long offset, CompletionFormat needed, String name) {
        if (format.compareTo(needed) < 0) {
            throw new UnsupportedOperationException(name + ": a completion queue of format " + format
                    + " does not report it; open it with " + needed);
        }
        return Memory.getLong(entry + offset);
    }

    /**
     * What the operation was posted with.
     *
     * @return the context; 0 for completions of no operation of this side, such as remote writes
     */
    public long context() {
        return context;
    }

    /**
     * The kind of operation, as bits of {@link CompletionFlag}.
     *
     * @return the flags, from {@link CompletionFormat#MSG} on
     */
    public long flags() {
        return field(FLAGS, CompletionFormat.MSG, "flags");
    }

    /**
     * Tests the kind of operation.
     *
     * @param flag the flag
     * @return true if it is set; from {@link CompletionFormat#MSG} on
     */
    public boolean is(CompletionFlag flag) {
        return (flags() & flag.code()) != 0;
    }

    /**
     * Bytes received; undefined for other operations.
     *
     * @return in bytes, from {@link CompletionFormat#MSG} on
     */
    public long length() {
        return field(LENGTH, CompletionFormat.MSG, "length") - prefix;
    }

    /**
     * Where a message of a multi-receive buffer starts; undefined for other operations. Subtract the
     * {@link java.lang.foreign.MemorySegment#address() address} of the posted buffer for the offset in it.
     *
     * @return an address, from {@link CompletionFormat#DATA} on
     */
    public long buffer() {
        return field(BUFFER, CompletionFormat.DATA, "buffer");
    }

    /**
     * Immediate data of the peer, if {@link CompletionFlag#REMOTE_CQ_DATA} is set.
     *
     * @return the data, from {@link CompletionFormat#DATA} on
     */
    public long data() {
        return field(DATA, CompletionFormat.DATA, "data");
    }

    /**
     * Tag of a received tagged message.
     *
     * @return the tag, with {@link CompletionFormat#TAGGED}
     */
    public long tag() {
        return field(TAG, CompletionFormat.TAGGED, "tag");
    }

    /**
     * The sender of a received message, where the domain has the capability {@code SOURCE}.
     *
     * @return the address-vector address; {@link Address#NOT_AVAILABLE} if unknown
     */
    public long source() {
        return source;
    }
}
