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
 * How many answers of a node's services are still unsent, each of which holds a buffer: in total, and for each peer,
 * however many sessions that has. Any thread.
 */
public final class Backlog {
    /** So many unsent answers to one peer never matter, whatever others have; a peer that reads usually has fewer. */
    public static final int FEW = 64;
    /** With more buffers in use than this, peers that do not read are looked for. */
    public static final int SOME = HubBuffers.COUNT / 4;
    /** With more buffers in use than this, no peer may have many. */
    public static final int MOST = HubBuffers.COUNT / 2;
    /** How many a peer may have even then; or what its largest session may have, if that is more. */
    public static final int MUCH = HubBuffers.COUNT / 8;
    /** A peer to which nothing was sent for this long does not read. */
    private static final long STUCK = TimeUnit.SECONDS.toNanos(1);

    private final LongAdder inAll = new LongAdder();
    /** An entry lasts as long as its peer. */
    private final Map<Peer, Share> shares = Collections.synchronizedMap(new WeakHashMap<>());

    public Share of(Peer peer) {
        return shares.computeIfAbsent(peer, any -> new Share());
    }

    /** Whether peers that do not read are to be looked for. */
    public boolean isScarce() {
        return inAll.sum() > SOME;
    }

    /** One peer's part of the backlog. */
    public final class Share {
        private final AtomicInteger count = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger(MUCH);
        /** While more than half of FEW are unsent: when one was last sent, or since when there are so many. */
        private volatile long moved;

        /** A session of the peer may have up to this many. */
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

        /** Whether the peer has too many, or reads nothing, while others would soon get no buffer. */
        public boolean isTooMuch() {
            int now = count.get();
            return now > FEW && isScarce()
                    && (now > most.get() && inAll.sum() > MOST || System.nanoTime() - moved > STUCK);
        }
    }
}
