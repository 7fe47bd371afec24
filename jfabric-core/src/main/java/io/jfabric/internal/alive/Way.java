// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.peer.PeerImpl;

/** How a beat gets to a peer: by the node's endpoint, or by the side endpoints of both, which have a place for it. */
record Way(PeerImpl peer, SideWay.Place place) {
    static Way main(PeerImpl peer) {
        return new Way(peer, null);
    }

    boolean isMain() {
        return place == null;
    }
}
