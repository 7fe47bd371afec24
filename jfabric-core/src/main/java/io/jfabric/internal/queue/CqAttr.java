// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.FabricException;
import io.jfabric.Waitable;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_cq_attr;
import io.jfabric.bindings.fi_cq_data_entry;
import io.jfabric.bindings.fi_cq_msg_entry;
import io.jfabric.bindings.fi_cq_tagged_entry;
import io.jfabric.info.Capability;
import io.jfabric.internal.context.QueueRoom;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.ops.DomainOps;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import io.jfabric.internal.shared.Sizes;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What a completion queue is opened with, and how long its entries are. */
public final class CqAttr {
    /** Nobody needs more, and a program that never reads the queue must not fill the memory. */
    private static final long ANY_ROOM = 1 << 16;
    /** For queues whose size is left to the provider. */
    private static final long LEAST_DEFAULT = 1 << 11;

    private CqAttr() {
    }

    private static CompletionQueueAttributes exact(CompletionQueueAttributes attributes) {
        return attributes.format() != CompletionFormat.UNSPEC ? attributes
                // otherwise the provider would choose the format, and it would be unknown here
                : attributes.withFormat(CompletionFormat.TAGGED);
    }

    /** Whether completions say who has sent the message. */
    static boolean hasSources(DomainState domain) {
        return domain.info().capabilities().contains(Capability.SOURCE)
                && !domain.quirks().has(Quirk.SOURCES_NEED_CONTACT);
    }

    /** Whether waits can ask for a number of completions. */
    static boolean hasThreshold(DomainState domain, CompletionQueueAttributes attributes) {
        return attributes.waitThreshold() && !domain.quirks().has(Quirk.THRESHOLD_OF_READS);
    }

    /** Throws unless waits on a queue with these attributes may ask for that number. */
    static void checkThreshold(CompletionQueueAttributes attributes, long threshold) {
        if (threshold < 1) {
            throw new IllegalArgumentException("fi_cq_sread: the threshold " + threshold + " is less than 1");
        }
        if (threshold > 1 && !attributes.waitThreshold()) {
            throw new IllegalStateException("fi_cq_sread: the queue was opened without a wait threshold; open it with "
                    + "CompletionQueueAttributes.withWaitThreshold(true)");
        }
    }

    /** {@code fi_cq_open}; the wait set may be null. */
    public static CompletionQueueImpl open(DomainState domain, CompletionQueueAttributes attributes,
            FidObject waitSet) {
        CompletionQueueAttributes exact = exact(attributes);
        return WaitObjectOffers.open(exact.waitObject(), waitSet, domain.info().provider(),
                object -> open(domain, exact, object, waitSet));
    }

    private static CompletionQueueImpl open(DomainState domain, CompletionQueueAttributes exact, WaitObject object,
            FidObject waitSet) {
        boolean polls = object == WaitObject.POLLFD
                || waitSet instanceof Waitable set && set.requestedWaitObject() == WaitObject.POLLFD;
        if (polls && domain.quirks().has(Quirk.POLLS_TAKEN_FOR_EPOLL)) {
            throw FabricException.of("fi_cq_open", Errno.ENOSYS, "provider " + domain.info().provider()
                    + " binds no queue that waits with POLLFD; open what waits with WaitObject.FD");
        }
        long size = Sizes.whole(Sizes.completions("fi_cq_open", exact.size(), domain.info(), domain.quirks()),
                entrySize(exact.format()), domain.quirks());
        QueueRoom room = new QueueRoom(size, silentRoom(exact, domain));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = attr(arena, domain, exact, object, size);
            return domain.open("fi_cq_open", (d, result) -> {
                fi_cq_attr.wait_set(attr, WaitObjects.set(domain.object(), waitSet));
                return DomainOps.cqOpen(d, attr.address(), result, 0);
            }, cq -> WaitObjects.using(new CompletionQueueImpl(domain, cq, exact, object, room), waitSet));
        }
    }

    /** How many receives that nobody asked to be told of may be unread. */
    private static long silentRoom(CompletionQueueAttributes exact, DomainState domain) {
        if (!domain.quirks().has(Quirk.FULL_QUEUE_STOPS_RECEIVES)) {
            return ANY_ROOM;
        }
        return (exact.size() > 0 ? exact.size() : LEAST_DEFAULT) / 2;
    }

    /** All but the wait set. */
    private static MemorySegment attr(Arena arena, DomainState domain, CompletionQueueAttributes exact,
            WaitObject object, long size) {
        MemorySegment attr = Structs.allocate(arena, fi_cq_attr.layout());
        fi_cq_attr.size(attr, size);
        fi_cq_attr.format(attr, (int) nativeFormat(exact.format()).code());
        fi_cq_attr.wait_obj(attr, (int) object.code());
        fi_cq_attr.wait_cond(attr, hasThreshold(domain, exact) ? Libfabric.FI_CQ_COND_THRESHOLD()
                : Libfabric.FI_CQ_COND_NONE());
        if (exact.signalingVector() >= 0) {
            fi_cq_attr.flags(attr, Libfabric.FI_AFFINITY());
            fi_cq_attr.signaling_vector(attr, exact.signalingVector());
        }
        return attr;
    }

    // The length tells whether a message was too long for its receive, the flags whether a buffer for many is used up.
    private static CompletionFormat nativeFormat(CompletionFormat format) {
        return format == CompletionFormat.CONTEXT ? CompletionFormat.MSG : format;
    }

    /** The size of an entry in bytes. */
    static long entrySize(CompletionFormat format) {
        return switch (nativeFormat(format)) {
            case CONTEXT, MSG -> fi_cq_msg_entry.sizeof();
            case DATA -> fi_cq_data_entry.sizeof();
            case TAGGED, UNSPEC -> fi_cq_tagged_entry.sizeof();
        };
    }
}
