// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.Endpoint;
import io.jfabric.info.Address;
import io.jfabric.internal.async.peer.PeerImpl;
import java.util.concurrent.CompletableFuture;

/** A remote endpoint that a node knows. From {@link Node#peer(Address)}. Thread-safe. */
public sealed interface Peer extends AutoCloseable permits PeerImpl {
    /**
     * The node that knows it.
     *
     * @return the node
     */
    Node node();

    /**
     * Where it is.
     *
     * @return its address on the network
     */
    Address networkAddress();

    /**
     * What operations of level 1 take.
     *
     * @return the value from the node's address vector; of no meaning for a connection
     */
    long address();

    /**
     * The endpoint that reaches it.
     *
     * @return the node's endpoint, or that of the connection
     */
    Endpoint endpoint();

    /**
     * How many sends, reads, writes and atomics to it are with the provider.
     *
     * @return the number
     */
    int underWay();

    /**
     * How many operations to it wait because it, or the provider, is busy.
     *
     * @return the number
     */
    int waiting();

    /**
     * What the other side said when the connection was made.
     *
     * @return a copy of the data of its request or acceptance; empty if there was none
     */
    byte[] greeting();

    /**
     * The end of it.
     *
     * @return done when this peer is closed on this side, or with its node; fails with what is known if the connection
     *     ended otherwise
     */
    CompletableFuture<Void> ended();

    /**
     * Whether it can be used.
     *
     * @return false once it or its node is closed
     */
    boolean isOpen();

    /**
     * Forgets the peer: what waits to be sent to it fails; what is with the provider is waited for as long as the
     * node's deadline allows, then its address is removed from the address vector. A connection is shut down, and what
     * is under way on it fails. Afterwards {@link Node#peer(Address)} makes a new one of the same address.
     */
    @Override
    void close();
}
