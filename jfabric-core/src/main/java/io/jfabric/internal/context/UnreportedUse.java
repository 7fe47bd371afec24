// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.internal.ffi.Buffers;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;

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
        private int pruneAt = PRUNE;

        private void add(MemorySegment segment) {
            // confined memory stays anyway, and leads to its thread
            if (Buffers.isForAnyThread(segment) && OpenArenas.find(segment) == null && scopes.add(segment.scope())
                    && scopes.size() > pruneAt) {
                scopes.removeIf(scope -> !scope.isAlive());
                pruneAt = Math.max(PRUNE, 2 * scopes.size());
            }
        }
    }

    private final Set<OpenArenas.Owner> held = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Reachable reachable = new Reachable();
    /** Keeps what is reachable if the endpoint is forgotten; not this, as the last memory may be a thread's own. */
    private final ContextRegistry registry;
    private final Object user;
    /** The block of the last operation's memory, which is held. Immutable, so that a stale one does no harm. */
    private OpenArenas.Block last;
    /** The last operation's memory if it was in no single block: most often memory of the program's own. */
    private MemorySegment lastOther;
    private boolean closed;

    /** For the endpoint that has these slots. */
    UnreportedUse(ContextRegistry registry, ContextSlab endpoint) {
        this.registry = registry;
        this.user = new Object() {
            @Override
            public String toString() {
                return endpoint + ", whose operations report no completion: " + ContextRegistry.remedy(endpoint);
            }
        };
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
                owner.hold(user);
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
        held.forEach(owner -> owner.letGo(user));
        held.clear();
        reachable.scopes.clear();
    }
}
