// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.peer;

import io.jfabric.info.Address;
import io.jfabric.internal.async.drive.NodeParts;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.node.NodeImpl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The peers of a node. */
public final class Peers {
    private final NodeImpl node;
    private final Flow flow;
    private final NodeParts parts;
    private final Lane receives;
    private final Map<Address, PeerImpl> byName = new HashMap<>();
    private final Set<PeerImpl> connections = new HashSet<>();
    private volatile PeerTable byValue = PeerTable.EMPTY;

    public Peers(NodeImpl node, Flow flow, NodeParts parts, Lane receives) {
        this.node = node;
        this.flow = flow;
        this.parts = parts;
        this.receives = receives;
    }

    /** The peer of a value in a completion; null if it is none. */
    public PeerImpl find(long value) {
        return byValue.find(value);
    }

    public synchronized PeerImpl at(Address address) {
        PeerImpl known = byName.get(address);
        if (known != null) {
            return known;
        }
        if (flow.isClosed()) {
            throw new IllegalStateException("Node.peer: the node is closed");
        }
        if (parts.vector() == null) {
            throw new IllegalStateException("Node.peer: this is a node of connections; use connect and listen");
        }
        PeerImpl peer = new PeerImpl(node, parts.endpoint(), address, parts.vector().insert(address),
                flow.transmitLane(), receives);
        byName.put(address, peer);
        byValue = byValue.with(peer);
        return peer;
    }

    public synchronized void add(PeerImpl connection) {
        connections.add(connection);
    }

    /** Its address makes a new peer from now on. */
    synchronized void forget(PeerImpl peer) {
        byName.remove(peer.networkAddress(), peer);
    }

    synchronized void remove(PeerImpl peer) {
        connections.remove(peer);
        byValue = byValue.without(peer);
    }

    public synchronized List<PeerImpl> all() {
        List<PeerImpl> all = new ArrayList<>(connections);
        all.addAll(byName.values());
        return all;
    }
}
