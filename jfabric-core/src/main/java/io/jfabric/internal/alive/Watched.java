// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.operation.Unguessable;
import io.jfabric.internal.async.peer.PeerImpl;

/** A peer that is watched. What was asked is of the thread of the clock alone. */
final class Watched {
    private static final int MOST_SPARED = 2;

    final PeerImpl peer;
    /** Comes back in the answers: who does not know it cannot answer in the peer's name. */
    final long key = Unguessable.number();
    /** Whether it answers by the main way. */
    final Doubt doubt = new Doubt();
    /** When it answered last, by {@link System#nanoTime}. */
    private volatile long heard;
    private volatile boolean answered;
    /** Whether it has answered with a goodbye: what comes later was sent before. */
    private volatile boolean saidGoodbye;
    private volatile long incarnation;
    /** How often it has answered, and how often it had when it was asked first after that. */
    private volatile int answers;
    private int answersSeen;
    /** Since its last answer: whether it was to be asked, and from when. */
    private boolean tried;
    private long triedFrom;
    /** Since its last answer: whether the provider has taken a question, and when the first. */
    private boolean asked;
    private long askedFrom;
    /** Whether the provider has refused the last question by either way. */
    private boolean refused;
    private boolean sideRefused;
    /** Since its last answer: how often it has been spared. */
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
        answers = answers + 1;
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

    /** Whether the provider took the question by one of the ways, and by which it is to be asked once more. */
    void asked(boolean taken, boolean mainRefused, boolean isSideRefused, long now) {
        refused = mainRefused;
        sideRefused = isSideRefused;
        if (taken && !asked) {
            asked = true;
            askedFrom = now;
        }
    }

    /** Whether it is still to be asked by the main way. */
    boolean isRefused() {
        forgetAnswered();
        return refused;
    }

    /** The same by the side way. */
    boolean isSideRefused() {
        return sideRefused;
    }

    /** Silence counts from now on. */
    void startAnew() {
        tried = false;
        asked = false;
        spared = 0;
    }

    /** Whether to wait for another look, as its answer may be behind others; not for long. */
    boolean spare() {
        return spared++ < MOST_SPARED;
    }

    private void forgetAnswered() {
        int now = answers;
        if (now != answersSeen) {
            answersSeen = now;
            startAnew();
        }
    }

    /**
     * Whether it has been silent for too long. That counts from the first question which the provider took: to reach a
     * peer may take a while, which one that was reached before does not get.
     */
    boolean isSilent(long now, long interval, long toReach) {
        forgetAnswered();
        return asked && now - askedFrom >= interval || tried && now - triedFrom >= (answered ? interval : toReach);
    }
}
