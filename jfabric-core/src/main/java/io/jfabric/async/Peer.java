// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.Endpoint;
import io.jfabric.info.Address;
import io.jfabric.internal.async.peer.PeerImpl;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A remote endpoint that a node knows. From {@link Node#peer(Address)}. Thread-safe. */
public sealed interface Peer extends AutoCloseable permits PeerImpl {
    /**
     * The node that knows it.
     *
     * @return the node
     */
    Node node();

    /**
     * The peer's network address.
     *
     * @return what its {@link Node#address()} gives; of a connection, the address of the other end
     */
    Address address();

    /**
     * The address that operations of level 1 take ({@code fi_addr_t}).
     *
     * @return the value from the node's address vector; meaningless for a connection
     */
    long fabricAddress();

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
     * The data that the other side sent when the connection was made.
     *
     * @return a copy of the data of its request or acceptance; empty if there was none
     */
    byte[] greeting();

    /**
     * Tells when the peer cannot be used any more. The same future for all who ask: completing or cancelling it has no
     * effect; take a {@code copy()} for that, which {@code orTimeout}, {@code completeOnTimeout} and {@code
     * completeAsync} do by themselves. On {@code tcp} the end of a connection is seen behind what has come before it:
     * not while a message there waits for a receive.
     *
     * @return done when this peer is closed on this side, or with its node; fails with the reason, as far as it is
     *     known, if the connection ended otherwise or {@link KeepAlive} says that the peer is down. With {@code
     *     FI_ECONNRESET} if the other side has closed the connection, or, where a keep-alive watches it, its node
     */
    CompletableFuture<@Nullable Void> ended();

    /**
     * Whether it can be used.
     *
     * @return false once it or its node is closed
     */
    boolean isOpen();

    /**
     * Forgets the peer. Operations that wait to be started fail; those that are with the provider may finish until the
     * node's deadline, then the address is removed from the address vector. A connection is shut down, and what is
     * under way on it fails. What was sent last may not arrive, even if its future has succeeded, where the other side
     * is sending, too: then its receives fail. Wait for an answer before closing. Afterwards {@link
     * Node#peer(Address)} makes a new peer for the same address.
     */
    @Override
    void close();
}
