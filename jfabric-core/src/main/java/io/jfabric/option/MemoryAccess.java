// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;

/** What registered memory is used for ({@code access} of fi_mr_reg(3)). */
public enum MemoryAccess implements FabricConstant {
    /** Source of sends. */
    SEND(Libfabric.FI_SEND()),
    /** Target of receives. */
    RECV(Libfabric.FI_RECV()),
    /** Target of this side's reads and fetching atomics: the result buffer. */
    READ(Libfabric.FI_READ()),
    /** Source of this side's writes and atomics. */
    WRITE(Libfabric.FI_WRITE()),
    /** Peers may read it. */
    REMOTE_READ(Libfabric.FI_REMOTE_READ()),
    /** Peers may write it. */
    REMOTE_WRITE(Libfabric.FI_REMOTE_WRITE()),
    /** Used by collectives. */
    COLLECTIVE(Libfabric.FI_COLLECTIVE());

    private final long code;

    MemoryAccess(long code) {
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
