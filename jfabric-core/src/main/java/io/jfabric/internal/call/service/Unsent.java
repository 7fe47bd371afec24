// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import io.jfabric.internal.call.wire.Backlog;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The answers to one caller that have not been sent yet, as it does not read. Each of them holds one of the buffers in
 * which all calls of the node are received, or a place in the node's backlog. Calls that are being handled do not
 * count: {@link ServiceImpl#enter} limits those, and a caller that gave some up may rightly have more of them than it
 * was granted.
 */
final class Unsent {
    private final int most;
    private final Backlog.Share share;
    private final AtomicInteger count = new AtomicInteger();

    /** For a caller that was granted so many calls; the share is that of all sessions of its peer. */
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

    /** Whether the caller does not read its answers: there are far more than it was granted, or they harm others. */
    boolean isTooMuch() {
        return count.get() > most || share.isTooMuch();
    }
}
