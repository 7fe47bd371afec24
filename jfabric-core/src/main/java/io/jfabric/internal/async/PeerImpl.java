// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async;

import io.jfabric.Endpoint;
import io.jfabric.async.Peer;
import io.jfabric.info.Address;

/** {@link Peer}. */
public final class PeerImpl implements Peer {
    private final NodeImpl node;
    private final Endpoint endpoint;
    private final Address where;
    private final long address;
    private final boolean connection;
    private final Lane transmits;
    private final Lane receives;
    private volatile boolean open = true;

    PeerImpl(NodeImpl node, Endpoint endpoint, Address where, long address, boolean connection, Lane transmits,
            Lane receives) {
        this.node = node;
        this.endpoint = endpoint;
        this.where = where;
        this.address = address;
        this.connection = connection;
        this.transmits = transmits;
        this.receives = receives;
    }

    @Override
    public NodeImpl node() {
        return node;
    }

    @Override
    public Address networkAddress() {
        return where;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    boolean isConnection() {
        return connection;
    }

    Lane transmits() {
        return transmits;
    }

    /** Of a connection its own, else the node's. */
    Lane receives() {
        return receives;
    }

    @Override
    public int underWay() {
        return transmits.underWay();
    }

    @Override
    public int waiting() {
        return transmits.waiting();
    }

    @Override
    public boolean isOpen() {
        return open && node.isOpen();
    }

    /** For operations. */
    void check(String what, NodeImpl user) {
        if (node != user) {
            throw new IllegalArgumentException(what + ": the peer " + this + " is another node's");
        }
        if (!open) {
            throw new IllegalStateException(what + ": the peer " + this + " is closed");
        }
    }

    /** Whether it was open. */
    boolean shut() {
        boolean was = open;
        open = false;
        return was;
    }

    @Override
    public void close() {
        node.peers().remove(this);
    }

    @Override
    public String toString() {
        return where.toString();
    }
}
