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
 * Tells those who watch the node that it is closed. They say when they have heard, as tcp loses what was not read yet
 * once something is sent to who is closed. Who is not reached in time finds out by the silence.
 */
final class Goodbye {
    private final Sending sending;
    private final Askers askers;
    private final Map<Long, CompletableFuture<Void>> unheard = new ConcurrentHashMap<>();
    private volatile boolean said;

    Goodbye(Sending sending, Askers askers) {
        this.sending = sending;
        this.askers = askers;
    }

    /** Whether who asks from now on is to hear that instead of an answer. */
    boolean isSaid() {
        return said;
    }

    /** Done when all have heard who were reached. */
    CompletableFuture<Void> say() {
        said = true;
        MemorySegment room = sending.room();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        // from the first on, which runs code that a program has not run before
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

    /** Also by the side way to who asks by it: its key is for nobody else than has answered. */
    private boolean say(MemorySegment room, long key, PeerImpl peer) {
        Way side = sending.isAskedBySide(peer) ? sending.sideWay(peer) : null;
        boolean bySide = side != null && sending.answer(room, Beat.GOODBYE, key, side);
        return sending.answer(room, Beat.GOODBYE, key, Way.main(peer)) || bySide;
    }

    /** Who asks with that key has heard it. */
    void heard(long key) {
        CompletableFuture<Void> waiting = unheard.remove(key);
        if (waiting != null) {
            waiting.complete(null);
        }
    }
}
