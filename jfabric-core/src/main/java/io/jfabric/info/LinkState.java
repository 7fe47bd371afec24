// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.info.Constants;

/** Whether a NIC is connected ({@code fi_link_state}). */
public enum LinkState implements FabricConstant {
    /** Unknown. */
    UNKNOWN(Libfabric.FI_LINK_UNKNOWN()),
    /** Down. */
    DOWN(Libfabric.FI_LINK_DOWN()),
    /** Up. */
    UP(Libfabric.FI_LINK_UP()),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED(-1);

    private final long code;

    LinkState(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_LINK_" + name();
    }

    /**
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static LinkState ofCode(int code) {
        return Constants.find(LinkState.class, code, UNRECOGNIZED);
    }
}
