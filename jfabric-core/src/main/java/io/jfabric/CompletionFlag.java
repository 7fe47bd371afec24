// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;

/**
 * What kind of operation completed ({@code fi_cq_msg_entry.flags}, fi_cq(3)). Not every provider sets all of them: udp
 * says {@link #RECV} of a message, but not {@link #MSG}, and sockets {@link #WRITE} of an atomic operation that
 * fetches. The context tells operations apart everywhere.
 */
public enum CompletionFlag implements FabricConstant {
    /** A message. */
    MSG(Libfabric.FI_MSG()),
    /** A remote memory access. */
    RMA(Libfabric.FI_RMA()),
    /** A tagged message. */
    TAGGED(Libfabric.FI_TAGGED()),
    /** An atomic operation. */
    ATOMIC(Libfabric.FI_ATOMIC()),
    /** A collective operation. */
    COLLECTIVE(Libfabric.FI_COLLECTIVE()),
    /** A read. */
    READ(Libfabric.FI_READ()),
    /** A write. */
    WRITE(Libfabric.FI_WRITE()),
    /** A receive. */
    RECV(Libfabric.FI_RECV()),
    /** A send. */
    SEND(Libfabric.FI_SEND()),
    /** A peer read from this endpoint. */
    REMOTE_READ(Libfabric.FI_REMOTE_READ()),
    /** A peer wrote to this endpoint. */
    REMOTE_WRITE(Libfabric.FI_REMOTE_WRITE()),
    /**
     * The multi-receive buffer is used up and belongs to the application again. Without {@link #RECV} there is no
     * message with it.
     */
    MULTI_RECV(Libfabric.FI_MULTI_RECV()),
    /** Immediate data is present. */
    REMOTE_CQ_DATA(Libfabric.FI_REMOTE_CQ_DATA()),
    /** More of the message follows. */
    MORE(Libfabric.FI_MORE()),
    /** The message was claimed. */
    CLAIM(Libfabric.FI_CLAIM());

    private final long code;

    CompletionFlag(long code) {
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
