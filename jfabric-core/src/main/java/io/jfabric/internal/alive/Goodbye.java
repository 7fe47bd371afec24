// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the watchers of the node that it is closed. They say when they have heard, as a connection loses what was not
 * read yet once something is sent to a side that is closed. Those that are not reached in time find out by the silence.
 */
final class Goodbye {
    private final Sending sending;
    private final Askers askers;
    /** By the keys of those who were told, or were to be told, and have not said that they have heard. */
    final Map<Long, CompletableFuture<Void>> unheard = new ConcurrentHashMap<>();
    private volatile boolean said;

    Goodbye(Sending sending, Askers askers) {
        this.sending = sending;
        this.askers = askers;
    }

    /** Whether questions are answered with the goodbye from now on. */
    boolean isSaid() {
        return said;
    }

    /** Done when all that were reached have heard. */
    CompletableFuture<Void> say() {
        said = true;
        MemorySegment room = sending.room();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        // counted from after the first peer, for which code runs that has not run before
        long end = Clock.NEVER;
        for (PeerImpl peer : askers.latestFirst()) {
            if (Clock.now() > end) {
                break;
            }
            if (peer.isOpen()) {
                for (long key : askers.asksWith(peer)) {
                    CompletableFuture<Void> heard = new CompletableFuture<>();
                    unheard.put(key, heard);
                    if (say(room, key, peer)) {
                        all.add(heard);
                    }
                }
                end = end == Clock.NEVER ? Clock.after(NodeImpl.LAST_WORD) : end;
            }
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /**
     * Also over the side way, if the peer asks over it: that leads to a peer that has answered, so nobody else gets the
     * key.
     */
    private boolean say(MemorySegment room, long key, PeerImpl peer) {
        Way side = sending.isAskedBySide(peer) ? sending.sideWay(peer) : null;
        boolean bySide = side != null && sending.answer(room, Beat.GOODBYE, key, side);
        return sending.answer(room, Beat.GOODBYE, key, Way.main(peer)) || bySide;
    }

    /** The watcher that asks with that key has heard it. */
    void heard(long key) {
        CompletableFuture<Void> waiting = unheard.remove(key);
        if (waiting != null) {
            waiting.complete(null);
        }
    }
}
