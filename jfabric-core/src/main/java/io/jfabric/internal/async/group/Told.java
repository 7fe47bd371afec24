// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.peer.PeerImpl;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Receives whose senders were told to go ahead, by tag: a sender that may have forgotten asks again. */
final class Told {
    static final class One {
        final PeerImpl sender;
        final long key;
        final Operation<?> receive;
        /** Whether its sender is being told: never twice at once, however often it asks. */
        private boolean busy = true;
        private boolean asked;

        One(PeerImpl sender, long key, Operation<?> receive) {
            this.sender = sender;
            this.key = key;
            this.receive = receive;
        }

        /** Its sender asks; returns whether to tell it now. */
        synchronized boolean ask() {
            boolean now = !busy;
            asked = busy;
            busy = true;
            return now;
        }

        /** Its sender was told; returns whether it has asked meanwhile. */
        synchronized boolean end() {
            boolean again = asked;
            asked = false;
            busy = again;
            return again;
        }
    }

    private final Map<Long, One> all = new ConcurrentHashMap<>();

    /** Adds a receive, before its sender is told; it stays until it is over. */
    One add(long tag, PeerImpl sender, long key, Operation<?> receive) {
        One one = new One(sender, key, receive);
        all.put(tag, one);
        receive.whenComplete((received, failure) -> all.remove(tag, one));
        return one;
    }

    /** Null if the receive is over, or its sender still to be told. */
    One of(long tag) {
        return all.get(tag);
    }

    int size() {
        return all.size();
    }
}
