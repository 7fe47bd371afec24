// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.address;

import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Buffers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Asynchronous insertions whose events are not read yet. Providers read and write memory of jfabric's meanwhile, as the
 * user's may go away.
 */
final class PendingInsertions {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /** The memory that the provider uses. */
    private record Memory(MemorySegment values, MemorySegment addresses) {
        long count() {
            return values.byteSize() / LONG.byteSize();
        }
    }

    private record Pending(Memory memory, MemorySegment results) {
    }

    /** The memory of all, without the users' results, which no provider writes to. */
    private final Set<Memory> memory = ConcurrentHashMap.newKeySet();

    /** By the context that the provider has. */
    private final Map<Long, Pending> pending = new HashMap<>();
    private final AtomicLong underWay = new AtomicLong();

    /** Takes the addresses of the memory in place of the user's addresses and results. */
    @FunctionalInterface
    interface Start {
        void start(long addresses, long results);
    }

    /**
     * The addresses are a copy already, which is kept until the event. No lock is held while the provider is called,
     * which may wait until nobody is inside the event queue: whoever reads the event is.
     */
    void start(long token, MemorySegment addresses, long count, MemorySegment results, Start start) {
        if (!Buffers.isForAnyThread(results)) {
            throw new WrongThreadException("fi_av_insert: the memory of the results is confined to this thread, but "
                    + "the thread that reads the event writes to it; use Domain.openArena()");
        }
        MemorySegment values = Arena.ofAuto().allocate(LONG, Math.max(1, count));
        for (long i = 0; i < count; i++) {
            values.setAtIndex(LONG, i, Address.NOT_AVAILABLE);
        }
        Pending one = new Pending(new Memory(values.asSlice(0, count * LONG.byteSize()), addresses), results);
        add(token, one);
        try {
            start.start(addresses.address(), values.address());
        } catch (RuntimeException e) {
            if (remove(token) != null) {
                memory.remove(one.memory);
                underWay.addAndGet(-one.memory.count());
            }
            throw e;
        }
    }

    /** What must stay reachable even if the vector was forgotten. */
    Object memory() {
        return memory;
    }

    /** How many addresses the provider has, or is about to get, without a report yet. */
    long underWay() {
        return underWay.get();
    }

    private synchronized void add(long token, Pending one) {
        memory.add(one.memory);
        underWay.addAndGet(one.memory.count());
        pending.put(token, one);
    }

    private synchronized Pending remove(long token) {
        return pending.remove(token);
    }

    /** Hands the values to the user, if there is still somebody to have them, and each to the consumer. */
    void finish(long token, LongConsumer inserted) {
        Pending one = remove(token);
        if (one == null) {
            return;
        }
        memory.remove(one.memory);
        MemorySegment values = one.memory.values;
        for (long at = 0; at < values.byteSize(); at += LONG.byteSize()) {
            inserted.accept(values.get(LONG, at));
        }
        underWay.addAndGet(-one.memory.count());
        try {
            one.results.asSlice(0, values.byteSize()).copyFrom(values);
        } catch (IllegalStateException closed) {
            // the user does not want them any more
        }
    }
}
