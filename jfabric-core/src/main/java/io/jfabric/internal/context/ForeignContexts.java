// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Operations whose context is a struct of their own: triggered and deferred ones. Empty in most programs. Those that
 * report no completion are over when their endpoint is; the others may still be reported by a queue then. Any thread.
 */
final class ForeignContexts {
    private final Map<Long, ForeignContext> open = new ConcurrentHashMap<>();
    /** Of closed endpoints; only the struct is kept, so that its address is not used for another. */
    private final Map<Long, Unread> unread = new ConcurrentHashMap<>();

    private record Unread(ForeignContext operation, Readers readers) {
    }

    void add(long address, ForeignContext operation) {
        open.put(address, operation);
    }

    boolean has(long address) {
        return open.containsKey(address) || unread.containsKey(address);
    }

    void remove(long address) {
        open.remove(address);
        unread.remove(address);
    }

    /** The user's context of a completed operation; 0 if it is none of these. */
    long take(long address) {
        if (address == 0 || open.isEmpty() && unread.isEmpty()) {
            return 0;
        }
        ForeignContext operation = open.remove(address);
        if (operation == null) {
            Unread old = unread.remove(address);
            operation = old == null ? null : old.operation;
        }
        return operation == null ? 0 : operation.context();
    }

    /** Operations of open endpoints. */
    Collection<ForeignContext> underWay() {
        return open.values();
    }

    /** The provider has closed their endpoint; returns the queues that may still report one of them. */
    synchronized List<ContextReader> over(AtomicBoolean ended, Collection<ContextReader> queues, boolean parked) {
        List<ContextReader> readers = queues.stream().filter(ContextReader::isOpen).toList();
        Readers left = new Readers(readers, parked);
        boolean any = false;
        for (Map.Entry<Long, ForeignContext> entry : open.entrySet()) {
            ForeignContext operation = entry.getValue();
            if (operation.keep() instanceof Later later && later.ended() == ended) {
                if (!readers.isEmpty()) {
                    // in here before it is removed below: others look meanwhile
                    ForeignContext rest = new ForeignContext(operation.context(), later.struct());
                    unread.put(entry.getKey(), new Unread(rest, left));
                    any = true;
                }
                open.remove(entry.getKey(), operation);
            }
        }
        return any ? readers : List.of();
    }

    /** That queue has nothing more to report of endpoints that were closed before. */
    synchronized void emptied(ContextReader queue) {
        if (!unread.isEmpty()) {
            unread.values().removeIf(one -> one.readers.emptied(queue));
        }
    }

    /** Nobody reads that queue any more. */
    synchronized void closed(ContextReader queue) {
        if (!unread.isEmpty()) {
            unread.values().removeIf(one -> one.readers.closed(queue));
        }
    }
}
