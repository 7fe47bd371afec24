// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.bindings.rdmacm.RdmaCm;
import io.jfabric.info.FabricConstant;

/** What a port number means ({@code rdma_addrinfo.ai_port_space}). */
public enum PortSpace implements FabricConstant {
    /** Any. In an answer: the library left it open. */
    ANY("0", 0),
    /** Multicast groups of IP over InfiniBand. */
    IPOIB("RDMA_PS_IPOIB", RdmaCm.RDMA_PS_IPOIB()),
    /** Reliable connections. */
    TCP("RDMA_PS_TCP", RdmaCm.RDMA_PS_TCP()),
    /** Datagrams. */
    UDP("RDMA_PS_UDP", RdmaCm.RDMA_PS_UDP()),
    /** Any type of queue pair, by InfiniBand service ID. */
    IB("RDMA_PS_IB", RdmaCm.RDMA_PS_IB()),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED("UNRECOGNIZED", -1);

    private final String nativeName;
    private final long code;

    PortSpace(String nativeName, long code) {
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
    public static PortSpace ofCode(int code) {
        return Codes.find(values(), UNRECOGNIZED, code);
    }
}
