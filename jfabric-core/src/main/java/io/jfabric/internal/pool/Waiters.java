// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.pool;

import io.jfabric.async.PooledBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Those who wait for a buffer of a pool, in order. Not thread-safe, except for the count. */
final class Waiters {
    private static final int TIDY = 64;

    private final ArrayDeque<CompletableFuture<PooledBuffer>> queue = new ArrayDeque<>();
    /** How many may wait before those that have given up are removed. */
    private int tidyAt = TIDY;
    private volatile int count;

    int count() {
        return count;
    }

    void add(CompletableFuture<PooledBuffer> waiter) {
        if (queue.size() >= tidyAt) {
            queue.removeIf(CompletableFuture::isDone);
            tidyAt = Math.max(TIDY, 2 * queue.size());
        }
        queue.add(waiter);
        count = queue.size();
    }

    /** Whose turn it is; null if nobody waits. One that gave up in the middle is removed when it is the first. */
    CompletableFuture<PooledBuffer> first() {
        while (!queue.isEmpty() && queue.peek().isDone()) {
            queue.poll();
        }
        count = queue.size();
        return queue.peek();
    }

    void remove(CompletableFuture<PooledBuffer> waiter) {
        queue.remove(waiter);
        count = queue.size();
    }

    List<CompletableFuture<PooledBuffer>> takeAll() {
        List<CompletableFuture<PooledBuffer>> all = new ArrayList<>(queue);
        queue.clear();
        count = 0;
        return all;
    }
}
