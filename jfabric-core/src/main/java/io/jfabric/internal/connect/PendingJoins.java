// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.FabricObject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Joins under way: their events name the parent's group, so that only the context leads to the new one. */
public final class PendingJoins {
    /** What waits for its event. */
    public interface Join {
        /** The event has been read. */
        void joined();

        /** What the application gave. */
        long context();

        /** What was joined. */
        FabricObject group();
    }

    /** Not what an application would number its own joins with. */
    private static final long FIRST = 0x6A66_0000_0000_0000L;

    private final AtomicLong next = new AtomicLong(FIRST);
    private final Map<Long, Join> groups = new ConcurrentHashMap<>();

    public long token() {
        return next.getAndIncrement();
    }

    public void started(long token, Join group) {
        groups.put(token, group);
    }

    /** The group of a join, without completing it. */
    public Join find(long token) {
        return groups.get(token);
    }

    /** The group of a join that is now complete; null for one that is not ours. */
    public Join completed(long token) {
        Join group = groups.remove(token);
        if (group != null) {
            group.joined();
        }
        return group;
    }
}
