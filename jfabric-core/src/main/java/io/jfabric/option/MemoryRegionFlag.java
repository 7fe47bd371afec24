// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.bindings.Libfabric;
import io.jfabric.info.FabricConstant;
import io.jfabric.info.Version;

/** What is special about a memory region ({@code flags} of fi_mr_regattr, fi_mr(3)). */
public enum MemoryRegionFlag implements FabricConstant {
    /** The memory is a DMA-buf; {@link MemoryRegionAttributes#ofDmabuf} sets it. */
    DMABUF(Libfabric.FI_MR_DMABUF(), new Version(1, 20), "FI_MR_DMABUF"),
    /** The key is good for one operation. */
    SINGLE_USE(Libfabric.FI_MR_SINGLE_USE(), new Version(2, 0), "FI_MR_SINGLE_USE"),
    /** Main memory that the device's interface allocated, as {@code cudaHostAlloc} does. */
    HMEM_HOST_ALLOC(Libfabric.FI_HMEM_HOST_ALLOC(), FIRST, "FI_HMEM_HOST_ALLOC"),
    /** Device memory that the CPU cannot access. */
    HMEM_DEVICE_ONLY(Libfabric.FI_HMEM_DEVICE_ONLY(), FIRST, "FI_HMEM_DEVICE_ONLY"),
    /** A counter will be bound, which counts the accesses of peers. */
    RMA_EVENT(Libfabric.FI_RMA_EVENT(), FIRST, "FI_RMA_EVENT"),
    /** Persistent memory. */
    RMA_PMEM(Libfabric.FI_RMA_PMEM(), FIRST, "FI_RMA_PMEM");

    private final long code;
    private final Version since;
    private final String nativeName;

    MemoryRegionFlag(long code, Version since, String nativeName) {
        this.code = code;
        this.since = since;
        this.nativeName = nativeName;
    }

    @Override
    public long code() {
        return code;
    }

    @Override
    public String nativeName() {
        return nativeName;
    }

    @Override
    public Version since() {
        return since;
    }
}
