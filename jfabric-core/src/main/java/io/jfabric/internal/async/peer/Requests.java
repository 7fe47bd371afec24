// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.peer;

import io.jfabric.Endpoint;
import io.jfabric.Request;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * Requests for operations of several buffers. The last of each kind is reused, as each has native memory of its own; a
 * thread that comes while another uses it gets a new one.
 */
public final class Requests {
    /** What a request is for. */
    public enum Kind {
        SEND(endpoint -> endpoint.messages().sendRequest()),
        TAGGED_SEND(endpoint -> endpoint.tagged().sendRequest()),
        RECEIVE(endpoint -> endpoint.messages().receiveRequest()),
        TAGGED_RECEIVE(endpoint -> endpoint.tagged().receiveRequest()),
        WRITE(endpoint -> endpoint.rma().writeRequest()),
        READ(endpoint -> endpoint.rma().readRequest());

        private static final int COUNT = values().length;

        private final Function<Endpoint, Request<?>> maker;

        Kind(Function<Endpoint, Request<?>> maker) {
            this.maker = maker;
        }
    }

    private final Endpoint endpoint;
    private final AtomicReferenceArray<Request<?>> free = new AtomicReferenceArray<>(Kind.COUNT);

    public Requests(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** A request without buffers, which nobody else uses. */
    public Request<?> take(Kind kind) {
        Request<?> one = free.getAndSet(kind.ordinal(), null);
        return one != null ? one : kind.maker.apply(endpoint);
    }

    /** Gives one back for others; keeps none of its buffers reachable. */
    public void give(Kind kind, Request<?> used) {
        free.set(kind.ordinal(), used.buffers());
    }
}
