// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.connect;

import io.jfabric.FabricObject;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Joins under way. Their events name the parent's group, or one that is not listed yet, so that only the context leads
 * to the new one.
 */
public final class PendingJoins {
    /** A join that waits for its event. */
    public interface Join {
        /** The event has been read. */
        void joined();

        /** The join has failed, and there will be no other event. */
        void failed();

        /** The context that the application gave. */
        long context();

        /** The group that was joined. */
        FabricObject group();
    }

    /** No number that an application would choose for its own joins. */
    private static final long FIRST = 0x6A66_0000_0000_0000L;

    private final AtomicLong next = new AtomicLong(FIRST);
    private final Map<Long, CompletableFuture<Join>> joins = new ConcurrentHashMap<>();

    /** To be called before the provider is: its event may be read in another thread before the call returns. */
    public long begin() {
        long token = next.getAndIncrement();
        joins.put(token, new CompletableFuture<>());
        return token;
    }

    public void started(long token, Join group) {
        joins.get(token).complete(group);
    }

    /** There will be no event. */
    public void failed(long token) {
        joins.remove(token).complete(null);
    }

    /** The group is closed, and nobody waits for the event that may still come. */
    public void forget(long token) {
        joins.remove(token);
    }

    /** Whether the token is that of a join which was forgotten, or is over. */
    public boolean isPast(long token) {
        return token >= FIRST && token < next.get() && !joins.containsKey(token);
    }

    /** Whether the event of that join has not been read yet. */
    public boolean isUnderWay(long token) {
        return joins.containsKey(token);
    }

    /** How many there are. */
    public int size() {
        return joins.size();
    }

    /** The group of a join, without completing it; null for one that is not ours. */
    public Join find(long token) {
        CompletableFuture<Join> join = joins.get(token);
        // this is short: the thread that joins waits for nobody
        return join == null ? null : join.join();
    }

    /** The group of a join that has failed; null for one that is not ours. */
    public Join broken(long token) {
        return over(token, Join::failed);
    }

    /** The group of a join that is now complete; null for one that is not ours. */
    public Join completed(long token) {
        return over(token, Join::joined);
    }

    private Join over(long token, Consumer<Join> end) {
        Join group = find(token);
        if (group != null && joins.remove(token) != null) {
            end.accept(group);
        }
        return group;
    }
}
