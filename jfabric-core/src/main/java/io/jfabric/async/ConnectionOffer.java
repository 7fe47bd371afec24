// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.internal.async.connect.ConnectionOfferImpl;
import java.util.concurrent.CompletableFuture;

/** Somebody asks for a connection. To be answered, or closed. Thread-safe. */
public sealed interface ConnectionOffer extends AutoCloseable permits ConnectionOfferImpl {
    /**
     * What came along.
     *
     * @return a copy of the data
     */
    byte[] data();

    /**
     * Accepts without data.
     *
     * @return the connection, once it is there
     * @throws IllegalStateException if the offer is answered already
     */
    CompletableFuture<Peer> accept();

    /**
     * Accepts ({@code fi_accept}).
     *
     * @param data what the other side finds in {@link Peer#greeting()}; as much as the provider takes
     * @return the connection, once it is there; fails with {@code FI_ETIMEDOUT} after the node's deadline
     * @throws IllegalStateException if the offer is answered already
     */
    CompletableFuture<Peer> accept(byte[] data);

    /**
     * Rejects without data.
     *
     * @throws IllegalStateException if the offer is answered already
     */
    void reject();

    /**
     * Rejects ({@code fi_reject}).
     *
     * @param data what the other side finds in {@link io.jfabric.EventException#errorData()}; as much as the provider
     *     takes
     * @throws IllegalStateException if the offer is answered already
     */
    void reject(byte[] data);

    /** Rejects the offer if it is not answered. */
    @Override
    void close();
}
