// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import io.jfabric.internal.async.peer.PeerImpl;

/**
 * How a heartbeat gets to a peer: the main way goes from endpoint to endpoint, and has no place; the side way goes from
 * side endpoint to side endpoint.
 */
record Way(PeerImpl peer, SidePlaces.Place place) {
    static Way main(PeerImpl peer) {
        return new Way(peer, null);
    }

    /** Whether it leads nowhere any more. */
    boolean isGone() {
        return !peer.isOpen() || place != null && place.isRemoved();
    }

    boolean isMain() {
        return place == null;
    }
}
