// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.FabricObject;
import io.jfabric.internal.ffi.Buffers;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The arenas, and other memory, that are used by an endpoint's operations which report no completion (selective
 * completion, counters only). Nothing tells when these are over, so the arenas stay open, and the memory reachable,
 * until the endpoint is closed. Any thread.
 */
final class UnreportedUse {
    private static final int PRUNE = 64;

    /** Memory of no arena of jfabric, which may be freed when nobody can reach it. Under the outer object's monitor. */
    static final class Reachable {
        private final Set<MemorySegment.Scope> scopes = new HashSet<>();
        /** Ends of pieces by their starts, which do not touch; null where providers want no descriptors. */
        private final NavigableMap<Long, Long> pieces;
        /** The endpoint. Its slots would lead to threads. */
        private final WeakReference<Object> user;
        private int pruneAt = PRUNE;

        private Reachable(WeakReference<Object> user, boolean described) {
            this.user = user;
            this.pieces = described ? new TreeMap<>() : null;
        }

        private void add(MemorySegment segment) {
            if (pieces != null && segment.byteSize() > 0) {
                addPiece(segment.address(), segment.address() + segment.byteSize());
            }
            // confined memory stays anyway, and leads to its thread
            if (Buffers.isForAnyThread(segment) && OpenArenas.find(segment) == null && scopes.add(segment.scope())
                    && scopes.size() > pruneAt) {
                scopes.removeIf(scope -> !scope.isAlive());
                pruneAt = Math.max(PRUNE, 2 * scopes.size());
            }
        }

        private void clear() {
            scopes.clear();
            if (pieces != null) {
                pieces.clear();
            }
        }

        private void addPiece(long from, long to) {
            long start = from;
            long end = to;
            Map.Entry<Long, Long> other = pieces.floorEntry(end);
            while (other != null && other.getValue() >= start) {
                start = Math.min(start, other.getKey());
                end = Math.max(end, other.getValue());
                pieces.remove(other.getKey());
                other = pieces.floorEntry(end);
            }
            pieces.put(start, end);
        }

        /** Whether it is of an open endpoint, and in that memory. While no thread is in an operation. */
        boolean isIn(MemorySegment memory) {
            if (pieces == null || !(user.get() instanceof FabricObject object && object.isOpen())) {
                return false;
            }
            Map.Entry<Long, Long> piece = pieces.lowerEntry(memory.address() + memory.byteSize());
            return piece != null && piece.getValue() > memory.address();
        }

        String endpoint() {
            return ContextRegistry.name(user.get());
        }

        @Override
        public String toString() {
            return endpoint() + ", whose operations report no completion: " + ContextRegistry.remedy(user.get());
        }
    }

    private final Set<OpenArenas.Owner> held = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Reachable reachable;
    /** Keeps what is reachable if the endpoint is forgotten; not this, as the last memory may be a thread's own. */
    private final ContextRegistry registry;
    /** The block of the last operation's memory, which is held. Immutable, so that a stale one does no harm. */
    private OpenArenas.Block last;
    /** The last operation's memory if it was in no single block: most often memory of the program's own. */
    private MemorySegment lastOther;
    private boolean closed;

    /** For the endpoint that has these slots. */
    UnreportedUse(ContextRegistry registry, ContextSlab endpoint) {
        this.registry = registry;
        this.reachable = new Reachable(endpoint.user, registry.isDescribed());
    }

    /** An operation is about to start. A loop over one block of memory pays two comparisons. */
    void note(Object keep) {
        OpenArenas.Block block = last;
        if (keep == lastOther || block != null && keep instanceof MemorySegment segment
                && block.contains(segment.address(), segment.byteSize())) {
            return;
        }
        noteNew(keep);
    }

    private synchronized void noteNew(Object keep) {
        Set<OpenArenas.Owner> owners = Collections.newSetFromMap(new IdentityHashMap<>());
        OpenArenas.collect(keep, owners);
        for (OpenArenas.Owner owner : owners) {
            if (!closed && held.add(owner)) {
                owner.hold(reachable);
            }
        }
        if (!closed) {
            registry.add(reachable);
            KeptMemory.forEach(keep, reachable::add);
        }
        // only a segment never changes
        if (keep instanceof MemorySegment segment) {
            OpenArenas.Block block = OpenArenas.find(segment);
            if (block != null) {
                last = block;
            } else {
                lastOther = segment;
            }
        }
    }

    /** Nothing is under way any more. */
    synchronized void close() {
        closed = true;
        registry.remove(reachable);
        last = null;
        lastOther = null;
        held.forEach(owner -> owner.letGo(reachable));
        held.clear();
        reachable.clear();
    }
}
