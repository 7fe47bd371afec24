// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.info.Constants;

/** How an address vector hands out addresses ({@code fi_domain_attr.av_type}). */
public enum AvType implements FabricConstant {
    /** Any. */
    UNSPEC(Libfabric.FI_AV_UNSPEC()),
    /** Opaque values; deprecated. */
    MAP(Libfabric.FI_AV_MAP()),
    /** Indices, in order of insertion. */
    TABLE(Libfabric.FI_AV_TABLE()),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED(-1);

    private final long code;

    AvType(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_AV_" + name();
    }

    /**
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static AvType ofCode(int code) {
        return Constants.find(AvType.class, code, UNRECOGNIZED);
    }
}
