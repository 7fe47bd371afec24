// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

/**
 * Whether a peer still answers by the main way, or has to be asked by the side way as well. But for answers of the
 * thread of the clock.
 */
final class Doubt {
    /** In this part of an interval the main way answers, or is in doubt. */
    private static final int PART = 8;
    /** More questions than an interval has: then each stays with the provider until the connection goes on. */
    private static final int MOST = 100;

    private volatile int answers;
    private int answersSeen;
    /** Since the last answer: how often it was to be asked, and since when. */
    private int asked;
    private long since;

    /** The peer has answered by the main way. In any thread. */
    void answered() {
        answers = answers + 1;
    }

    /** What was asked does not count any more. */
    void startAnew() {
        asked = 0;
    }

    /** Whether the peer has not answered for a while what it was asked by the main way. */
    boolean is(long now, long patience) {
        forgetAnswered();
        return asked > 0 && now - since >= patience / PART;
    }

    /** The peer is to be asked; whether by the main way, too, where there is another. */
    boolean asksMain(long now) {
        forgetAnswered();
        if (asked == 0) {
            since = now;
        }
        return ++asked <= MOST || asked % MOST == 0;
    }

    private void forgetAnswered() {
        int now = answers;
        if (now != answersSeen) {
            answersSeen = now;
            asked = 0;
        }
    }
}
