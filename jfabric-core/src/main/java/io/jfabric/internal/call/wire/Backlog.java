// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import io.jfabric.async.Peer;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many answers of a node's services have not been sent, each of which keeps a buffer: in all, and to each peer,
 * however many sessions that has. Any thread.
 */
public final class Backlog {
    /** So many of a peer are nothing, whatever others have; who reads has fewer as a rule. */
    public static final int FEW = 64;
    /** So many buffers may be full before those are looked for that do not read. */
    public static final int SOME = HubBuffers.COUNT / 4;
    /** So many buffers may be full before nobody may have much. */
    public static final int MOST = HubBuffers.COUNT / 2;
    /** So many a peer may have even then, or what its largest session may have if that is more. */
    public static final int MUCH = HubBuffers.COUNT / 8;
    /** So long nothing was sent to who does not read. */
    private static final long STUCK = TimeUnit.SECONDS.toNanos(1);

    private final LongAdder inAll = new LongAdder();
    /** Each goes with its peer. */
    private final Map<Peer, Share> shares = Collections.synchronizedMap(new WeakHashMap<>());

    /** That of a peer. */
    public Share of(Peer peer) {
        return shares.computeIfAbsent(peer, any -> new Share());
    }

    /** Whether those are to be looked for that do not read. */
    public boolean isScarce() {
        return inAll.sum() > SOME;
    }

    /** What one peer has of it. */
    public final class Share {
        private final AtomicInteger count = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger(MUCH);
        /** While there are more than half of a few: when one was sent last, or since when there are so many. */
        private volatile long moved;

        /** A session of the peer may have so many. */
        public void allow(int many) {
            most.accumulateAndGet(many, Math::max);
        }

        public void begins() {
            inAll.increment();
            if (count.getAndIncrement() == FEW / 2) {
                moved = System.nanoTime();
            }
        }

        public void ends() {
            inAll.decrement();
            if (count.getAndDecrement() > FEW / 2) {
                moved = System.nanoTime();
            }
        }

        /** Whether it has much, or reads nothing, while others would soon get no buffer. */
        public boolean isTooMuch() {
            int now = count.get();
            return now > FEW && isScarce()
                    && (now > most.get() && inAll.sum() > MOST || System.nanoTime() - moved > STUCK);
        }
    }
}
