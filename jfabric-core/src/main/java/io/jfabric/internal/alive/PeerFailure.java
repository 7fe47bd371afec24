// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.async.peer.PeerImpl;

/** How a keep-alive ends what there is between a peer and the node. */
final class PeerFailure {
    private PeerFailure() {
    }

    /** In a thread of its own: what the program has appended may do anything, and others must not wait for it. */
    static void report(PeerImpl peer, FabricError error, String detail) {
        FabricException why = FabricException.of("keep-alive of peer " + peer.address(), error.code(), detail);
        Thread.ofVirtual().name("jfabric-alive").start(() -> peer.fail(why));
    }
}
