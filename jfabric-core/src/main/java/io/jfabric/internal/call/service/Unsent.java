// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.internal.call.wire.Backlog;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one caller was answered and has not been sent, as it does not read. Each of these keeps a buffer of those that
 * all calls of the node are received in, or a place in the node's backlog. Calls that are being handled do not count:
 * {@link ServiceImpl#enter} limits those, and a caller that gave some up may rightly have more of them than it was
 * granted.
 */
final class Unsent {
    private final int most;
    private final Backlog.Share share;
    private final AtomicInteger count = new AtomicInteger();

    /** Of a caller that was granted so many calls, and shares with all sessions of its peer. */
    Unsent(int granted, Backlog.Share share) {
        // an answer may be reported as sent a little after the call that it has made room for
        this.most = 2 * granted + 4 * Backlog.FEW;
        this.share = share;
        share.allow(most);
    }

    void begins() {
        share.begins();
        count.getAndIncrement();
    }

    void ends() {
        share.ends();
        count.getAndDecrement();
    }

    /** Whether it calls without reading what it is answered: far beyond what it was granted, or at others' cost. */
    boolean isTooMuch() {
        return count.get() > most || share.isTooMuch();
    }
}
