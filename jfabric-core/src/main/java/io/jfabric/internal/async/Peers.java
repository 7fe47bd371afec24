// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async;

import io.jfabric.AddressVector;
import io.jfabric.Endpoint;
import io.jfabric.FabricException;
import io.jfabric.info.Address;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The peers of a node. */
final class Peers {
    private static final Logger LOG = LoggerFactory.getLogger("io.jfabric.async");

    private final NodeImpl node;
    private final Flow flow;
    private final Endpoint endpoint;
    private final AddressVector vector;
    private final Lane receives;
    private final Map<Address, PeerImpl> byName = new HashMap<>();
    private volatile PeerTable byValue = PeerTable.EMPTY;

    Peers(NodeImpl node, Flow flow, Endpoint endpoint, AddressVector vector, Lane receives) {
        this.node = node;
        this.flow = flow;
        this.endpoint = endpoint;
        this.vector = vector;
        this.receives = receives;
    }

    /** The peer of a value in a completion; null if it is none. */
    PeerImpl find(long value) {
        return byValue.find(value);
    }

    synchronized PeerImpl at(Address address) {
        PeerImpl known = byName.get(address);
        if (known != null) {
            return known;
        }
        if (flow.isClosed()) {
            throw new IllegalStateException("Node.peer: the node is closed");
        }
        long value = vector.insert(address);
        PeerImpl peer = new PeerImpl(node, endpoint, address, value, false, flow.transmitLane(), receives);
        byName.put(address, peer);
        byValue = byValue.with(peer);
        return peer;
    }

    void remove(PeerImpl peer) {
        synchronized (this) {
            if (!peer.shut()) {
                return;
            }
            byName.remove(peer.networkAddress(), peer);
        }
        Done done = new Done();
        flow.fail(peer.transmits(), done, "peer");
        done.run();
        node.drive().later(() -> removed(peer));
    }

    /** Takes the address out of the vector once nothing to it is under way. */
    private boolean removed(PeerImpl peer) {
        if (peer.underWay() > 0) {
            return false;
        }
        synchronized (this) {
            byValue = byValue.without(peer);
        }
        try {
            vector.remove(peer.address());
        } catch (FabricException | IllegalStateException refused) {
            LOG.debug("the address of {} stays in the address vector", peer, refused);
        }
        return true;
    }
}
