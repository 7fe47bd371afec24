// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.bindings.rdmacm.RdmaCm;
import io.jfabric.info.FabricConstant;

/** How {@code rdma_getaddrinfo} resolves ({@code rdma_addrinfo.ai_flags}). */
public enum RdmaFlag implements FabricConstant {
    /** For the side that listens: the answer has source addresses, no destination. */
    PASSIVE("RAI_PASSIVE", RdmaCm.RAI_PASSIVE()),
    /** The node is a numeric address; nobody is asked for it. */
    NUMERIC_HOST("RAI_NUMERICHOST", RdmaCm.RAI_NUMERICHOST()),
    /** No lengthy search for routes. */
    NO_ROUTE("RAI_NOROUTE", RdmaCm.RAI_NOROUTE()),
    /** The family of the hints says how to read the node; {@link RdmaHints#withFamily} sets it. */
    FAMILY("RAI_FAMILY", RdmaCm.RAI_FAMILY()),
    /**
     * The service is looked up with InfiniBand's subnet administrator; then there is no node. Since rdma-core 60; older
     * libraries would take it for nothing, so jfabric refuses it there.
     */
    SA("RAI_SA", RdmaCm.RAI_SA()),
    /** Names are looked up as {@code getaddrinfo(3)} does: the default. Since rdma-core 60, not together with SA. */
    DNS("RAI_DNS", RdmaCm.RAI_DNS());

    private final String nativeName;
    private final long code;

    RdmaFlag(String nativeName, long code) {
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
}
