// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import io.jfabric.info.Address;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.call.wire.CallerGoodbye;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The goodbyes that a node's callers could not say because their peer had ended. It may only have been silent for too
 * long: so the next caller of the same service says them, since otherwise the service would keep the places of those
 * callers.
 */
final class OwedGoodbyes {
    private static final int MOST = 1024;

    private final Deque<Owed> all = new ArrayDeque<>();

    /** A goodbye, and the address and service it is for; the service is known by the tag of its requests. */
    private record Owed(Address peer, long service, CallerGoodbye goodbye) {
        boolean isFor(Address one, long tag) {
            return service == tag && peer.equals(one);
        }
    }

    static OwedGoodbyes of(NodeImpl node) {
        return node.attached(OwedGoodbyes.class, opened -> new OwedGoodbyes());
    }

    /** Adds one; if there are too many, the oldest is forgotten. */
    synchronized void add(Address peer, long service, CallerGoodbye goodbye) {
        if (all.size() == MOST) {
            all.removeFirst();
        }
        all.add(new Owed(peer, service, goodbye));
    }

    /** Takes those to a service, which are no longer owed. */
    synchronized List<CallerGoodbye> take(Address peer, long service) {
        List<CallerGoodbye> taken = all.stream().filter(owed -> owed.isFor(peer, service)).map(Owed::goodbye).toList();
        all.removeIf(owed -> owed.isFor(peer, service));
        return taken;
    }
}
