// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.PeerImpl;
import java.util.concurrent.ThreadLocalRandom;

/** A peer that is watched. */
final class Watched {
    final PeerImpl peer;
    /** Comes back in the answers. */
    final long key = ThreadLocalRandom.current().nextLong();
    /** From when its silence counts, by {@link System#nanoTime}. */
    volatile long since;
    private volatile boolean answered;
    private volatile long incarnation;

    Watched(PeerImpl peer, long now) {
        this.peer = peer;
        this.since = now;
    }

    /** An answer; false if it is of another process than before. */
    boolean heard(long from, long now) {
        if (answered && incarnation != from) {
            return false;
        }
        incarnation = from;
        answered = true;
        since = now;
        return true;
    }

    boolean hasAnswered() {
        return answered;
    }
}
