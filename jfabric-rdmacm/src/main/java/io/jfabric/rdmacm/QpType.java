// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.bindings.rdmacm.RdmaCm;
import io.jfabric.info.FabricConstant;

/** The type of queue pair ({@code rdma_addrinfo.ai_qp_type}). */
public enum QpType implements FabricConstant {
    /** Any. In an answer: the library left it open. */
    ANY("0", 0),
    /** Reliable connection. */
    RC("IBV_QPT_RC", RdmaCm.IBV_QPT_RC()),
    /** Unreliable connection. */
    UC("IBV_QPT_UC", RdmaCm.IBV_QPT_UC()),
    /** Unreliable datagrams. */
    UD("IBV_QPT_UD", RdmaCm.IBV_QPT_UD()),
    /** Extended reliable connection, the side that sends. */
    XRC_SEND("IBV_QPT_XRC_SEND", RdmaCm.IBV_QPT_XRC_SEND()),
    /** Extended reliable connection, the side that receives. */
    XRC_RECV("IBV_QPT_XRC_RECV", RdmaCm.IBV_QPT_XRC_RECV()),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED("UNRECOGNIZED", -1);

    private final String nativeName;
    private final long code;

    QpType(String nativeName, long code) {
        this.nativeName = nativeName;
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return nativeName;
    }

    /**
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static QpType ofCode(int code) {
        return Codes.find(values(), UNRECOGNIZED, code);
    }
}
