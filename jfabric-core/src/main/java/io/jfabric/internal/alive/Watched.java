// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.operation.Unguessable;
import io.jfabric.internal.async.peer.PeerImpl;
import java.util.concurrent.atomic.AtomicInteger;

/** A watched peer. All that concerns questions is for the clock thread only. */
final class Watched {
    private static final int MOST_SPARED = 2;

    final PeerImpl peer;
    /** Comes back in the answers: whoever does not know it cannot answer in the peer's name. */
    final long key = Unguessable.number();
    /** Whether it answers over the main way. */
    final Doubt doubt = new Doubt();
    /** When it answered last, by {@link System#nanoTime}. */
    private volatile long heard;
    private volatile boolean answered;
    /** Whether it has said goodbye: whatever comes later was sent before that. */
    private volatile boolean saidGoodbye;
    private volatile long incarnation;
    /** How often it has answered, and how often it had when that was last looked at. */
    private final AtomicInteger answers = new AtomicInteger();
    private int answersSeen;
    /** Whether it was to be asked since its last answer, and when first. */
    private boolean tried;
    private long triedFrom;
    /** Whether the provider has taken a question since its last answer, and when the first. */
    private boolean asked;
    private long askedFrom;
    /** Whether it has to be asked again over the main way, and over the side way, as the provider has refused that. */
    private boolean refused;
    private boolean sideRefused;
    /** How often it has been spared since its last answer. */
    private int spared;

    Watched(PeerImpl peer) {
        this.peer = peer;
    }

    /** An answer; false if it is of another process than before. */
    boolean heard(long from, long now) {
        if (answered && incarnation != from) {
            return false;
        }
        incarnation = from;
        heard = now;
        answered = true;
        answers.incrementAndGet();
        return true;
    }

    void saysGoodbye() {
        saidGoodbye = true;
    }

    boolean hasSaidGoodbye() {
        return saidGoodbye;
    }

    boolean hasAnswered() {
        return answered;
    }

    /** For how long it has not answered, if it ever has. */
    long heardAgo(long now) {
        return now - heard;
    }

    /** It is to be asked now. */
    void trying(long now) {
        forgetAnswered();
        if (!tried) {
            tried = true;
            triedFrom = now;
        }
    }

    /** It was asked: whether the provider took that over either way, and over which ways it has to be asked again. */
    void asked(boolean taken, boolean mainRefused, boolean isSideRefused, long now) {
        refused = mainRefused;
        sideRefused = isSideRefused;
        if (taken && !asked) {
            asked = true;
            askedFrom = now;
        }
    }

    /** Whether it is still to be asked over the main way. */
    boolean isRefused() {
        forgetAnswered();
        return refused;
    }

    /** As above, over the side way. */
    boolean isSideRefused() {
        return sideRefused;
    }

    /** Silence counts from now on. */
    void startAnew() {
        tried = false;
        asked = false;
        spared = 0;
    }

    /** Whether to wait for another look, as its answer may be behind other messages; only a few times. */
    boolean spare() {
        return spared++ < MOST_SPARED;
    }

    private void forgetAnswered() {
        int now = answers.get();
        if (now != answersSeen) {
            answersSeen = now;
            startAnew();
        }
    }

    /**
     * Whether it has been silent for too long, counted from the first question that the provider took. To reach a peer
     * may take a while: one that was never reached gets {@code toReach} for that.
     */
    boolean isSilent(long now, long interval, long toReach) {
        forgetAnswered();
        return asked && now - askedFrom >= interval || tried && now - triedFrom >= (answered ? interval : toReach);
    }
}
