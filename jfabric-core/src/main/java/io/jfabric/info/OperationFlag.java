// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;

/** How one operation, or each of an endpoint's, behaves ({@code op_flags}, fi_endpoint(3)). */
public enum OperationFlag implements FabricConstant {
    /** The destination is a multicast address. */
    MULTICAST(Libfabric.FI_MULTICAST(), FIRST),
    /**
     * The buffer takes several messages. As a default flag of receives it means
     * {@link io.jfabric.MessageReceives#receiveMulti} for each untagged one, with the same conditions; where those
     * include {@link io.jfabric.option.EndpointOption#MIN_MULTI_RECV} ({@code shm}, {@code sockets}, {@code ofi_rxd},
     * {@code ofi_rxm} of libfabric 2), it is refused if the endpoint has
     * {@link Capability#TAGGED}, too.
     */
    MULTI_RECV(Libfabric.FI_MULTI_RECV(), FIRST),
    /** Immediate data goes with the operation. */
    REMOTE_CQ_DATA(Libfabric.FI_REMOTE_CQ_DATA(), FIRST),
    /** More operations follow at once; the provider may wait for them. */
    MORE(Libfabric.FI_MORE(), FIRST),
    /** Look whether a message has arrived. */
    PEEK(Libfabric.FI_PEEK(), FIRST),
    /** The operation is deferred until its trigger. */
    TRIGGER(Libfabric.FI_TRIGGER(), FIRST),
    /**
     * Wait for all earlier operations to this peer. Without {@link Capability#FENCE} refused
     * ({@code FI_EOPNOTSUPP}), as providers would not wait; connected endpoints of verbs wait without it.
     */
    FENCE(Libfabric.FI_FENCE(), FIRST),
    /** Report the completion. */
    COMPLETION(Libfabric.FI_COMPLETION(), FIRST),
    /** The buffer may be reused at once. */
    INJECT(Libfabric.FI_INJECT(), FIRST),
    /** Complete when the buffer may be reused. */
    INJECT_COMPLETE(Libfabric.FI_INJECT_COMPLETE(), FIRST),
    /** Complete when no retry can be needed. */
    TRANSMIT_COMPLETE(Libfabric.FI_TRANSMIT_COMPLETE(), FIRST),
    /** Complete when the peer has processed the operation. */
    DELIVERY_COMPLETE(Libfabric.FI_DELIVERY_COMPLETE(), FIRST),
    /** For queues: their interrupts go to a CPU; no operation takes it. */
    AFFINITY(Libfabric.FI_AFFINITY(), FIRST),
    /** Complete when the data is persistent; without {@link Capability#RMA_PMEM} refused ({@code FI_EOPNOTSUPP}). */
    COMMIT_COMPLETE(Libfabric.FI_COMMIT_COMPLETE(), FIRST),
    /**
     * Complete when the peer has matched the message with a buffer. Refused ({@code FI_EOPNOTSUPP}) by all providers
     * that would complete before, which are all but cxi and ucx.
     */
    MATCH_COMPLETE(Libfabric.FI_MATCH_COMPLETE(), FIRST),
    /** Between providers that are combined; no operation takes it from a program. */
    PEER_TRANSFER(Libfabric.FI_PEER_TRANSFER(), new Version(1, 18)),
    /** Take the message that a peek claimed. */
    CLAIM(Libfabric.FI_CLAIM(), FIRST),
    /** Drop the message that a peek finds, or has claimed. */
    DISCARD(Libfabric.FI_DISCARD(), FIRST);

    private final long code;
    private final Version since;

    OperationFlag(long code, Version since) {
        this.code = code;
        this.since = since;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_" + name();
    }

    @Override
    public Version since() {
        return since;
    }
}
