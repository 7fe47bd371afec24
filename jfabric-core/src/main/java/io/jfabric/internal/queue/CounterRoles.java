// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.internal.post.DomainState;
import io.jfabric.internal.quirk.Quirk;

/** What a counter counts and what it starts; with some providers not everything goes together, in whatever order. */
public final class CounterRoles {
    private static final int TRANSMITS = 0;
    private static final int RECEIVES = 1;

    private final DomainState domain;
    private final boolean[] counts = new boolean[2];
    private final boolean[] starts = new boolean[2];

    CounterRoles(DomainState domain) {
        this.domain = domain;
    }

    /** It is to count what comes from peers, or messages that were sent. */
    public void counts(String operation, boolean arrivals) {
        take(operation, counts, starts, arrivals ? RECEIVES : TRANSMITS);
    }

    /** A receive is to wait for it, or a transmit. */
    public void starts(String operation, boolean receive) {
        take(operation, starts, counts, receive ? RECEIVES : TRANSMITS);
    }

    private synchronized void take(String operation, boolean[] role, boolean[] other, int kind) {
        if (other[kind] && domain.quirks().has(Quirk.TRIGGERS_LOCK)) {
            throw new IllegalArgumentException(operation + ": the counter counts " + (kind == RECEIVES
                    ? "what comes from peers and starts receives" : "messages that were sent and starts transmits")
                    + " then, and with provider " + domain.info().provider() + " an operation that starts by that "
                    + "stops all progress of its domain; take another counter for one of the two");
        }
        role[kind] = true;
    }
}
