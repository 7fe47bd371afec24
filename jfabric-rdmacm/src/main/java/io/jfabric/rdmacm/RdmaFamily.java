// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.bindings.rdmacm.RdmaCm;
import io.jfabric.info.FabricConstant;

/** The family of addresses ({@code rdma_addrinfo.ai_family}). */
public enum RdmaFamily implements FabricConstant {
    /** Any. */
    UNSPEC("AF_UNSPEC", 0),
    /** IPv4: {@code struct sockaddr_in}, 16 bytes. */
    INET("AF_INET", RdmaCm.AF_INET()),
    /** IPv6: {@code struct sockaddr_in6}, 28 bytes. */
    INET6("AF_INET6", RdmaCm.AF_INET6()),
    /** InfiniBand: {@code struct sockaddr_ib}, 48 bytes, with a GID where IPv6 has its address. */
    IB("AF_IB", RdmaCm.AF_IB()),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED("UNRECOGNIZED", -1);

    private final String nativeName;
    private final long code;

    RdmaFamily(String nativeName, long code) {
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
    public static RdmaFamily ofCode(int code) {
        return Codes.find(values(), UNRECOGNIZED, code);
    }
}
