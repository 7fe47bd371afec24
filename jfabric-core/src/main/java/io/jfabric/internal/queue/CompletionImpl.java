// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.Completion;
import io.jfabric.CompletionError;
import io.jfabric.CompletionFlag;
import io.jfabric.CompletionHandler;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_cq_tagged_entry;
import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.internal.context.ContextRegistry;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.ContextSlot;
import io.jfabric.internal.context.Kept;
import io.jfabric.internal.context.RawContext;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.library.Exports;
import io.jfabric.internal.quirk.OverflowTail;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.internal.watch.Watch;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;

/** {@link Completion}. */
public final class CompletionImpl implements Completion {
    // fi_cq_tagged_entry begins with the entries of the smaller formats
    private static final long FLAGS = fi_cq_tagged_entry.flags$offset();
    private static final long LENGTH = fi_cq_tagged_entry.len$offset();
    private static final long BUFFER = fi_cq_tagged_entry.buf$offset();
    private static final long DATA = fi_cq_tagged_entry.data$offset();
    private static final long TAG = fi_cq_tagged_entry.tag$offset();
    private static final long MULTI_RECV = Libfabric.FI_MULTI_RECV();
    private static final long HAS_DATA = Libfabric.FI_REMOTE_CQ_DATA();
    private static final long RECEIVED = Libfabric.FI_RECV() | HAS_DATA;
    private static final long WRITTEN = Libfabric.FI_REMOTE_WRITE() | Libfabric.FI_RMA();
    /** Providers need not set length, tag and source for these. */
    private static final long STARTED_HERE = Libfabric.FI_SEND() | Libfabric.FI_READ() | Libfabric.FI_WRITE();

    private final ContextRegistry contexts;
    private final CompletionFormat format;
    /** Whether the provider does not say that there is immediate data. */
    private final boolean unsaid;
    /** Whether the provider does not say that immediate data comes from a write. */
    private final boolean writeUnsaid;
    /** Whether the provider reports operations that nobody asked for, maybe of an endpoint that is closed by now. */
    private final boolean unasked;
    /** Whether these include injects. If not, an entry without a context is that of a peer's write. */
    private final boolean unaskedInjects;
    /** The address of the first entry. */
    private final long first;
    /** The memory of the entries: whoever uses a completion too late reads outdated values, but no freed memory. */
    private final MemorySegment entries;
    /** The last entry shown of those that are elsewhere. */
    private MemorySegment aside;
    /** From {@link #contexts}, when last looked for; kept here to save a chain of loads. */
    private ContextSlot[] slots = {};
    private long entry;
    private long context;
    private long prefix;
    /** The room of a receive whose message was too long for it; else {@link ContextSlot#UNBOUNDED}. */
    private long room = ContextSlot.UNBOUNDED;
    private long source = Address.NOT_AVAILABLE;
    /** The endpoint whose message was too long, until that is told. */
    private Object receiver;
    /** Whether nobody asked for it. */
    private boolean silent;

    public CompletionImpl(ContextRegistry contexts, CompletionFormat format, Quirks quirks, MemorySegment entries) {
        this.entries = entries;
        this.first = entries.address();
        this.entry = first;
        this.contexts = contexts;
        this.format = format;
        this.unasked = quirks.reportUnasked();
        this.unaskedInjects = quirks.has(Quirk.REPORTS_UNASKED);
        this.writeUnsaid = quirks.has(Quirk.WRITE_NOT_SAID);
        this.unsaid = format.compareTo(CompletionFormat.DATA) >= 0 && quirks.has(Quirk.DATA_NOT_SAID);
    }

    /** Shows the first entry, before {@link #showOrdinary}. */
    void reset() {
        entry = first;
        source = Address.NOT_AVAILABLE;
        prefix = 0;
        room = ContextSlot.UNBOUNDED;
        silent = false;
    }

    /**
     * Shows the entry at an address if its operation is of the usual kind, and then frees the slot; else returns false
     * and changes nothing that counts. Only after {@link #reset}: all else there is to show stays as it was.
     */
    boolean showOrdinary(long address) {
        long token = Memory.getLong(address);
        if (entry != address) {
            entry = address;
        }
        if (RawContext.is(token)) {
            context = RawContext.of(token);
            return true;
        }
        ContextSlot slot = ContextRegistry.find(slots, token);
        if (slot == null) {
            slots = contexts.slots();
            slot = ContextRegistry.find(slots, token);
        }
        if (slot == null || slot.kind != ContextSlab.PLAIN && (slot.kind != ContextSlab.BOUNDED
                || Long.compareUnsigned(Memory.getLong(address + LENGTH), slot.room) > 0)) {
            return false;
        }
        ContextSlab owner = slot.owner;
        if (owner == null) {
            return false;
        }
        context = slot.context;
        owner.releaseOrdinary(slot);
        return true;
    }

    /** Shows the entry at an address and frees the operation's slot. */
    public void show(long address, long from) {
        // compared before stored, as in ContextSlot: most often nothing has changed since last time
        if (entry != address) {
            entry = address;
        }
        if (source != from) {
            source = from;
        }
        if (prefix != 0) {
            prefix = 0;
        }
        if (room != ContextSlot.UNBOUNDED) {
            room = ContextSlot.UNBOUNDED;
        }
        if (silent) {
            silent = false;
        }
        long token = Memory.getLong(address);
        if (RawContext.is(token)) {
            context = RawContext.of(token);
            return;
        }
        ContextSlot slot = token == 0 ? null : contexts.find(token);
        if (slot == null) {
            context = contexts.foreign(token);
            silent = unasked && context == 0 && (token != 0 || unaskedInjects);
            return;
        }
        context = slot.context;
        if (slot.kind != ContextSlab.PLAIN) {
            if (slot.kind != ContextSlab.BOUNDED) {
                showSpecial(slot);
                return;
            }
            if (Long.compareUnsigned(Memory.getLong(entry + LENGTH), slot.room) > 0) {
                tooLong(slot);
            }
        }
        release(slot);
    }

    private void release(ContextSlot slot) {
        ContextSlab owner = slot.owner;
        if (owner != null) {
            owner.release(slot);
        } else {
            contexts.over(slot);
        }
    }

    /** As {@link #show(long, long)}, for an entry that is not among the others. */
    void show(MemorySegment other, long from) {
        aside = other;
        show(other.address(), from);
    }

    /**
     * Hands what it shows to a handler: as an error if the message was too long, and not at all if nobody asked for it.
     * Returns how many it has handed over, 1 or 0.
     */
    public int handTo(CompletionHandler handler) {
        if (room != ContextSlot.UNBOUNDED) {
            handler.onError(truncated());
        } else if (silent) {
            return 0;
        } else {
            handler.onCompletion(this);
        }
        return 1;
    }

    /** Whether the entry shown last has left nothing that {@link #showOrdinary} does not reset. */
    boolean isPlain() {
        return room == ContextSlot.UNBOUNDED && prefix == 0 && !silent;
    }

    /** Whether nobody asked for the entry shown last. */
    boolean isSilent() {
        return silent;
    }

    private void tooLong(ContextSlot slot) {
        room = slot.room;
        receiver = null;
        if (slot.owner != null) {
            receiver = slot.owner.user();
            slot.owner.failed();
            Watch.failed(slot.owner.user(), slot.context, Errno.ETRUNC, "the message was too long");
        }
    }

    private CompletionError truncated() {
        long over = Memory.getLong(entry + LENGTH) - room;
        OverflowTail.forget(over);
        Object failed = receiver;
        // nobody may refer to it any more
        receiver = null;
        CountedEndpoints.receiveFailed(failed);
        return new CompletionErrorImpl(context, Flags.ofBits(CompletionFlag.class, Memory.getLong(entry + FLAGS)),
                room - prefix,
                over, format.compareTo(CompletionFormat.DATA) < 0 ? 0 : buffer(),
                format.compareTo(CompletionFormat.DATA) < 0 ? 0 : data(),
                format.compareTo(CompletionFormat.TAGGED) < 0 ? 0 : tag(), Errno.ETRUNC, Errno.ETRUNC,
                Exports.strerror(Errno.ETRUNC), new byte[0], source);
    }

    private void showSpecial(ContextSlot slot) {
        if (slot.room != ContextSlot.UNBOUNDED
                && Long.compareUnsigned(Memory.getLong(entry + LENGTH), slot.room) > 0) {
            tooLong(slot);
        }
        if (slot.kept instanceof Kept kept) {
            prefix = kept.prefix();
        }
        silent = slot.kind == ContextSlab.SILENT;
        boolean over = switch (slot.kind) {
            case ContextSlab.MULTI_RECV -> slot.endsWithMessage((Memory.getLong(entry + FLAGS) & MULTI_RECV) != 0,
                    format.compareTo(CompletionFormat.DATA) < 0 ? 0 : Memory.getLong(entry + BUFFER),
                    Memory.getLong(entry + LENGTH));
            case ContextSlab.CLAIM -> {
                slot.kind = ContextSlab.CLAIMED;
                // nobody can claim it if the endpoint is closed
                yield slot.owner == null;
            }
            default -> true;
        };
        if (over) {
            release(slot);
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
        long bits = field(FLAGS, CompletionFormat.MSG, "flags");
        if (writeUnsaid && (bits & RECEIVED) == HAS_DATA) {
            return bits | WRITTEN;
        }
        // data of 0 cannot be told from no data
        return unsaid && (bits & RECEIVED) == Libfabric.FI_RECV() && Memory.getLong(entry + DATA) != 0
                ? bits | HAS_DATA : bits;
    }

    @Override
    public boolean is(CompletionFlag flag) {
        return (bits() & Arguments.given(flag, "Completion.is", "the flag").code()) != 0;
    }

    @Override
    public long length() {
        long length = field(LENGTH, CompletionFormat.MSG, "length");
        // many providers say 0 of a message that was sent
        return prefix == 0 ? length : Math.max(0, length - prefix);
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
        StringBuilder text = new StringBuilder("completion of context ").append(context);
        if (format.compareTo(CompletionFormat.MSG) >= 0) {
            text.append(", ").append(flags());
            if ((bits() & STARTED_HERE) != 0) {
                return text.toString();
            }
            text.append(", ").append(Long.toUnsignedString(length())).append(" bytes");
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
