// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.info.Flags;
import io.jfabric.internal.ffi.Arguments;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What to register and how ({@code struct fi_mr_attr}, fi_mr(3)). Immutable: each method returns new attributes. What
 * the loaded libfabric is too old for is refused when the region is registered.
 *
 * <pre>{@code
 * domain.register(MemoryRegionAttributes.of(gpuBuffer)
 *         .withDevice(HmemInterface.CUDA, 0)
 *         .withAccess(MemoryAccess.REMOTE_WRITE));
 * }</pre>
 */
public final class MemoryRegionAttributes {
    /**
     * A piece of device memory by its DMA-buf file descriptor ({@code struct fi_mr_dmabuf}).
     *
     * @param fd the DMA-buf's file descriptor
     * @param offset where in the DMA-buf the region starts, in bytes
     * @param length how long the region is, in bytes
     * @param base virtual address of the DMA-buf's first byte; 0 if it is not mapped here
     */
    public record Dmabuf(int fd, long offset, long length, long base) {
    }

    private final List<MemorySegment> memory;
    /** Null unless the memory is a DMA-buf. */
    private final Dmabuf dmabuf;
    private final Flags<MemoryAccess> access;
    private final OptionalLong requestedKey;
    private final byte[] authKey;
    private final HmemInterface iface;
    private final long device;
    private final long pageSize;
    private final long subRegions;
    private final Flags<MemoryRegionFlag> flags;

    private MemoryRegionAttributes(List<MemorySegment> memory, Dmabuf dmabuf, Flags<MemoryAccess> access,
            OptionalLong requestedKey, byte[] authKey, HmemInterface iface, long device, long pageSize,
            long subRegions, Flags<MemoryRegionFlag> flags) {
        this.memory = memory;
        this.dmabuf = dmabuf;
        this.access = access;
        this.requestedKey = requestedKey;
        this.authKey = authKey;
        this.iface = iface;
        this.device = device;
        this.pageSize = pageSize;
        this.subRegions = subRegions;
        this.flags = flags;
    }

    private static MemoryRegionAttributes of(List<MemorySegment> memory, Dmabuf dmabuf, long flags) {
        return new MemoryRegionAttributes(memory, dmabuf, Flags.ofBits(MemoryAccess.class, 0), OptionalLong.empty(),
                new byte[0], HmemInterface.SYSTEM, 0, 0, 0, Flags.ofBits(MemoryRegionFlag.class, flags));
    }

    /**
     * Memory of this process, or of a device that gives out addresses.
     *
     * @param first native memory; stays reachable until the region is closed
     * @param others more, where the provider takes several buffers for one region ({@code mrIovLimit})
     * @return attributes without any rights yet
     */
    public static MemoryRegionAttributes of(MemorySegment first, MemorySegment... others) {
        List<MemorySegment> all = new ArrayList<>();
        all.add(Arguments.given(first, "MemoryRegionAttributes.of", "the first buffer"));
        all.addAll(Arguments.all("MemoryRegionAttributes.of", "a buffer", others));
        all.forEach(segment -> {
            if (segment.byteSize() == 0) {
                throw new IllegalArgumentException("MemoryRegionAttributes.of: a buffer of 0 bytes cannot be "
                        + "registered");
            }
        });
        return of(List.copyOf(all), null, 0);
    }

    /**
     * Device memory that is shared as a DMA-buf ({@code FI_MR_DMABUF}, libfabric 1.20). Few providers take it. The
     * domain must have {@link io.jfabric.info.Capability#HMEM}, and {@link #withDevice} has to say whose memory it is.
     *
     * @param fd the DMA-buf's file descriptor
     * @param offset where in the DMA-buf the region starts, in bytes
     * @param length how long the region is, in bytes
     * @param base virtual address of the DMA-buf's first byte; 0 if it is not mapped here
     * @return attributes without any rights yet
     */
    public static MemoryRegionAttributes ofDmabuf(int fd, long offset, long length, long base) {
        if (fd < 0 || offset < 0 || length <= 0) {
            throw new IllegalArgumentException("ofDmabuf: fd " + fd + ", offset " + offset + " and length " + length
                    + " must not be negative, nor the length 0");
        }
        return of(List.of(), new Dmabuf(fd, offset, length, base), MemoryRegionFlag.DMABUF.code());
    }

    /**
     * Changes what the memory may be used for.
     *
     * @param rights all that are granted; none for no rights
     * @return new attributes
     */
    public MemoryRegionAttributes withAccess(MemoryAccess... rights) {
        return new MemoryRegionAttributes(memory, dmabuf,
                Flags.of(MemoryAccess.class, Arguments.all("MemoryRegionAttributes.withAccess", "a right", rights)),
                requestedKey, authKey, iface, device, pageSize, subRegions, flags);
    }

    /**
     * Asks for a key; without this jfabric picks one. Ignored where the provider chooses keys
     * ({@link io.jfabric.info.MrMode#PROV_KEY}).
     *
     * @param key the key, unique within the domain, and not one of those that jfabric picks, as
     *     {@link io.jfabric.Domain#register(java.lang.foreign.MemorySegment, long, MemoryAccess, MemoryAccess...)}
     *     says; registration refuses -1, which stands for none ({@code FI_KEY_NOTAVAIL})
     * @return new attributes
     */
    public MemoryRegionAttributes withRequestedKey(long key) {
        return new MemoryRegionAttributes(memory, dmabuf, access, OptionalLong.of(key), authKey, iface, device,
                pageSize, subRegions, flags);
    }

    /**
     * Restricts the region to endpoints with an authorisation key. No software provider looks at it: there others
     * have access, too.
     *
     * @param key the key; empty for the domain's
     * @return new attributes
     */
    public MemoryRegionAttributes withAuthKey(byte[] key) {
        return new MemoryRegionAttributes(memory, dmabuf, access, requestedKey,
                Arguments.given(key, "withAuthKey", "the key").clone(), iface, device, pageSize, subRegions, flags);
    }

    /**
     * Says whose memory it is. Honoured where the capability {@code HMEM} was granted.
     *
     * @param newInterface the interface that allocated it
     * @param newDevice the device's number, as the interface counts; see {@link HmemInterface}
     * @return new attributes
     */
    public MemoryRegionAttributes withDevice(HmemInterface newInterface, long newDevice) {
        return new MemoryRegionAttributes(memory, dmabuf, access, requestedKey, authKey,
                Objects.requireNonNull(newInterface, "newInterface"), newDevice, pageSize, subRegions, flags);
    }

    /**
     * Suggests a page size (libfabric 1.22).
     *
     * @param bytes one that the system supports; 0 for the provider's choice
     * @return new attributes
     */
    public MemoryRegionAttributes withPageSize(long bytes) {
        return new MemoryRegionAttributes(memory, dmabuf, access, requestedKey, authKey, iface, device, bytes,
                subRegions, flags);
    }

    /**
     * Announces parts of this region (libfabric 2.0).
     *
     * @param count how many to expect
     * @return new attributes
     */
    public MemoryRegionAttributes withSubRegions(long count) {
        return new MemoryRegionAttributes(memory, dmabuf, access, requestedKey, authKey, iface, device, pageSize,
                count, flags);
    }

    /**
     * Changes the flags; {@link MemoryRegionFlag#DMABUF} stays where the memory is a DMA-buf.
     *
     * @param newFlags all others that are set; none for no flags
     * @return new attributes
     * @throws IllegalArgumentException if {@link MemoryRegionFlag#DMABUF} is among them, but the memory is no DMA-buf
     */
    public MemoryRegionAttributes withFlags(MemoryRegionFlag... newFlags) {
        long bits = Flags.of(MemoryRegionFlag.class,
                Arguments.all("MemoryRegionAttributes.withFlags", "a flag", newFlags)).bits();
        // by its bit: an older library does not know it
        if (dmabuf == null && (bits & MemoryRegionFlag.DMABUF.code()) != 0) {
            throw new IllegalArgumentException("withFlags: DMABUF is for attributes of "
                    + "MemoryRegionAttributes.ofDmabuf, these have buffers");
        }
        return new MemoryRegionAttributes(memory, dmabuf, access, requestedKey, authKey, iface, device, pageSize,
                subRegions, Flags.ofBits(MemoryRegionFlag.class,
                        dmabuf == null ? bits : bits | MemoryRegionFlag.DMABUF.code()));
    }

    /**
     * The memory.
     *
     * @return in order; empty for a DMA-buf
     */
    public List<MemorySegment> buffers() {
        return memory;
    }

    /**
     * The DMA-buf.
     *
     * @return empty for memory with addresses
     */
    public Optional<Dmabuf> dmabuf() {
        return Optional.ofNullable(dmabuf);
    }

    /**
     * What the memory may be used for.
     *
     * @return the rights
     */
    public Flags<MemoryAccess> access() {
        return access;
    }

    /**
     * The key asked for.
     *
     * @return empty where jfabric is to pick one
     */
    public OptionalLong requestedKey() {
        return requestedKey;
    }

    /**
     * The authorisation key.
     *
     * @return a copy; empty for the domain's
     */
    public byte[] authKey() {
        return authKey.clone();
    }

    /**
     * Whose memory it is.
     *
     * @return the interface that allocated it
     */
    public HmemInterface hmemInterface() {
        return iface;
    }

    /**
     * The device.
     *
     * @return its number
     */
    public long device() {
        return device;
    }

    /**
     * The page size.
     *
     * @return in bytes; 0 for the provider's choice
     */
    public long pageSize() {
        return pageSize;
    }

    /**
     * The parts announced.
     *
     * @return how many
     */
    public long subRegions() {
        return subRegions;
    }

    /**
     * The flags.
     *
     * @return the flags
     */
    public Flags<MemoryRegionFlag> flags() {
        return flags;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MemoryRegionAttributes a && a.memory.equals(memory)
                && Objects.equals(a.dmabuf, dmabuf) && a.access.equals(access) && a.requestedKey.equals(requestedKey)
                && Arrays.equals(a.authKey, authKey) && a.iface == iface && a.device == device
                && a.pageSize == pageSize && a.subRegions == subRegions && a.flags.equals(flags);
    }

    @Override
    public int hashCode() {
        return Objects.hash(memory, dmabuf, access, requestedKey, Arrays.hashCode(authKey), iface, device, pageSize,
                subRegions, flags);
    }

    /** All but the bytes of the authorisation key, which is a secret. */
    @Override
    public String toString() {
        return "MemoryRegionAttributes[" + (dmabuf == null ? "buffers=" + memory : "dmabuf=" + dmabuf) + ", access="
                + access + ", requestedKey=" + (requestedKey.isPresent() ? requestedKey.getAsLong() : "any")
                + ", authKey=" + authKey.length + " bytes, hmemInterface=" + iface + ", device=" + device
                + ", pageSize=" + pageSize + ", subRegions=" + subRegions + ", flags=" + flags + "]";
    }
}
