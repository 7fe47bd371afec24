// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_mr_raw_attr;
import io.jfabric.bindings.fid_mr;
import io.jfabric.ffi.Buffers;
import io.jfabric.ffi.FidOps;
import io.jfabric.ffi.Memory;
import io.jfabric.ffi.MrOps;
import io.jfabric.info.MrMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory that a provider knows (fi_mr(3)): for remote access by peers that have its key, and for local use where the
 * provider demands it. Keeps the memory reachable until it is closed. Thread-safe.
 */
public final class MemoryRegion extends FabricObject {
    private final Domain domain;
    private final MemorySegment memory;
    private final long access;

    private MemoryRegion(Domain domain, long handle, MemorySegment memory, long access) {
        super(domain, handle);
        this.domain = domain;
        this.memory = memory;
        this.access = access;
        domain.localRegions().add(memory.address(), memory.byteSize(), descriptor());
    }

    static MemoryRegion register(Domain domain, MemorySegment memory, long access) {
        return register(domain, memory, access, domain.nextKey());
    }

    static MemoryRegion register(Domain domain, MemorySegment memory, long access, long requestedKey) {
        long address = Buffers.address("fi_mr_reg", memory);
        long mr = domain.open("fi_mr_reg", (d, result) ->
                MrOps.reg(d, address, memory.byteSize(), access, 0, requestedKey, 0, result, 0));
        return new MemoryRegion(domain, mr, memory, access);
    }

    /**
     * The memory.
     *
     * @return what was registered
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * What the memory was registered for.
     *
     * @return bits of {@link MemoryAccess}
     */
    public long access() {
        return access;
    }

    /**
     * The key that peers need ({@code fi_mr_key}).
     *
     * @return the key; -1 ({@code FI_KEY_NOTAVAIL}) where it is longer than 64 bits, see {@link #rawKey()}
     */
    public long key() {
        return Memory.getLong(handle() + fid_mr.key$offset());
    }

    /**
     * What local operations pass to the provider ({@code fi_mr_desc}). jfabric does so by itself.
     *
     * @return the descriptor, 0 for none
     */
    public long descriptor() {
        return Memory.getLong(handle() + fid_mr.mem_desc$offset());
    }

    /**
     * The address a peer uses for the first byte: the virtual address where the provider wants it
     * ({@link MrMode#VIRT_ADDR}), else 0.
     *
     * @return the remote address
     */
    public long remoteAddress() {
        return domain.requires(MrMode.VIRT_ADDR) ? memory.address() : 0;
    }

    /**
     * The key as bytes, for providers whose keys are longer than 64 bits ({@code fi_mr_raw_attr}).
     *
     * @return the key
     */
    public byte[] rawKey() {
        return Names.read("fi_mr_raw_attr", (buffer, length) -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment base = arena.allocate(ValueLayout.JAVA_LONG);
                MemorySegment attr = fi_mr_raw_attr.allocate(arena);
                fi_mr_raw_attr.base_addr(attr, base);
                fi_mr_raw_attr.raw_key(attr, MemorySegment.ofAddress(buffer));
                fi_mr_raw_attr.key_size(attr, MemorySegment.ofAddress(length));
                return FidOps.control(handle(), Libfabric.FI_GET_RAW_MR(), attr.address());
            }
        });
    }

    @Override
    String kind() {
        return "memory region";
    }

    @Override
    int closeRank() {
        return CloseRank.REGION;
    }

    @Override
    void closing() {
        domain.localRegions().remove(memory.address(), descriptor());
    }
}
