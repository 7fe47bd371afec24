// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether a peer still answers over the main way, or has to be asked over the side way as well. All but
 * {@link #answered} is for the clock thread only.
 */
final class Doubt {
    /** The main way is in doubt after the patience divided by this without an answer. */
    private static final int PART = 8;
    /**
     * After so many unanswered questions, the most that an interval has, only one in as many is still asked over the
     * main way: each stays with the provider until the connection goes on.
     */
    private static final int MOST = 100;

    private final AtomicInteger answers = new AtomicInteger();
    private int answersSeen;
    /** How often the peer was to be asked since its last answer, and when first. */
    private int asked;
    private long since;

    /** The peer has answered over the main way. Any thread. */
    void answered() {
        answers.incrementAndGet();
    }

    /** What was asked so far no longer counts. */
    void startAnew() {
        asked = 0;
    }

    /** Whether the peer has been asked, and has not answered over the main way for a while. */
    boolean is(long now, long patience) {
        forgetAnswered();
        return asked > 0 && now - since >= patience / PART;
    }

    /** The peer is to be asked: returns whether also over the main way, if there is a side way. */
    boolean asksMain(long now) {
        forgetAnswered();
        if (asked == 0) {
            since = now;
        }
        return isDue(++asked);
    }

    /** Whether the question of that number without an answer is still asked over the main way. */
    static boolean isDue(int number) {
        return number <= MOST || number % MOST == 0;
    }

    private void forgetAnswered() {
        int now = answers.get();
        if (now != answersSeen) {
            answersSeen = now;
            asked = 0;
        }
    }
}
