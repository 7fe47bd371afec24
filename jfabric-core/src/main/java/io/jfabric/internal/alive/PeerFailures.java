// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.clock.Aside;
import java.util.concurrent.atomic.AtomicLong;

/** Ends peers on behalf of a keep-alive, and counts them. */
final class PeerFailures {
    private final AtomicLong count = new AtomicLong();

    /** In a thread of its own: callbacks of the program may do anything, and others must not wait for them. */
    void report(PeerImpl peer, FabricError error, String detail) {
        FabricException why = FabricException.of("keep-alive of peer " + peer.address(), error.code(), detail);
        // something else may end it first, or a peer that asks and is asked be found out twice
        peer.onEnd(ended -> {
            if (ended == why) {
                count.incrementAndGet();
            }
        });
        Aside.start(() -> peer.fail(why));
    }

    long count() {
        return count.get();
    }
}
