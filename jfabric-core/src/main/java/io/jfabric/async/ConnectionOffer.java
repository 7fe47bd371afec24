// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.async.connect.ConnectionOfferImpl;
import java.util.concurrent.CompletableFuture;

/** A request for a connection. Accept it, reject it or close it. Thread-safe. */
public sealed interface ConnectionOffer extends AutoCloseable permits ConnectionOfferImpl {
    /**
     * The data that came with the request.
     *
     * @return a copy of the data
     */
    byte[] data();

    /**
     * Accepts without data.
     *
     * @return the connection, once it is established
     * @throws IllegalStateException if the offer is answered already, or its listener is closed, which rejects it
     */
    CompletableFuture<Peer> accept();

    /**
     * Accepts ({@code fi_accept}). Where the other side has given up its connect meanwhile, this may succeed
     * nevertheless: then {@link Peer#ended} of the connection fails shortly after. On provider sockets it may stay
     * silent; a send to it fails.
     *
     * @param data what the other side finds in {@link Peer#greeting()}; as much as the provider takes
     * @return the connection, once it is established; fails with {@code FI_ETIMEDOUT} after the node's deadline
     * @throws IllegalArgumentException if there is more data; the offer then waits for another answer
     * @throws IllegalStateException if the offer is answered already, or its listener is closed, which rejects it
     */
    CompletableFuture<Peer> accept(byte[] data);

    /**
     * Rejects without data.
     *
     * @throws IllegalStateException if the offer is answered already, or its listener is closed, which rejects it
     */
    void reject();

    /**
     * Rejects ({@code fi_reject}).
     *
     * @param data what the other side finds in {@link io.jfabric.EventException#errorData()}; as much as the provider
     *     takes
     * @throws IllegalStateException if the offer is answered already, or its listener is closed, which rejects it
     */
    void reject(byte[] data);

    /** Rejects the offer if it is not answered. */
    @Override
    void close();
}
