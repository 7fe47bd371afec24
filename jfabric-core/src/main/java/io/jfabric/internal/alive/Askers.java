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
 * The peers that ask this node, and which process each of them is. A question states its sender, but anybody could have
 * sent it. So the stated peer is itself asked, at the stated address: at first, and whenever a question states another
 * process. Only its own answer is believed.
 */
final class Askers {
    private final Map<PeerImpl, Asker> byPeer = new ConcurrentHashMap<>();
    private final Map<Long, Asker> byKey = new ConcurrentHashMap<>();

    /** The askers of a node, whichever of its keep-alives they have asked. */
    static Askers of(NodeImpl node) {
        return node.attached(Askers.class, opened -> new Askers());
    }

    static final class Asker {
        final PeerImpl peer;
        /** Comes back in its answer. */
        final long key = Unguessable.number();
        private long incarnation;
        /** Whether the peer itself has answered with that incarnation. */
        private boolean isKnown;
        /** Whether the last question stated an unconfirmed process, and since when questions have. */
        private boolean isDoubted;
        private long since;
        /** The key of the last question that stated the confirmed process; 0 if there was none. */
        private long asksWith;
        /** The key of the last question that stated an unconfirmed process, and which process that was. */
        private long claimsWith;
        private long claimed;
        private volatile long askedAt;
        /** How often it was to be asked over the main way since its last answer. */
        private int unanswered;

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

        /** A question has stated that process: returns whether the peer has to be asked about it. */
        synchronized boolean isDoubtful(long stated, long now) {
            boolean is = !isKnown || stated != incarnation;
            if (is && !isDoubted) {
                since = now;
            }
            isDoubted = is;
            return is;
        }

        /** Whether the peer is gone: questions state another process for that long, and it has not answered. */
        synchronized boolean isGone(long stated, long now, long patience) {
            return isKnown && stated != incarnation && isDoubted && now - since > patience;
        }

        /** The peer is to be asked: whether over the main way, where questions pile up while nothing of it is read. */
        synchronized boolean asksMain() {
            return Doubt.isDue(++unanswered);
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
            unanswered = 0;
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
     * The keys that the peer asks with: that of the confirmed process, and that of an unconfirmed one. The latter may
     * be a stranger's, but strangers do not know the keys of others.
     */
    long[] asksWith(PeerImpl peer) {
        Asker asker = byPeer.get(peer);
        return asker == null ? new long[0] : asker.asksWith();
    }

    /** The latest askers come first, as the others may be dead by now. */
    List<PeerImpl> latestFirst() {
        record Asked(PeerImpl peer, long at) {
        }

        return byPeer.values().stream().map(asker -> new Asked(asker.peer, asker.askedAt))
                .sorted(Comparator.comparingLong(Asked::at).reversed()).map(Asked::peer).toList();
    }

    /** The one that was asked with that key; null if none was. */
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
