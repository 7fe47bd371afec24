// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.alive.KeepAliveImpl;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Notices that peers die, stop or cannot be reached, and answers those who watch this node. Both sides open one: a node
 * without answers nobody.
 *
 * <p>A watched peer gets some small messages in each interval. If it answers none for as long as the interval, it is
 * down, which is noticed within twice the interval: {@link Peer#ended()} fails with {@code FI_EHOSTDOWN}, and so does
 * all that is under way to it; other peers are not concerned. So it is with a peer whose process was started anew
 * meanwhile ({@code FI_ECONNRESET}). The peer is closed then; {@link Node#peer(byte[])} of the same address makes
 * another one, which can be watched and used as soon as there is somebody again.
 *
 * <p>A process that is stopped itself for longer than an interval does not blame its peers for the time. Thread-safe.
 */
public sealed interface KeepAlive extends AutoCloseable permits KeepAliveImpl {
    /**
     * Opens one with an interval of one second and four messages in it.
     *
     * @param node whose peers are to be watched
     * @return to be closed; closed with the node
     * @throws IllegalStateException if the node has one
     */
    static KeepAlive open(Node node) {
        return open(node, Duration.ofSeconds(1), 4);
    }

    /**
     * Opens one.
     *
     * @param node whose peers are to be watched; not one of connections, which end by themselves
     * @param interval after how long a silence a peer is down, 10 milliseconds to a day
     * @param messages how many messages to each peer in an interval, 1 to 100
     * @return to be closed; closed with the node
     * @throws IllegalStateException if the node has one
     */
    static KeepAlive open(Node node, Duration interval, int messages) {
        return KeepAliveImpl.open(node, interval, messages);
    }

    /**
     * Watches a peer from now on; again does nothing.
     *
     * @param peer a peer of the node's
     * @return what {@link Peer#ended()} gives
     */
    CompletableFuture<Void> watch(Peer peer);

    /**
     * Watches a peer no more.
     *
     * @param peer the peer
     */
    void forget(Peer peer);

    /**
     * Whether a watched peer has answered, and how long ago.
     *
     * @param peer the peer
     * @return negative if it never has, or is not watched
     */
    Duration heardAgo(Peer peer);

    /** Watches nobody any more, and answers nobody. Again does nothing. */
    @Override
    void close();
}
