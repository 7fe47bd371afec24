// SPDX-License-Identifier: Apache-2.0
package io.jfabric.info;

import io.jfabric.bindings.Libfabric;

/** How a provider wants memory registered ({@code fi_domain_attr.mr_mode}, fi_mr(3)). */
public enum MrMode implements FabricConstant {
    /** Deprecated: stands for VIRT_ADDR, ALLOCATED and PROV_KEY together. */
    BASIC(1),
    /** Deprecated: stands for none of the other bits. */
    SCALABLE(1 << 1),
    /** Local buffers must be registered. */
    LOCAL(Libfabric.FI_MR_LOCAL()),
    /** Keys are longer than 64 bits. */
    RAW(Libfabric.FI_MR_RAW()),
    /** Remote memory is addressed by virtual address instead of offset. */
    VIRT_ADDR(Libfabric.FI_MR_VIRT_ADDR()),
    /** Registered memory must be backed by physical pages. */
    ALLOCATED(Libfabric.FI_MR_ALLOCATED()),
    /** The provider chooses the keys. */
    PROV_KEY(Libfabric.FI_MR_PROV_KEY()),
    /** The application tells the provider when pages change. */
    MMU_NOTIFY(Libfabric.FI_MR_MMU_NOTIFY()),
    /** Regions that counters are bound to must be enabled by the application. */
    RMA_EVENT(Libfabric.FI_MR_RMA_EVENT()),
    /** The application binds each region to an endpoint and enables it. */
    ENDPOINT(Libfabric.FI_MR_ENDPOINT()),
    /** Device memory must be registered. */
    HMEM(Libfabric.FI_MR_HMEM()),
    /** Buffers of collectives must be registered. */
    COLLECTIVE(Libfabric.FI_MR_COLLECTIVE());

    private final long code;

    MrMode(long code) {
        this.code = code;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return "FI_MR_" + name();
    }
}
