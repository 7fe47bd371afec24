// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import io.jfabric.internal.life.Barrier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A look at the operations of a domain that are under way. Costs operations nothing: the slabs' lists of free slots
 * tell a slot in use from one that still has what its last operation kept.
 *
 * <p>Exact if no thread posts meanwhile (the caller is in the fabric's exclusive section). Completions may be
 * delivered: a slot that becomes free during the look may count as used, never the other way round.
 */
final class UnderWay {
    private final Map<ContextSlot, ContextSlab> slots = Collections.synchronizedMap(new IdentityHashMap<>());

    private UnderWay() {
    }

    /** Describes the operations, for messages. The caller holds the registry's monitor. */
    static List<String> look(Collection<ContextSlot> all, Collection<ForeignContext> foreign, Predicate<Object> uses,
            Predicate<ContextSlab> of) {
        UnderWay look = new UnderWay();
        Set<ContextSlab> slabs = Collections.newSetFromMap(new IdentityHashMap<>());
        for (ContextSlot slot : all) {
            ContextSlab owner = slot.owner;
            if (owner != null && slot.kept != null && of.test(owner) && uses.test(slot.kept)) {
                look.slots.put(slot, owner);
                slabs.add(owner);
            }
        }
        look.removeFree(slabs);
        List<String> found = new ArrayList<>();
        look.slots.forEach((slot, slab) -> found.add("operation with context " + slot.context + " of " + slab));
        for (ForeignContext operation : foreign) {
            if (!(operation.keep() instanceof Holder holder && holder.isOver()) && uses.test(operation.keep())) {
                found.add("triggered operation with context " + operation.context());
            }
        }
        return found;
    }

    private void removeFree(Set<ContextSlab> slabs) {
        // Owners give slots back with plain stores, first the entry, then the count. So the counts are read before the
        // barrier and the entries after it: by then all threads see the entries below the count.
        Map<ContextSlab, Integer> counts = new LinkedHashMap<>();
        slabs.forEach(slab -> counts.put(slab, slab.freeCount()));
        if (slabs.stream().anyMatch(ContextSlab::isOthers)) {
            Barrier.allThreads();
        }
        counts.forEach((slab, count) -> slab.eachFree(count, slots::remove));
    }
}
