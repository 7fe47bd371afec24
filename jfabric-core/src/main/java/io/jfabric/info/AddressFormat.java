// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.ffi.Newer;
import io.jfabric.internal.info.Constants;

/** The form of a network address ({@code fi_info.addr_format}). */
public enum AddressFormat implements FabricConstant {
    /** Not stated. */
    UNSPEC(Libfabric.FI_FORMAT_UNSPEC(), FIRST),
    /** {@code struct sockaddr}, IPv4 or IPv6. */
    SOCKADDR(Libfabric.FI_SOCKADDR(), FIRST),
    /** {@code struct sockaddr_in}, 16 bytes. */
    SOCKADDR_IN(Libfabric.FI_SOCKADDR_IN(), FIRST),
    /** {@code struct sockaddr_in6}, 28 bytes. */
    SOCKADDR_IN6(Libfabric.FI_SOCKADDR_IN6(), FIRST),
    /** {@code struct sockaddr_ib}, 48 bytes. */
    SOCKADDR_IB(Libfabric.FI_SOCKADDR_IB(), FIRST),
    /** PSM 1; libfabric 1 only. */
    ADDR_PSMX(Libfabric.FI_ADDR_PSMX(), FIRST),
    /** Cray Gemini and Aries; libfabric 1 only. */
    ADDR_GNI(Libfabric.FI_ADDR_GNI(), FIRST),
    /** Blue Gene/Q; libfabric 1 only. */
    ADDR_BGQ(Libfabric.FI_ADDR_BGQ(), FIRST),
    /** UCX, under its old name. */
    ADDR_MLX(Libfabric.FI_ADDR_MLX(), FIRST),
    /** Text, such as {@code fi_shm://...}. */
    ADDR_STR(Libfabric.FI_ADDR_STR(), FIRST),
    /** Omni-Path, PSM 2, 16 bytes. */
    ADDR_PSMX2(Libfabric.FI_ADDR_PSMX2(), FIRST),
    /** InfiniBand unreliable datagram. */
    ADDR_IB_UD(Libfabric.FI_ADDR_IB_UD(), FIRST),
    /** Elastic Fabric Adapter, 32 bytes. */
    ADDR_EFA(Libfabric.FI_ADDR_EFA(), FIRST),
    /** PSM 3, 32 bytes. */
    ADDR_PSMX3(Libfabric.FI_ADDR_PSMX3(), FIRST),
    /** Omni-Path Express. */
    ADDR_OPX(Libfabric.FI_ADDR_OPX(), FIRST),
    /** Slingshot. */
    ADDR_CXI(Libfabric.FI_ADDR_CXI(), FIRST),
    /** UCX. */
    ADDR_UCX(Libfabric.FI_ADDR_UCX(), new Version(1, 18)),
    /** {@code struct sockaddr_in} or {@code struct sockaddr_in6}, as the address says. */
    SOCKADDR_IP(Newer.SOCKADDR_IP, new Version(2, 3)),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED(-1, FIRST);

    private final long code;
    private final Version since;

    AddressFormat(long code, Version since) {
        this.code = code;
        this.since = since;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return this == UNSPEC ? "FI_FORMAT_UNSPEC" : "FI_" + name();
    }

    @Override
    public Version since() {
        return since;
    }

    /**
     * Finds the constant of a value.
     *
     * @param code the value C code uses
     * @return the constant, or {@link #UNRECOGNIZED}
     */
    public static AddressFormat ofCode(int code) {
        return Constants.find(AddressFormat.class, code, UNRECOGNIZED);
    }
}
