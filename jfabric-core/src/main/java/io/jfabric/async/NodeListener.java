// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.info.Address;
import io.jfabric.internal.async.connect.NodeListenerImpl;
import java.util.concurrent.CompletableFuture;

/** Where a connection-oriented node listens for others. From {@link Node#listen()}. Thread-safe. */
public sealed interface NodeListener extends AutoCloseable permits NodeListenerImpl {
    /**
     * Where it listens: what others give to {@link Node#connect(Address)}. Send them {@link Address#toBytes()}.
     *
     * @return the address
     */
    Address address();

    /**
     * Waits for a request for a connection. May be called again before the first future is done; a future that
     * was cancelled takes nothing. Up to 1,024 requests wait for this; further ones are rejected.
     *
     * @return the request; fails with {@code FI_ECANCELED} when the listener is closed
     */
    CompletableFuture<ConnectionOffer> next();

    /** Stops listening. Rejects requests that were not answered; connections stay. */
    @Override
    void close();
}
