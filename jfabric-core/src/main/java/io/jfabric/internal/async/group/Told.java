// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.group;

import io.jfabric.internal.async.flow.Operation;
import io.jfabric.internal.async.peer.PeerImpl;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The receives whose senders were told to go ahead, by their tags: a sender that was told too much asks again. */
final class Told {
    /** A receive. */
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

        /** Its sender asks. Whether it is to be told now. */
        synchronized boolean ask() {
            boolean now = !busy;
            asked = busy;
            busy = true;
            return now;
        }

        /** Its sender was told. Whether it has asked since that was begun. */
        synchronized boolean end() {
            boolean again = asked;
            asked = false;
            busy = again;
            return again;
        }
    }

    private final Map<Long, One> all = new ConcurrentHashMap<>();

    /** Before its sender is told; until the receive is over. */
    One add(long tag, PeerImpl sender, long key, Operation<?> receive) {
        One one = new One(sender, key, receive);
        all.put(tag, one);
        receive.whenComplete((received, failure) -> all.remove(tag, one));
        return one;
    }

    /** Null if it is over, or its sender will still be told. */
    One of(long tag) {
        return all.get(tag);
    }

    int size() {
        return all.size();
    }
}
