// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;

/**
 * What a provider demands of the application ({@code fi_info.mode}). As a hint: what the application can live with;
 * jfabric satisfies all but {@link #ASYNC_IOV} and {@link #RX_CQ_DATA} by itself.
 */
public enum Mode implements FabricConstant {
    /** Each operation lends a {@code struct fi_context} to the provider. */
    CONTEXT(Libfabric.FI_CONTEXT()),
    /**
     * Space in front of each message buffer. Peers of an endpoint must have it, too, if it was added to the info of a
     * provider that does not demand it: then it is sent as a part of the message, and limits are less by its size.
     */
    MSG_PREFIX(Libfabric.FI_MSG_PREFIX()),
    /** I/O vectors stay untouched until the operation completes. */
    ASYNC_IOV(Libfabric.FI_ASYNC_IOV()),
    /** Immediate data takes up a posted receive, also where it comes with a write: post one for each. */
    RX_CQ_DATA(Libfabric.FI_RX_CQ_DATA()),
    /** Local buffers must be registered; the old form of {@link MrMode#LOCAL}. */
    LOCAL_MR(1L << 55),
    /** Each operation lends a {@code struct fi_context2} to the provider. */
    CONTEXT2(Libfabric.FI_CONTEXT2());

    private final long code;

    Mode(long code) {
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
