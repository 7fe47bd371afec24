// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.bindings.Libfabric;
import io.jfabric.bindings.fi_mr_attr;
import io.jfabric.bindings.fi_mr_modify;
import io.jfabric.bindings.fi_mr_raw_attr;
import io.jfabric.bindings.fid_mr;
import io.jfabric.ffi.FidOps;
import io.jfabric.ffi.Memory;
import io.jfabric.info.Flags;
import io.jfabric.info.MrMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Memory that a provider knows (fi_mr(3)): for remote access by peers that have {@link #remote()}, and for local use
 * where the provider demands it. Keeps the memory reachable until it is closed; do not close its arena before.
 * Thread-safe.
 */
public final class MemoryRegion extends FabricObject {
    private static final long NO_KEY = Libfabric.FI_KEY_NOTAVAIL();

    private final Domain domain;
    private final List<MemorySegment> buffers;
    private final MemoryRegionAttributes.Dmabuf dmabuf;
    private final long access;
    private final long byteSize;
    private boolean bound;

    MemoryRegion(Domain domain, FabricObject parent, long handle, List<MemorySegment> buffers,
            MemoryRegionAttributes.Dmabuf dmabuf, long access) {
        super(parent, handle);
        this.domain = domain;
        this.buffers = buffers;
        this.dmabuf = dmabuf;
        this.access = access;
        this.byteSize = dmabuf != null ? dmabuf.length()
                : buffers.stream().mapToLong(MemorySegment::byteSize).sum();
        for (MemorySegment buffer : described()) {
            domain.localRegions().add(buffer.address(), buffer.byteSize(), descriptor());
        }
    }

    /**
     * The memory.
     *
     * @return what was registered, the first buffer if it was several; {@link MemorySegment#NULL} for a DMA-buf
     */
    public MemorySegment memory() {
        return buffers.isEmpty() ? MemorySegment.NULL : buffers.getFirst();
    }

    /**
     * All of the memory.
     *
     * @return what was registered, in order; empty for a DMA-buf
     */
    public List<MemorySegment> buffers() {
        return buffers;
    }

    /**
     * The size of the region, all buffers together.
     *
     * @return in bytes
     */
    public long byteSize() {
        return byteSize;
    }

    /**
     * What the memory was registered for.
     *
     * @return the rights
     */
    public Flags<MemoryAccess> access() {
        return Flags.ofBits(MemoryAccess.class, access);
    }

    /**
     * What peers need to reach this memory. Send them {@link RemoteRegion#toBytes()}.
     *
     * @return the region, as the provider addresses it
     * @throws IllegalStateException if the region has no key yet: where the provider has {@link MrMode#ENDPOINT},
     *     {@link #bind(Endpoint)} and {@link #enable()} it first; or if its buffers have no common addresses, see
     *     {@link #remote(int)}
     */
    public RemoteRegion remote() {
        if (buffers.size() > 1 && domain.requires(MrMode.VIRT_ADDR)) {
            throw new IllegalStateException("remote: provider " + domain.info().provider() + " uses virtual "
                    + "addresses, and those of " + buffers.size() + " buffers are no one range; use remote(index)");
        }
        return remote(base(), byteSize);
    }

    /**
     * What peers need to reach one buffer of a region of several.
     *
     * @param index which buffer, from 0
     * @return the region of that buffer alone
     */
    public RemoteRegion remote(int index) {
        MemorySegment buffer = buffers.get(index);
        long before = buffers.subList(0, index).stream().mapToLong(MemorySegment::byteSize).sum();
        return remote(domain.requires(MrMode.VIRT_ADDR) ? buffer.address() : before, buffer.byteSize());
    }

    private RemoteRegion remote(long base, long length) {
        long key = key();
        if (key != NO_KEY && !domain.requires(MrMode.RAW)) {
            return RemoteRegion.of(base, length, key);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rawBase = arena.allocate(ValueLayout.JAVA_LONG);
            byte[] raw = rawKey(rawBase);
            return RemoteRegion.ofRaw(base, length, rawBase.get(ValueLayout.JAVA_LONG, 0), raw);
        } catch (FabricException e) {
            if (domain.requires(MrMode.RAW)) {
                throw e;
            }
            throw new IllegalStateException("remote: the region has no key yet; bind(endpoint) and enable() it first",
                    e);
        }
    }

    /**
     * The key that peers need ({@code fi_mr_key}).
     *
     * @return the key; -1 ({@code FI_KEY_NOTAVAIL}) where it is longer than 64 bits, see {@link #rawKey()}, or where
     *     the region is not enabled yet
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

    /** The address a peer uses for the first byte. */
    private long base() {
        if (!domain.requires(MrMode.VIRT_ADDR)) {
            return 0;
        }
        return dmabuf == null ? memory().address() : dmabuf.base() + dmabuf.offset();
    }

    /**
     * The key as bytes, for providers whose keys are longer than 64 bits ({@code fi_mr_raw_attr}).
     *
     * @return the key
     */
    public byte[] rawKey() {
        try (Arena arena = Arena.ofConfined()) {
            return rawKey(arena.allocate(ValueLayout.JAVA_LONG));
        }
    }

    private byte[] rawKey(MemorySegment base) {
        return Names.read("fi_mr_raw_attr", (buffer, length) -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment attr = fi_mr_raw_attr.allocate(arena);
                fi_mr_raw_attr.base_addr(attr, base);
                fi_mr_raw_attr.raw_key(attr, MemorySegment.ofAddress(buffer));
                fi_mr_raw_attr.key_size(attr, MemorySegment.ofAddress(length));
                return FidOps.control(handle(), Libfabric.FI_GET_RAW_MR(), attr.address());
            }
        });
    }

    /**
     * Binds the region to the endpoint through which peers will reach it ({@code fi_mr_bind}), which providers with
     * {@link MrMode#ENDPOINT} ask for; does nothing elsewhere, so that portable programs can always do it. To be
     * followed by {@link #enable()}. {@link Endpoint#register} does both.
     *
     * @param endpoint the endpoint
     * @return this
     */
    public MemoryRegion bind(Endpoint endpoint) {
        if (domain.requires(MrMode.ENDPOINT)) {
            bind("fi_mr_bind", endpoint, 0);
            bound = true;
        } else {
            handle();
            endpoint.fid();
        }
        return this;
    }

    /**
     * Lets a counter count what peers write to this memory ({@code fi_mr_bind} with {@code FI_REMOTE_WRITE}). Where
     * the provider has {@link MrMode#RMA_EVENT}, register with {@link MemoryRegionFlag#RMA_EVENT} and
     * {@link #enable()} the region after this.
     *
     * @param counter the counter
     * @return this
     */
    public MemoryRegion bind(Counter counter) {
        bind("fi_mr_bind", counter, Libfabric.FI_REMOTE_WRITE());
        bound = true;
        return this;
    }

    /**
     * Opens the region for use ({@code fi_mr_enable}) where the provider makes regions closed ({@link MrMode#ENDPOINT},
     * {@link MrMode#RMA_EVENT}); does nothing elsewhere.
     *
     * @return this
     */
    public MemoryRegion enable() {
        long mr = handle();
        if (domain.requires(MrMode.ENDPOINT) || domain.requires(MrMode.RMA_EVENT)) {
            check("fi_mr_enable", FidOps.control(mr, Libfabric.FI_ENABLE(), 0),
                    bound ? null : "bind the region to its endpoint first");
        }
        return this;
    }

    /**
     * Tells the provider that the pages behind the memory may have changed ({@code fi_mr_refresh}).
     *
     * @throws FabricException {@code FI_ENOSYS} from providers that need not be told
     */
    public void refresh() {
        refresh(0, 0);
    }

    /**
     * Tells the provider that the pages behind parts of the memory may have changed ({@code fi_mr_refresh}).
     *
     * @param parts the parts
     * @throws FabricException {@code FI_ENOSYS} from providers that need not be told
     */
    public void refresh(IoVector parts) {
        refresh(parts.address("fi_mr_refresh"), parts.count());
    }

    private void refresh(long iov, long count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment modify = fi_mr_modify.allocate(arena);
            MemorySegment attr = fi_mr_modify.attr(modify);
            fi_mr_attr.mr_iov(attr, MemorySegment.ofAddress(iov));
            fi_mr_attr.iov_count(attr, count);
            check("fi_mr_refresh", FidOps.control(handle(), Libfabric.FI_REFRESH(), modify.address()), null);
        }
    }

    @Override
    String kind() {
        return "memory region";
    }

    @Override
    int closeRank() {
        // an endpoint that a region is bound to cannot be closed before it
        return bound ? CloseRank.BOUND_REGION : CloseRank.REGION;
    }

    /** The buffers whose descriptors local operations will look for. */
    private List<MemorySegment> described() {
        return domain.wantsDescriptors() ? buffers : List.of();
    }

    @Override
    void closing() {
        for (MemorySegment buffer : described()) {
            domain.localRegions().remove(buffer.address(), buffer.byteSize(), descriptor());
        }
    }
}
