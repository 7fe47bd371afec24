// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.peer;

import io.jfabric.AddressVector;
import io.jfabric.Endpoint;
import io.jfabric.FabricException;
import io.jfabric.async.Node;
import io.jfabric.info.Address;
import io.jfabric.internal.async.drive.Drive;
import io.jfabric.internal.async.drive.NodeParts;
import io.jfabric.internal.async.flow.Flow;
import io.jfabric.internal.async.flow.Lane;
import io.jfabric.internal.async.flow.PeerLanes;
import io.jfabric.internal.info.AddressShape;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The peers of a node. */
public final class Peers {
    private final Node node;
    private final Flow flow;
    private final Drive drive;
    private final AddressVector vector;
    private final Endpoint endpoint;
    private final Lane receives;
    private final Endings endings;
    private final Map<Address, PeerImpl> byName = new HashMap<>();
    /** Of the last peer at each address; null where the next one need not wait for what that has sent. */
    private final Map<Address, PeerLanes> lanes;
    private final Set<PeerImpl> connections = new HashSet<>();
    private volatile PeerTable byValue = PeerTable.EMPTY;

    /** With the lane of the program's receives from anybody. */
    public Peers(Node node, NodeParts parts, Flow flow, Drive drive, Lane receives) {
        this.node = node;
        this.flow = flow;
        this.drive = drive;
        this.vector = parts.vector();
        this.endpoint = parts.endpoint();
        this.receives = receives;
        this.lanes = Quirks.of(parts.info().provider()).has(Quirk.UNANSWERED_KEEP_PLACES) ? new HashMap<>() : null;
        this.endings = new Endings(flow, drive, this, vector);
    }

    /** The peer that a value in a completion stands for; null if there is none. */
    public PeerImpl find(long value) {
        return byValue.find(value);
    }

    public synchronized PeerImpl at(Address where) {
        if (flow.isClosed()) {
            throw new IllegalStateException("Node.peer: the node is closed");
        }
        Address address = AddressShape.upToNul(where);
        PeerImpl known = byName.get(address);
        if (known != null) {
            return known;
        }
        if (vector == null) {
            throw new IllegalStateException("Node.peer: this node is connection-oriented (Hints.msg()); use connect "
                    + "and listen");
        }
        PeerImpl peer = peer(address, vector.insert(address), lanes(address));
        byName.put(address, peer);
        byValue = byValue.with(peer);
        return peer;
    }

    private PeerLanes lanes(Address address) {
        return lanes == null ? PeerLanes.of(flow) : lanes.compute(address, (same, earlier) ->
                earlier == null ? PeerLanes.of(flow) : PeerLanes.behind(earlier, flow));
    }

    private PeerImpl peer(Address address, long value, PeerLanes to) {
        return new PeerImpl(node, this, drive, endpoint, address, value, null, to.transmits(), to.first(), to.words(),
                receives);
    }

    /** One that has ended for that reason before anybody was at its address; whoever comes is another. */
    public PeerImpl absent(Address where, FabricException why) {
        PeerImpl peer = peer(AddressShape.upToNul(where), Address.NOT_AVAILABLE, PeerLanes.of(flow));
        end(peer, why);
        return peer;
    }

    /** A new connection, with the other side's greeting; and its address, if known, in case it is gone already. */
    public PeerImpl connected(Endpoint with, Address where, byte[] greeting) {
        PeerImpl peer = new PeerImpl(node, this, drive, with, address(with, where), 0, greeting, flow.transmitLane(),
                null, null, flow.receiveLane());
        synchronized (this) {
            connections.add(peer);
        }
        return peer;
    }

    private static Address address(Endpoint endpoint, Address otherwise) {
        try {
            return endpoint.peerAddress();
        } catch (FabricException gone) {
            if (otherwise == null) {
                throw gone;
            }
            // its end will be reported
            return otherwise;
        }
    }

    /** Ends a peer; the caller must hold no lock. The reason is null for an end by the program. */
    public void end(PeerImpl peer, FabricException why) {
        endings.end(peer, why);
    }

    /** As above, for many connections. */
    public void end(Map<PeerImpl, FabricException> ended) {
        endings.endConnections(ended);
    }

    /** From now on its address makes a new peer. */
    synchronized void forget(PeerImpl peer) {
        byName.remove(peer.address(), peer);
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
