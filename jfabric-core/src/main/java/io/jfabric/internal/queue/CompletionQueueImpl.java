// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.CompletionError;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.FabricException;
import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_cq_attr;
import io.jfabric.bindings.fi_cq_data_entry;
import io.jfabric.bindings.fi_cq_entry;
import io.jfabric.bindings.fi_cq_msg_entry;
import io.jfabric.bindings.fi_cq_tagged_entry;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.internal.ffi.CqOps;
import io.jfabric.internal.ffi.DomainOps;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import io.jfabric.internal.ffi.Structs;
import io.jfabric.internal.life.CloseRank;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.post.DomainState;
import io.jfabric.internal.post.Sizes;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Objects;

/** {@link CompletionQueue}. */
public final class CompletionQueueImpl extends FidObject implements CompletionQueue, NativeWaitable {
    private static final int BATCH = 64;
    private static final int EAGAIN = -Errno.EAGAIN;

    private final CompletionQueueAttributes attributes;
    private final long entrySize;
    private final WaitObject opened;
    private final boolean waitsByPolling;
    /** Set by {@link #signal()} for a thread that waits by polling. */
    private volatile boolean signaled;
    private boolean withSource;
    // kept here so that it outlives every poll, even one that races with close()
    private final MemorySegment buffer;
    private final MemorySegment sources;
    private final long entries;
    private final CompletionImpl completion;
    private final CompletionErrors errors;
    /** Entries [next, count) of the buffer are read but not delivered: a handler threw. */
    private int next;
    private int count;

    private CompletionQueueImpl(DomainState domain, long handle, CompletionQueueAttributes attributes,
            WaitObject opened) {
        super(domain.object(), handle);
        this.attributes = attributes;
        this.entrySize = entrySize(attributes.format());
        this.withSource = domain.info().capabilities().contains(Capability.SOURCE);
        this.opened = opened;
        this.waitsByPolling = WaitObjects.ignoresTimeout(domain.info().provider(), opened);
        Arena arena = Arena.ofAuto();
        this.buffer = arena.allocate(BATCH * entrySize, 64);
        this.sources = arena.allocate(BATCH * 8L, 64);
        this.entries = buffer.address();
        this.completion = new CompletionImpl(domain.contexts(), attributes.format());
        this.errors = new CompletionErrors(domain.contexts());
    }

    public static CompletionQueueImpl open(DomainState domain, CompletionQueueAttributes attributes, FidObject waitSet) {
        CompletionQueueAttributes exact = attributes.format() != CompletionFormat.UNSPEC ? attributes
                // without a format of its own the provider's would be unknown here
                : new CompletionQueueAttributes(CompletionFormat.TAGGED, attributes.size(), attributes.waitObject(),
                        attributes.waitThreshold(), attributes.signalingVector());
        long size = Sizes.completions("fi_cq_open", exact.size(), domain.info(), domain.quirks());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = Structs.allocate(arena, fi_cq_attr.layout());
            fi_cq_attr.size(attr, size);
            fi_cq_attr.format(attr, (int) exact.format().code());
            WaitObject object = waitSet == null ? exact.waitObject() : WaitObject.SET;
            fi_cq_attr.wait_obj(attr, (int) object.code());
            fi_cq_attr.wait_set(attr, MemorySegment.ofAddress(waitSet == null ? 0 : waitSet.handle()));
            fi_cq_attr.wait_cond(attr, exact.waitThreshold() ? Libfabric.FI_CQ_COND_THRESHOLD()
                    : Libfabric.FI_CQ_COND_NONE());
            if (exact.signalingVector() >= 0) {
                fi_cq_attr.flags(attr, Libfabric.FI_AFFINITY());
                fi_cq_attr.signaling_vector(attr, exact.signalingVector());
            }
            long cq = domain.open("fi_cq_open", (d, result) -> DomainOps.cqOpen(d, attr.address(), result, 0));
            CompletionQueueImpl queue = new CompletionQueueImpl(domain, cq, exact, object);
            if (waitSet != null) {
                // closed first, the set would leave the queue a pointer to nothing
                queue.uses(waitSet);
            }
            return queue;
        }
    }

    private static long entrySize(CompletionFormat format) {
        return switch (format) {
            case CONTEXT -> fi_cq_entry.sizeof();
            case MSG -> fi_cq_msg_entry.sizeof();
            case DATA -> fi_cq_data_entry.sizeof();
            case TAGGED, UNSPEC -> fi_cq_tagged_entry.sizeof();
        };
    }

    @Override
    public CompletionQueueAttributes attributes() {
        return attributes;
    }

    @Override
    public CompletionQueueImpl ignoreSources() {
        withSource = false;
        return this;
    }

    @Override
    public int poll(CompletionHandler handler, int limit) {
        Objects.requireNonNull(handler, "poll: the handler is null");
        long cq = handle();
        if (next < count) {
            return deliver(handler, limit);
        }
        long n = read(cq, limit);
        if (n == EAGAIN || n == 0) {
            return 0;
        }
        if (n < 0) {
            return failed("fi_cq_read", cq, n, handler);
        }
        if (n == 1) {
            completion.show(entries, withSource ? Memory.getLong(sources.address()) : Address.NOT_AVAILABLE);
            handler.onCompletion(completion);
            return 1;
        }
        next = 0;
        count = (int) n;
        return deliver(handler, limit);
    }

    @Override
    public int await(CompletionHandler handler, int limit, Duration timeout) {
        return await(handler, limit, timeout, 1);
    }

    @Override
    public int await(CompletionHandler handler, int limit, Duration timeout, long threshold) {
        Objects.requireNonNull(handler, "await: the handler is null");
        long cq = handle();
        if (next < count) {
            return deliver(handler, limit);
        }
        checkLimit(limit);
        WaitObjects.requireWaitable("fi_cq_sread", opened);
        if (waitsByPolling) {
            return awaitByPolling(handler, limit, timeout);
        }
        int millis = Timeouts.millis(timeout);
        long n;
        try (Arena arena = Arena.ofConfined()) {
            long cond = attributes.waitThreshold() ? arena.allocateFrom(ValueLayout.JAVA_LONG, threshold).address() : 0;
            n = withSource
                    ? CqOps.sreadfrom(cq, entries, Math.min(limit, BATCH), sources.address(), cond, millis)
                    : CqOps.sread(cq, entries, Math.min(limit, BATCH), cond, millis);
        }
        if (n > 0) {
            next = 0;
            count = (int) n;
            return deliver(handler, limit);
        }
        return n == EAGAIN || n == 0 || n == -Errno.EINTR || n == -Errno.ECANCELED || n == -Errno.ETIMEDOUT
                ? 0 : failed("fi_cq_sread", cq, n, handler);
    }

    private int awaitByPolling(CompletionHandler handler, int limit, Duration timeout) {
        Idle idle = new Idle(timeout);
        while (true) {
            int n = poll(handler, limit);
            if (n != 0 || idle.isOver()) {
                return n;
            }
            if (signaled) {
                signaled = false;
                return 0;
            }
            idle.pause();
        }
    }

    private long read(long cq, int limit) {
        checkLimit(limit);
        int n = Math.min(limit, BATCH);
        return withSource ? CqOps.readfrom(cq, entries, n, sources.address()) : CqOps.read(cq, entries, n);
    }

    private static void checkLimit(int limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("poll: limit is " + limit + ", it must be at least 1");
        }
    }

    private int deliver(CompletionHandler handler, int limit) {
        int delivered = 0;
        while (next < count && delivered < limit) {
            int i = next++;
            completion.show(entries + i * entrySize,
                    withSource ? Memory.getLong(sources.address() + i * 8L) : Address.NOT_AVAILABLE);
            handler.onCompletion(completion);
            delivered++;
        }
        return delivered;
    }

    private int failed(String operation, long cq, long result, CompletionHandler handler) {
        if (result != -Errno.EAVAIL) {
            throw FabricException.of(operation, result, null);
        }
        CompletionError error = errors.read(cq);
        if (error == null) {
            return 0;
        }
        handler.onError(error);
        return 1;
    }

    @Override
    public void signal() {
        long cq = handle();
        if (waitsByPolling) {
            signaled = true;
            return;
        }
        WaitObjects.requireWaitable("fi_cq_signal", opened);
        check("fi_cq_signal", CqOps.signal(cq), null);
    }

    @Override
    public WaitObject requestedWaitObject() {
        return opened;
    }

    @Override
    public String kind() {
        return "completion queue";
    }

    @Override
    public int closeRank() {
        return CloseRank.QUEUE;
    }

    @Override
    protected boolean refusesControl() {
        return true;
    }
}
