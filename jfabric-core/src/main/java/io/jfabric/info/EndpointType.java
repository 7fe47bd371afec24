// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.info.Constants;

/** How an endpoint talks ({@code fi_ep_attr.type}). */
public enum EndpointType implements FabricConstant {
    /** Any type. */
    UNSPEC(Libfabric.FI_EP_UNSPEC()),
    /** Connected, reliable. */
    MSG(Libfabric.FI_EP_MSG()),
    /** Unconnected, unreliable. */
    DGRAM(Libfabric.FI_EP_DGRAM()),
    /** Unconnected, reliable. */
    RDM(Libfabric.FI_EP_RDM()),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED(-1);

    private final long code;

    EndpointType(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_EP_" + name();
    }

    /**
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static EndpointType ofCode(int code) {
        return Constants.find(EndpointType.class, code, UNRECOGNIZED);
    }
}
