// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.CompletionError;
import io.jfabric.CompletionHandler;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What a closer had to read from a queue before the queue's user did, in the order in which it came. The next polls
 * deliver it. One thread at a time.
 */
final class TakenAside {
    private static final int MOST = 1 << 20;

    private final Deque<Report> reports = new ArrayDeque<>();

    /** Reads up to so many entries, and their sources. */
    @FunctionalInterface
    interface Reading {
        /** As {@code fi_cq_readfrom}. */
        long read(int n, long entries, long sources);
    }

    /** An error, or else a copy of an entry. */
    record Report(CompletionError error, MemorySegment entry, long source) {
        long token() {
            return Memory.getLong(entry.address());
        }

        /** As {@link CompletionImpl#show}. */
        private void show(CompletionImpl completion) {
            if (error == null) {
                completion.show(entry, source);
            }
        }

        /** To be called after {@link #show}; as {@link CompletionImpl#handTo}. */
        int handTo(CompletionHandler handler, CompletionImpl completion) {
            if (error == null) {
                return completion.handTo(handler);
            }
            handler.onError(error);
            return 1;
        }
    }

    /** Starts with entries that come first; as {@link #add(MemorySegment, long, MemorySegment, int, int)}. */
    TakenAside(MemorySegment entries, long size, MemorySegment sources, int first, int end) {
        add(entries, size, sources, first, end);
    }

    private void add(CompletionError error) {
        reports.add(new Report(error, MemorySegment.NULL, 0));
    }

    /** Adds copies of the entries from the first until the end; with sources if there are any. */
    private void add(MemorySegment entries, long size, MemorySegment sources, int first, int end) {
        for (int i = first; i < end; i++) {
            MemorySegment copy = Arena.ofAuto().allocate(size, Long.BYTES).copyFrom(entries.asSlice(i * size, size));
            reports.add(new Report(null, copy, sources == null ? Address.NOT_AVAILABLE
                    : sources.getAtIndex(ValueLayout.JAVA_LONG, i)));
        }
    }

    /** Reads all that there is, but not forever. */
    void addAll(Reading reading, int batch, long size, boolean withSource, Supplier<CompletionError> errors,
            Predicate<CompletionError> known) {
        // not into the queue's buffer: a handler may be looking at an entry, and this thread may be inside that handler
        Arena arena = Arena.ofAuto();
        MemorySegment entries = arena.allocate(batch * size, 64);
        MemorySegment sources = arena.allocate(batch * 8L, 64);
        // somebody may go on sending without end
        for (int left = MOST; left > 0;) {
            int n = (int) reading.read(batch, entries.address(), sources.address());
            if (n > 0) {
                add(entries, size, withSource ? sources : null, 0, n);
                left -= n;
            } else if (n == -Errno.EAVAIL) {
                CompletionError error = errors.get();
                if (error != null && !known.test(error)) {
                    add(error);
                }
                left--;
            } else {
                return;
            }
        }
    }

    /** Shows the next report, and removes it. */
    Report show(CompletionImpl completion) {
        Report report = reports.element();
        report.show(completion);
        return reports.remove();
    }

    boolean isEmpty() {
        return reports.isEmpty();
    }

    /** The tokens of the operations that ended well. */
    Set<Long> tokens() {
        Set<Long> tokens = new HashSet<>();
        for (Report report : reports) {
            if (report.error == null) {
                tokens.add(report.token());
            }
        }
        return tokens;
    }
}
