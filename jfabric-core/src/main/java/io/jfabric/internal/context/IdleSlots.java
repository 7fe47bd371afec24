// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Predicate;

/** Tells which slots no operation uses: the first few are looked up one by one, after that all are found at once. */
final class IdleSlots implements Predicate<ContextSlot> {
    private static final int FEW = 8;

    private final ContextSlab slab;
    private int asked;
    private Set<ContextSlot> all;

    IdleSlots(ContextSlab slab) {
        this.slab = slab;
    }

    @Override
    public boolean test(ContextSlot slot) {
        if (++asked > FEW) {
            if (all().contains(slot)) {
                return true;
            }
            // others may have given back many since, and this one among them
            all = null;
        }
        return slab.isIdle(slot);
    }

    /** The idle slots as they are when first asked for; threads may post and complete meanwhile. */
    Set<ContextSlot> all() {
        if (all == null) {
            all = Collections.newSetFromMap(new IdentityHashMap<>());
            slab.eachFree(slab.freeCount, all::add);
        }
        return all;
    }
}
