// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.queue;

import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * What a counter counts and what it starts. With some providers certain combinations do not work, in whatever order
 * they come about, and through whichever counters that deferred work changes.
 */
public final class CounterRoles {
    private static final int TRANSMITS = 0;
    private static final int RECEIVES = 1;

    private final DomainState domain;
    private final boolean[] counts = new boolean[2];
    private final boolean[] starts = new boolean[2];
    /** Counters that are changed by work waiting for this one: they progress under its lock. */
    private final Set<CounterRoles> changed = Collections.newSetFromMap(new WeakHashMap<>());

    CounterRoles(DomainState domain) {
        this.domain = domain;
    }

    /** It is to count what comes from peers, or messages that were sent. */
    public void counts(String operation, boolean arrivals) {
        synchronized (CounterRoles.class) {
            count(operation, arrivals ? RECEIVES : TRANSMITS);
        }
    }

    /** A receive, or a transmit, is to wait for it. */
    public void starts(String operation, boolean receive) {
        int kind = receive ? RECEIVES : TRANSMITS;
        synchronized (CounterRoles.class) {
            require(operation, kind, !counts[kind]);
            starts[kind] = true;
        }
    }

    /** Work that waits for this counter is to change another. */
    public void changes(String operation, CounterRoles other) {
        synchronized (CounterRoles.class) {
            for (int kind = 0; kind < counts.length; kind++) {
                if (counts[kind]) {
                    other.count(operation, kind);
                }
            }
            changed.add(other);
        }
    }

    private void count(String operation, int kind) {
        Set<CounterRoles> all = new HashSet<>();
        reach(all);
        all.forEach(each -> require(operation, kind, !each.starts[kind]));
        all.forEach(each -> each.counts[kind] = true);
    }

    /** This counter and those it changes, directly or not. */
    private void reach(Set<CounterRoles> all) {
        if (all.add(this)) {
            changed.forEach(other -> other.reach(all));
        }
    }

    private void require(String operation, int kind, boolean apart) {
        if (!apart && domain.quirks().has(Quirk.TRIGGERS_LOCK)) {
            throw new IllegalArgumentException(operation + ": the counter counts " + (kind == RECEIVES
                    ? "what comes from peers and starts receives" : "messages that were sent and starts transmits")
                    + " then, or changes one that does, and with provider " + domain.info().provider()
                    + " an operation that starts by that stops all progress of its domain; take another counter for "
                    + "one of the two");
        }
    }
}
