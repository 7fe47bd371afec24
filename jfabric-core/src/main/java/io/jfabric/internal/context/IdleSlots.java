// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.context;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Predicate;

/** Which slots are of no operation: looked for one by one for the first few, and for all at once after that. */
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
            // others may have given back many since, and this one
            all = null;
        }
        return slab.isIdle(slot);
    }

    /** As they are when first asked for; threads may post and complete meanwhile. */
    Set<ContextSlot> all() {
        if (all == null) {
            all = Collections.newSetFromMap(new IdentityHashMap<>());
            slab.eachFree(slab.freeCount, all::add);
        }
        return all;
    }
}
