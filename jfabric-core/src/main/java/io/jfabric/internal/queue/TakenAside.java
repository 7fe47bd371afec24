// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.CompletionError;
import io.jfabric.CompletionHandler;
import io.jfabric.info.Address;
import io.jfabric.internal.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * What a closer had to read of a queue before the queue's user did, in the order in which it came. Delivered by the
 * next polls. One thread at a time.
 */
final class TakenAside {
    private final Deque<Report> reports = new ArrayDeque<>();

    /** An error, or else a copy of an entry. */
    record Report(CompletionError error, MemorySegment entry, long source) {
        long token() {
            return Memory.getLong(entry.address());
        }

        /** As {@link CompletionImpl#show}. */
        void show(CompletionImpl completion) {
            if (error == null) {
                completion.show(entry, source);
            }
        }

        /** Once it is shown. */
        void handTo(CompletionHandler handler, CompletionImpl completion) {
            if (error == null) {
                completion.handTo(handler);
            } else {
                handler.onError(error);
            }
        }
    }

    void add(CompletionError error) {
        reports.add(new Report(error, MemorySegment.NULL, 0));
    }

    /** Copies of the entries from the first until the end; of sources if there are any. */
    void add(MemorySegment entries, long size, MemorySegment sources, int first, int end) {
        for (int i = first; i < end; i++) {
            MemorySegment copy = Arena.ofAuto().allocate(size, Long.BYTES).copyFrom(entries.asSlice(i * size, size));
            reports.add(new Report(null, copy, sources == null ? Address.NOT_AVAILABLE
                    : sources.getAtIndex(ValueLayout.JAVA_LONG, i)));
        }
    }

    Report next() {
        return reports.poll();
    }

    boolean isEmpty() {
        return reports.isEmpty();
    }

    /** Of the operations that ended well. */
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
