// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;
import io.jfabric.internal.info.Constants;

/** The wire protocol of an endpoint ({@code fi_ep_attr.protocol}). */
public enum Protocol implements FabricConstant {
    /** Any. */
    UNSPEC(Libfabric.FI_PROTO_UNSPEC(), FIRST),
    /** InfiniBand reliable connection through RDMA CM. */
    RDMA_CM_IB_RC(Libfabric.FI_PROTO_RDMA_CM_IB_RC(), FIRST),
    /** iWARP. */
    IWARP(Libfabric.FI_PROTO_IWARP(), FIRST),
    /** InfiniBand unreliable datagram. */
    IB_UD(Libfabric.FI_PROTO_IB_UD(), FIRST),
    /** PSM 1; libfabric 1 only. */
    PSMX(Libfabric.FI_PROTO_PSMX(), FIRST),
    /** UDP datagrams. */
    UDP(Libfabric.FI_PROTO_UDP(), FIRST),
    /** The sockets provider over TCP. */
    SOCK_TCP(Libfabric.FI_PROTO_SOCK_TCP(), FIRST),
    /** MXM; removed. */
    MXM(Libfabric.FI_PROTO_MXM(), FIRST),
    /** Reliable datagrams over iWARP. */
    IWARP_RDM(Libfabric.FI_PROTO_IWARP_RDM(), FIRST),
    /** Reliable datagrams over InfiniBand. */
    IB_RDM(Libfabric.FI_PROTO_IB_RDM(), FIRST),
    /** Cray Gemini and Aries; libfabric 1 only. */
    GNI(Libfabric.FI_PROTO_GNI(), FIRST),
    /** Reliable datagrams over connected endpoints. */
    RXM(Libfabric.FI_PROTO_RXM(), FIRST),
    /** Reliable datagrams over datagrams. */
    RXD(Libfabric.FI_PROTO_RXD(), FIRST),
    /** UCX, under its old name. */
    MLX(Libfabric.FI_PROTO_MLX(), FIRST),
    /** Windows Network Direct. */
    NETWORKDIRECT(Libfabric.FI_PROTO_NETWORKDIRECT(), FIRST),
    /** PSM 2. */
    PSMX2(Libfabric.FI_PROTO_PSMX2(), FIRST),
    /** Shared memory. */
    SHM(Libfabric.FI_PROTO_SHM(), FIRST),
    /** Several rails as one. */
    MRAIL(Libfabric.FI_PROTO_MRAIL(), FIRST),
    /** Byte streams; libfabric 1 only. */
    RSTREAM(Libfabric.FI_PROTO_RSTREAM(), FIRST),
    /** InfiniBand extended reliable connection. */
    RDMA_CM_IB_XRC(Libfabric.FI_PROTO_RDMA_CM_IB_XRC(), FIRST),
    /** Scalable reliable datagram. */
    EFA(Libfabric.FI_PROTO_EFA(), FIRST),
    /** PSM 3. */
    PSMX3(Libfabric.FI_PROTO_PSMX3(), FIRST),
    /** Reliable datagrams over TCP endpoints. */
    RXM_TCP(Libfabric.FI_PROTO_RXM_TCP(), FIRST),
    /** Omni-Path Express. */
    OPX(Libfabric.FI_PROTO_OPX(), FIRST),
    /** Slingshot. */
    CXI(Libfabric.FI_PROTO_CXI(), FIRST),
    /** The tcp provider. */
    XNET(Libfabric.FI_PROTO_XNET(), FIRST),
    /** Collectives on top of another endpoint. */
    COLL(Libfabric.FI_PROTO_COLL(), new Version(1, 18)),
    /** UCX. */
    UCX(Libfabric.FI_PROTO_UCX(), new Version(1, 18)),
    /** Shared memory, second generation. */
    SM2(Libfabric.FI_PROTO_SM2(), new Version(1, 19)),
    /** Slingshot with receiver-not-ready. */
    CXI_RNR(Libfabric.FI_PROTO_CXI_RNR(), new Version(1, 21)),
    /** LightningPath. */
    LPP(Libfabric.FI_PROTO_LPP(), new Version(2, 0)),
    /** Several providers linked into one. */
    LNX(Libfabric.FI_PROTO_LNX(), new Version(2, 0)),
    /** A value that jfabric has no constant for. */
    UNRECOGNIZED(-1, FIRST);

    private final long code;
    private final Version since;

    Protocol(long code, Version since) {
        this.code = code;
        this.since = since;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_PROTO_" + name();
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
    public static Protocol ofCode(int code) {
        return Constants.find(Protocol.class, code, UNRECOGNIZED);
    }
}
