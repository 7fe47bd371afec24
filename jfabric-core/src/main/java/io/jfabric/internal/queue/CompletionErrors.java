// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.CompletionError;
import io.jfabric.CompletionFlag;
import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_cq_err_entry;
import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.internal.context.ContextRegistry;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.ContextSlot;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.library.Exports;
import io.jfabric.internal.life.Results;
import io.jfabric.internal.ops.CqOps;
import io.jfabric.internal.quirk.OverflowTail;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.internal.watch.Watch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads and decodes the error entries of a completion queue. */
final class CompletionErrors {
    private static final int TEXT_BYTES = 1024;
    private static final String UNREADABLE = ", the memory of the sender cannot be read: its process has probably died";
    private static final long MULTI_RECV = Libfabric.FI_MULTI_RECV();

    private final ContextRegistry contexts;
    /** Whether the provider has no texts of its own that are safe to read, and right. */
    private final boolean general;
    /** How many bytes that did not fit are in the tail, without the provider telling of them. */
    private final long hidden;
    /** Whether the length of a message that was too long is reported as that of the whole message. */
    private final boolean whole;
    /** Whether a receive fails in the same way at the end of its memory and when its sender has died. */
    private final boolean failsAtEnd;
    /** Whether errors without a context may be echoes of one that had a context. */
    private final boolean echoes;
    /** Whether the provider is done with a buffer for several messages when one of them has broken off. */
    private final boolean endsBroken;

    /** Whether counters do not get to know of connected operations that were cancelled. */
    private final boolean uncounted;

    /** For one queue. */
    CompletionErrors(ContextRegistry contexts, Quirks quirks) {
        this.general = quirks.hasAny(Quirk.ERROR_TEXTS_OF_ENDPOINT, Quirk.LEFTOVER_ERRNO);
        this.hidden = OverflowTail.hidden(quirks);
        this.whole = quirks.has(Quirk.LENGTH_OF_THE_MESSAGE);
        this.failsAtEnd = quirks.has(Quirk.ENDLESS_TRUNCATION);
        this.echoes = quirks.has(Quirk.ATOMIC_FAILURES_ECHO);
        this.endsBroken = quirks.has(Quirk.BROKEN_OFF_KEEP_BUFFERS);
        this.uncounted = quirks.has(Quirk.CANCELLED_UNCOUNTED);
        this.contexts = contexts;
    }

    /** As {@link #read(long)}, if a read has announced an error; else throws. */
    CompletionError read(String operation, long answer, long cq) {
        if (answer != -Errno.EAVAIL) {
            throw FabricException.of(operation, answer, null);
        }
        return read(cq);
    }

    /** The next error; null if another thread was faster, or it is only an echo. */
    CompletionError read(long cq) {
        try (Arena arena = Arena.ofConfined()) {
            // zero-filled: a non-zero err_data_size would mean that we brought a buffer for it
            MemorySegment entry = Structs.allocate(arena, fi_cq_err_entry.layout());
            fi_cq_err_entry.src_addr(entry, Address.NOT_AVAILABLE);
            long result = CqOps.readerr(cq, entry.address(), 0);
            if (result == -Errno.EAGAIN || result == 0) {
                return null;
            }
            Results.check("fi_cq_readerr", result, null);
            return echoes && isEcho(entry) ? null : decode(cq, entry, arena);
        }
    }

    private static boolean isEcho(MemorySegment entry) {
        return fi_cq_err_entry.op_context(entry).address() == 0 && fi_cq_err_entry.flags(entry) == 0
                && fi_cq_err_entry.err(entry) == Errno.EACCES;
    }

    private CompletionError decode(long cq, MemorySegment entry, Arena arena) {
        // positive by the book; with libfabric 1.17 a provider reports -FI_ETRUNC
        int reported = Math.abs(fi_cq_err_entry.err(entry));
        ContextSlot slot = contexts.find(fi_cq_err_entry.op_context(entry).address());
        boolean isBounded = isBounded(slot);
        boolean isBroken = reported == Errno.EIO && failsAtEnd && isBounded;
        int err = isBroken && OverflowTail.wasFull() ? Errno.ETRUNC : reported;
        long told = fi_cq_err_entry.olen(entry);
        long overflow = told != 0 && err == Errno.ETRUNC && isBounded ? told + hidden : told;
        int providerErrno = fi_cq_err_entry.prov_errno(entry);
        long errorData = fi_cq_err_entry.err_data(entry).address();
        long errorDataSize = fi_cq_err_entry.err_data_size(entry);
        MemorySegment text = arena.allocate(TEXT_BYTES);
        String reason = general ? null : CqOps.strerror(cq, providerErrno, errorData, text.address(), TEXT_BYTES);
        Object endpoint = slot == null || slot.owner == null ? null : slot.owner.user();
        long flags = fi_cq_err_entry.flags(entry) | (slot != null && (slot.endsTruncated(err)
                || endsBroken && err == Errno.EIO && slot.kind == ContextSlab.MULTI_RECV) ? MULTI_RECV : 0);
        CompletionError error = new CompletionErrorImpl(release(fi_cq_err_entry.op_context(entry).address(), err, flags,
                        fi_cq_err_entry.buf(entry).address()),
                Flags.ofBits(CompletionFlag.class, flags),
                length(entry, err, overflow), overflow, fi_cq_err_entry.buf(entry).address(),
                fi_cq_err_entry.data(entry), fi_cq_err_entry.tag(entry), err, providerErrno,
                (reason == null || reason.isEmpty() ? Exports.strerror(err) : reason)
                        + (isBroken && err == Errno.EIO ? UNREADABLE : room(slot, entry, err)),
                errorData == 0 || errorDataSize == 0 ? new byte[0] : Memory.bytes(errorData, errorDataSize),
                // for other errors the book leaves it open: providers give 0, which is an address, or whatever was
                // there
                err == Errno.EADDRNOTAVAIL ? fi_cq_err_entry.src_addr(entry) : Address.NOT_AVAILABLE);
        if (err != Errno.ECANCELED) {
            // cancelling is how everything ends that nobody wants any more; the domain does not count it either
            Watch.failed(endpoint, error.context(), err, error.text());
        } else if (uncounted) {
            CountedEndpoints.cancelled(endpoint, flags);
        }
        return error;
    }

    private long length(MemorySegment entry, int err, long overflow) {
        long told = fi_cq_err_entry.len(entry);
        return whole && err == Errno.ETRUNC ? Math.max(0, told - overflow) : told;
    }

    /** How long a message might have been, if the provider does not say by how much it was too long. */
    private static String room(ContextSlot slot, MemorySegment entry, int err) {
        return err != Errno.ETRUNC || fi_cq_err_entry.olen(entry) != 0 || slot == null
                || slot.room == ContextSlot.UNBOUNDED ? ""
                : ", the receive has room for " + Long.toUnsignedString(slot.room) + " bytes";
    }

    /** Whether the operation is a receive with an {@link OverflowTail}. */
    private static boolean isBounded(ContextSlot slot) {
        return slot != null && slot.room != ContextSlot.UNBOUNDED
                && (slot.kind == ContextSlab.BOUNDED || slot.kind == ContextSlab.RESOURCES
                || slot.kind == ContextSlab.SILENT);
    }

    /** The context of the failed operation, whose slot becomes free if that was its end. */
    private long release(long token, int err, long flags, long buffer) {
        ContextSlot slot = token == 0 ? null : contexts.find(token);
        if (slot == null) {
            return contexts.foreign(token);
        }
        ContextSlab owner = slot.owner;
        long context = slot.context;
        if (owner != null && err != Errno.ECANCELED) {
            owner.failed();
        }
        if (!(slot.endsTruncated(err) ? slot.endsWithMessage(true, buffer, 0) : slot.endsWithFailure(flags))) {
            return context;
        }
        if (owner != null) {
            owner.release(slot);
        } else {
            contexts.over(slot);
        }
        return context;
    }
}
