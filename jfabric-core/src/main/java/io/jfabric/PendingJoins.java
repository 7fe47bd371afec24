// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Joins under way: their events name the parent's group, so that only the context leads to the new one. */
final class PendingJoins {
    /** Not what an application would number its own joins with. */
    private static final long FIRST = 0x6A66_0000_0000_0000L;

    private final AtomicLong next = new AtomicLong(FIRST);
    private final Map<Long, CollectiveGroup> groups = new ConcurrentHashMap<>();

    long token() {
        return next.getAndIncrement();
    }

    void started(long token, CollectiveGroup group) {
        groups.put(token, group);
    }

    /** The group of a join, without completing it. */
    CollectiveGroup find(long token) {
        return groups.get(token);
    }

    /** The group of a join that is now complete; null for one that is not ours. */
    CollectiveGroup completed(long token) {
        CollectiveGroup group = groups.remove(token);
        if (group != null) {
            group.joined();
        }
        return group;
    }
}
