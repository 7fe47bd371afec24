// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.info.Constants;

/** Where a NIC is attached ({@code fi_bus_type}). */
public enum BusType implements FabricConstant {
    /** Unknown. */
    UNSPEC(Libfabric.FI_BUS_UNSPEC()),
    /** PCI. */
    PCI(Libfabric.FI_BUS_PCI()),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED(-1);

    private final long code;

    BusType(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_BUS_" + name();
    }

    /**
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static BusType ofCode(int code) {
        return Constants.find(BusType.class, code, UNRECOGNIZED);
    }
}
