// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.Unguessable;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/**
 * Those who ask, and which process each is. A question states its sender, which anybody can: so it is asked itself, at
 * the address that was stated, first and when its process is said to be another. Only what it answers is believed.
 */
final class Askers {
    private final Map<PeerImpl, Asker> byPeer = new ConcurrentHashMap<>();
    private final Map<Long, Asker> byKey = new ConcurrentHashMap<>();

    /** Those of a node, whichever of its keep-alives they have asked. */
    static Askers of(NodeImpl node) {
        return node.attached(Askers.class, opened -> new Askers());
    }

    /** One of them. */
    static final class Asker {
        final PeerImpl peer;
        /** Comes back in its answer. */
        final long key = Unguessable.number();
        private long incarnation;
        /** Whether that is what it has answered. */
        private boolean isKnown;
        /** Whether it is said to be another since it was heard of itself last, and from when. */
        private boolean isDoubted;
        private long since;
        /** The key of its last question that stated the process which it has answered to be; 0 before. */
        private long asksWith;
        /** The same of its last question that stated another, or before it has answered, and which process that was. */
        private long claimsWith;
        private long claimed;
        private volatile long askedAt;

        private Asker(PeerImpl peer) {
            this.peer = peer;
        }

        synchronized void asksWith(long itsKey, long stated) {
            askedAt = Clock.now();
            if (isKnown && stated == incarnation) {
                asksWith = itsKey;
            } else {
                claimsWith = itsKey;
                claimed = stated;
            }
        }

        private synchronized long[] asksWith() {
            return LongStream.of(asksWith, claimsWith).filter(known -> known != 0).distinct().toArray();
        }

        /** A message states its process: whether it is to be asked. */
        synchronized boolean isDoubtful(long stated, long now) {
            boolean is = !isKnown || stated != incarnation;
            if (is && !isDoubted) {
                since = now;
            }
            isDoubted = is;
            return is;
        }

        /** Whether it is said again and again to be another, and has not answered in so long: then it is gone. */
        synchronized boolean isGone(long stated, long now, long patience) {
            return isKnown && stated != incarnation && isDoubted && now - since > patience;
        }

        /** Whether it has answered which process it is. */
        synchronized boolean isKnown() {
            return isKnown;
        }

        /** It has answered; false if it is another process than before. */
        synchronized boolean answered(long from) {
            boolean isSame = !isKnown || incarnation == from;
            isKnown = true;
            incarnation = from;
            isDoubted = false;
            if (claimed == from) {
                asksWith = claimsWith;
            }
            return isSame;
        }
    }

    Asker at(PeerImpl peer) {
        return byPeer.computeIfAbsent(peer, key -> {
            Asker made = new Asker(peer);
            byKey.put(made.key, made);
            return made;
        });
    }

    /**
     * The keys with which that peer asks: of the process that has answered, and of one that has not yet. The latter may
     * be anybody's, who does not know those of others.
     */
    long[] asksWith(PeerImpl peer) {
        Asker asker = byPeer.get(peer);
        return asker == null ? new long[0] : asker.asksWith();
    }

    /** The others may be dead by now. */
    List<PeerImpl> latestFirst() {
        record Asked(PeerImpl peer, long at) {
        }

        return byPeer.values().stream().map(asker -> new Asked(asker.peer, asker.askedAt))
                .sorted(Comparator.comparingLong(Asked::at).reversed()).map(Asked::peer).toList();
    }

    /** Whom an answer is of; null if none of them was asked that. */
    Asker find(long key) {
        return byKey.get(key);
    }

    /** False if it was forgotten before. */
    boolean forget(Asker asker) {
        byKey.remove(asker.key);
        return byPeer.remove(asker.peer, asker);
    }

    void forgetClosed() {
        for (Asker asker : byPeer.values()) {
            if (!asker.peer.isOpen()) {
                forget(asker);
            }
        }
    }
}
