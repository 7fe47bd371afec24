// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricConstant;

/** Which operations of an endpoint a queue or counter is for ({@code flags} of fi_ep_bind, fi_endpoint(3)). */
public enum BindFlag implements FabricConstant {
    /** Sends ({@code FI_SEND} is the same bit) and, for queues, everything else this side starts. */
    TRANSMIT(Libfabric.FI_TRANSMIT()),
    /** Receives and, for queues, what peers write with immediate data. */
    RECV(Libfabric.FI_RECV()),
    /**
     * Report only operations that ask for it with {@code COMPLETION}, and errors. Peeks, and what claims or drops a
     * message ({@link io.jfabric.TaggedReceives}), always ask. What does not ask has no context that the provider would
     * know it by: {@link io.jfabric.Endpoint#cancel} does not find it, an error of it may have the context 0, and an
     * arena that it uses stays open until the endpoint is closed. On {@code sockets}, a queue for receives bound so
     * is not told of what peers write with immediate data.
     */
    SELECTIVE_COMPLETION(Libfabric.FI_SELECTIVE_COMPLETION()),
    /** Counters: reads and fetching atomics that this side starts. */
    READ(Libfabric.FI_READ()),
    /** Counters: writes and other atomics that this side starts. */
    WRITE(Libfabric.FI_WRITE()),
    /**
     * Counters: reads and fetching atomics of peers. Ask for {@link Capability#RMA_EVENT}. Not counted by {@code tcp}
     * and {@code net}, which grant that all the same.
     */
    REMOTE_READ(Libfabric.FI_REMOTE_READ()),
    /**
     * Counters: writes and other atomics of peers. Ask for {@link Capability#RMA_EVENT}. {@code tcp} and {@code net}
     * count those with immediate data alone; {@code sockets} counts fetching atomics here, too.
     */
    REMOTE_WRITE(Libfabric.FI_REMOTE_WRITE());

    private final long code;

    BindFlag(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_" + name();
    }
}
