// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_cq_attr;
import io.jfabric.bindings.fi_cq_data_entry;
import io.jfabric.bindings.fi_cq_entry;
import io.jfabric.bindings.fi_cq_msg_entry;
import io.jfabric.bindings.fi_cq_tagged_entry;
import io.jfabric.ffi.CqOps;
import io.jfabric.ffi.DomainOps;
import io.jfabric.ffi.Errno;
import io.jfabric.ffi.Memory;
import io.jfabric.info.Capability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * Where completed operations are reported (fi_cq(3)). Polling it also drives operations on where progress is manual.
 *
 * <p>One thread at a time may poll. Polling allocates nothing.
 */
public final class CompletionQueue extends FabricObject {
    private static final int BATCH = 64;
    private static final int EAGAIN = -Errno.EAGAIN;

    private final CompletionQueueAttributes attributes;
    private final long entrySize;
    private final boolean withSource;
    /** Whether the provider waits by polling: shm of libfabric 1.17 then forgets the timeout, so we do it here. */
    private final boolean yields;
    private volatile boolean signalled;
    // kept here so that it outlives every poll, even one that races with close()
    private final MemorySegment buffer;
    private final MemorySegment sources;
    private final long entries;
    private final Completion completion;
    private final CompletionErrors errors;
    /** Entries [next, count) of the buffer are read but not delivered: a handler threw. */
    private int next;
    private int count;

    private CompletionQueue(Domain domain, long handle, CompletionQueueAttributes attributes) {
        super(domain, handle);
        this.attributes = attributes;
        this.entrySize = entrySize(attributes.format());
        this.withSource = domain.info().caps().contains(Capability.SOURCE);
        this.yields = attributes.waitObject() == WaitObject.YIELD || attributes.waitObject() == WaitObject.UNSPEC
                && (domain.info().provider().equals("shm") || domain.info().provider().equals("sm2"));
        Arena arena = Arena.ofAuto();
        this.buffer = arena.allocate(BATCH * entrySize, 64);
        this.sources = arena.allocate(BATCH * 8L, 64);
        this.entries = buffer.address();
        this.completion = new Completion(domain.contexts(), attributes.format());
        this.errors = new CompletionErrors(domain.contexts());
    }

    static CompletionQueue open(Domain domain, CompletionQueueAttributes attributes) {
        CompletionQueueAttributes exact = attributes.format() != CompletionFormat.UNSPEC ? attributes
                // without a format of its own the provider's would be unknown here
                : new CompletionQueueAttributes(CompletionFormat.TAGGED, attributes.size(), attributes.waitObject(),
                        attributes.waitThreshold(), attributes.signalingVector());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = fi_cq_attr.allocate(arena);
            fi_cq_attr.size(attr, exact.size());
            fi_cq_attr.format(attr, (int) exact.format().code());
            fi_cq_attr.wait_obj(attr, (int) exact.waitObject().code());
            fi_cq_attr.wait_cond(attr, exact.waitThreshold() ? Libfabric.FI_CQ_COND_THRESHOLD()
                    : Libfabric.FI_CQ_COND_NONE());
            if (exact.signalingVector() >= 0) {
                fi_cq_attr.flags(attr, Libfabric.FI_AFFINITY());
                fi_cq_attr.signaling_vector(attr, exact.signalingVector());
            }
            long cq = domain.open("fi_cq_open", (d, result) -> DomainOps.cqOpen(d, attr.address(), result, 0));
            return new CompletionQueue(domain, cq, exact);
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

    /**
     * What the queue was opened with.
     *
     * @return the attributes
     */
    public CompletionQueueAttributes attributes() {
        return attributes;
    }

    /**
     * Reads completions and hands each to the handler ({@code fi_cq_read}, {@code fi_cq_readfrom}). Never blocks.
     *
     * <p>A handler that throws ends the call; completions already read are delivered by the next call, none is lost.
     *
     * @param handler takes the completions, and the errors
     * @param limit how many at most, at least 1
     * @return how many were delivered; 0 if there was none
     */
    public int poll(CompletionHandler handler, int limit) {
        long cq = handle();
        if (next < count) {
            return deliver(handler, limit);
        }
        long n = read(cq, limit);
        if (n > 0) {
            next = 0;
            count = (int) n;
            return deliver(handler, limit);
        }
        return n == EAGAIN || n == 0 ? 0 : failed("fi_cq_read", cq, n, handler);
    }

    /**
     * Like {@link #poll}, but waits for a completion ({@code fi_cq_sread}, {@code fi_cq_sreadfrom}). The queue must
     * have been opened with a wait object.
     *
     * @param handler takes the completions, and the errors
     * @param limit how many at most, at least 1
     * @param timeout how long to wait
     * @return how many were delivered; 0 if the time is up or another thread called {@link #signal()}
     */
    public int await(CompletionHandler handler, int limit, Duration timeout) {
        return await(handler, limit, timeout, 1);
    }

    /**
     * Like {@link #await(CompletionHandler, int, Duration)}, but waits for a number of completions; the queue must
     * have been opened with a wait threshold.
     *
     * @param handler takes the completions, and the errors
     * @param limit how many at most, at least 1
     * @param timeout how long to wait
     * @param threshold how many to wait for
     * @return how many were delivered
     */
    public int await(CompletionHandler handler, int limit, Duration timeout, long threshold) {
        long cq = handle();
        if (next < count) {
            return deliver(handler, limit);
        }
        checkLimit(limit);
        int millis = Timeouts.millis(timeout);
        long n = yields ? awaitByPolling(cq, limit, millis) : sread(cq, limit, millis, threshold);
        if (n > 0) {
            next = 0;
            count = (int) n;
            return deliver(handler, limit);
        }
        return n == EAGAIN || n == 0 || n == -Errno.EINTR || n == -Errno.ECANCELED || n == -Errno.ETIMEDOUT
                ? 0 : failed("fi_cq_sread", cq, n, handler);
    }

    private long awaitByPolling(long cq, int limit, int millis) {
        long start = System.nanoTime();
        long n = read(cq, limit);
        while (n == EAGAIN && !signalled && System.nanoTime() - start < millis * 1_000_000L) {
            Thread.yield();
            n = read(cq, limit);
        }
        signalled = false;
        return n;
    }

    private long sread(long cq, int limit, int millis, long threshold) {
        try (Arena arena = Arena.ofConfined()) {
            long cond = attributes.waitThreshold() ? arena.allocateFrom(ValueLayout.JAVA_LONG, threshold).address() : 0;
            return withSource
                    ? CqOps.sreadfrom(cq, entries, Math.min(limit, BATCH), sources.address(), cond, millis)
                    : CqOps.sread(cq, entries, Math.min(limit, BATCH), cond, millis);
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

    /**
     * Wakes a thread that is blocked in {@link #await} ({@code fi_cq_signal}). May be called from any thread.
     */
    public void signal() {
        long cq = handle();
        if (yields) {
            signalled = true;
        } else {
            check("fi_cq_signal", CqOps.signal(cq), null);
        }
    }

    @Override
    String kind() {
        return "completion queue";
    }

    @Override
    int closeRank() {
        return CloseRank.QUEUE;
    }
}
