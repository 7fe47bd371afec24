// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.Completion;
import io.jfabric.CompletionFlag;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_cq_tagged_entry;
import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.post.ContextRegistry;
import io.jfabric.internal.post.ContextSlab;
import io.jfabric.internal.post.ContextSlot;
import io.jfabric.internal.post.Kept;
import io.jfabric.option.CompletionFormat;

/** {@link Completion}. */
public final class CompletionImpl implements Completion {
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

    public CompletionImpl(ContextRegistry contexts, CompletionFormat format) {
        this.contexts = contexts;
        this.format = format;
    }

    /** Shows the entry at an address and frees the operation's slot. */
    public void show(long address, long from) {
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

    @Override
    public long context() {
        return context;
    }

    @Override
    public Flags<CompletionFlag> flags() {
        return Flags.ofBits(CompletionFlag.class, bits());
    }

    private long bits() {
        return field(FLAGS, CompletionFormat.MSG, "flags");
    }

    @Override
    public boolean is(CompletionFlag flag) {
        return (bits() & flag.code()) != 0;
    }

    @Override
    public long length() {
        return field(LENGTH, CompletionFormat.MSG, "length") - prefix;
    }

    @Override
    public long buffer() {
        return field(BUFFER, CompletionFormat.DATA, "buffer");
    }

    @Override
    public long data() {
        return field(DATA, CompletionFormat.DATA, "data");
    }

    @Override
    public long tag() {
        return field(TAG, CompletionFormat.TAGGED, "tag");
    }

    @Override
    public long source() {
        return source;
    }

    /** What the queue reports, on one line. */
    @Override
    public String toString() {
        if (entry == 0) {
            return "no completion yet";
        }
        StringBuilder text = new StringBuilder("completion of context ").append(context);
        if (format.compareTo(CompletionFormat.MSG) >= 0) {
            text.append(", ").append(flags()).append(", ").append(Long.toUnsignedString(length())).append(" bytes");
        }
        if (format.compareTo(CompletionFormat.DATA) >= 0 && is(CompletionFlag.REMOTE_CQ_DATA)) {
            text.append(", data 0x").append(Long.toHexString(data()));
        }
        if (format == CompletionFormat.TAGGED && is(CompletionFlag.TAGGED)) {
            text.append(", tag 0x").append(Long.toHexString(tag()));
        }
        return source == Address.NOT_AVAILABLE ? text.toString() : text.append(", from ").append(source).toString();
    }
}
