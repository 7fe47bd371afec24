// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.internal.call.wire.Backlog;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one caller was answered and has not been sent, as it does not read. Each of these keeps a buffer of those that
 * all calls of the node are received in. Calls that are being handled do not count: {@link ServiceImpl#enter} limits
 * those, and a caller that gave some up may rightly have more of them than it was granted.
 */
final class Unsent {
    /** So many are nothing, whatever others have; who reads has fewer as a rule. */
    static final int FEW = 64;
    /** So long nothing was sent to who does not read. */
    private static final long STUCK = TimeUnit.SECONDS.toNanos(1);

    private final int most;
    private final AtomicInteger inAll;
    private final int mostInAll;
    private final Backlog.Share share;
    private final AtomicInteger count = new AtomicInteger();
    /** While there are more than a few: when one was sent last, or since when there are so many. */
    private volatile long moved;

    /**
     * Of a caller that was granted so many calls.
     *
     * @param inAll of all callers, those beyond their few
     * @param mostInAll of which there may be so many before those are looked for that do not read
     * @param share of all sessions of its peer
     */
    Unsent(int granted, AtomicInteger inAll, int mostInAll, Backlog.Share share) {
        // an answer may be reported as sent a little after the call that it has made room for
        this.most = 2 * granted + 4 * FEW;
        this.inAll = inAll;
        this.mostInAll = mostInAll;
        this.share = share;
    }

    void begins() {
        share.begins();
        int now = count.incrementAndGet();
        if (now > FEW) {
            inAll.incrementAndGet();
            if (now == FEW + 1) {
                moved = System.nanoTime();
            }
        }
    }

    void ends() {
        share.ends();
        if (count.getAndDecrement() > FEW) {
            inAll.decrementAndGet();
            moved = System.nanoTime();
        }
    }

    /** Whether it calls without reading what it is answered: far beyond what it was granted, or at others' cost. */
    boolean isTooMuch() {
        int now = count.get();
        return now > FEW && (now > most
                || inAll.get() > mostInAll && System.nanoTime() - moved > STUCK) || share.isTooMuch();
    }
}
