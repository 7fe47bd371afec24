// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.Peer;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many answers of a node's services have not been sent, each of which keeps a buffer: in all, and to each peer,
 * however many sessions that has. Any thread.
 */
public final class Backlog {
    /** So much of all buffers may be full before those are looked for that do not read. */
    public static final int FEW = HubBuffers.COUNT / 4;
    /** So much of all buffers may be full before nobody may have much. */
    private static final int MOST = HubBuffers.COUNT / 2;
    /** More than the widest windows of two sessions. */
    private static final int MUCH = HubBuffers.COUNT / 8;

    private final LongAdder inAll = new LongAdder();
    /** A peer is forgotten with its last session. */
    private final Map<Peer, Share> shares = Collections.synchronizedMap(new WeakHashMap<>());

    /** That of a peer. */
    public Share of(Peer peer) {
        return shares.computeIfAbsent(peer, any -> new Share());
    }

    /** What one peer has of it. */
    public final class Share {
        private final AtomicInteger count = new AtomicInteger();

        public void begins() {
            count.getAndIncrement();
            inAll.increment();
        }

        public void ends() {
            count.getAndDecrement();
            inAll.decrement();
        }

        /** Whether others would soon get no buffer, mostly because of this. */
        public boolean isTooMuch() {
            return count.get() > MUCH && inAll.sum() > MOST;
        }
    }
}
