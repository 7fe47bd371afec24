// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;

/** What a completion queue reports for each operation ({@code fi_cq_format}). */
public enum CompletionFormat implements FabricConstant {
    /** The provider decides. */
    UNSPEC(Libfabric.FI_CQ_FORMAT_UNSPEC()),
    /** The context alone. */
    CONTEXT(Libfabric.FI_CQ_FORMAT_CONTEXT()),
    /** Context, flags and length. */
    MSG(Libfabric.FI_CQ_FORMAT_MSG()),
    /** All of MSG, and the buffer and immediate data. */
    DATA(Libfabric.FI_CQ_FORMAT_DATA()),
    /** All of DATA, and the tag. */
    TAGGED(Libfabric.FI_CQ_FORMAT_TAGGED());

    private final long code;

    CompletionFormat(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_CQ_FORMAT_" + name();
    }
}
