// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The open objects that were opened from one object, the oldest first. Any thread. */
final class Children {
    private final Set<FidObject> open = new LinkedHashSet<>();

    /** Returns how many there are now. */
    synchronized int add(FidObject child) {
        open.add(child);
        return open.size();
    }

    synchronized void remove(FidObject child) {
        open.remove(child);
    }

    /** In the order in which they are closed: the newest of a rank first. */
    List<FidObject> toClose() {
        List<FidObject> owned = copy();
        Collections.reverse(owned);
        owned.sort(Comparator.comparingInt(FidObject::closeRank));
        return owned;
    }

    synchronized List<FidObject> copy() {
        return new ArrayList<>(open);
    }
}
