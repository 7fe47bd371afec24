// SPDX-License-Identifier: Apache-2.0
package io.jfabric.option;

import io.jfabric.info.Flags;
import io.jfabric.internal.ffi.Arguments;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
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
    private Flags<MemoryAccess> access = Flags.ofBits(MemoryAccess.class, 0);
    private boolean keyRequested;
    private long requestedKey;
    private byte[] authKey = new byte[0];
    private HmemInterface iface = HmemInterface.SYSTEM;
    private long device;
    private long pageSize;
    private long subRegions;
    private Flags<MemoryRegionFlag> flags = Flags.ofBits(MemoryRegionFlag.class, 0);

    private MemoryRegionAttributes(List<MemorySegment> memory, Dmabuf dmabuf) {
        this.memory = memory;
        this.dmabuf = dmabuf;
    }

    private MemoryRegionAttributes copy() {
        MemoryRegionAttributes c = new MemoryRegionAttributes(memory, dmabuf);
        c.access = access;
        c.keyRequested = keyRequested;
        c.requestedKey = requestedKey;
        c.authKey = authKey;
        c.iface = iface;
        c.device = device;
        c.pageSize = pageSize;
        c.subRegions = subRegions;
        c.flags = flags;
        return c;
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
        return new MemoryRegionAttributes(List.copyOf(all), null);
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
        MemoryRegionAttributes a = new MemoryRegionAttributes(List.of(), new Dmabuf(fd, offset, length, base));
        a.flags = a.flags.with(MemoryRegionFlag.DMABUF);
        return a;
    }

    /**
     * Changes what the memory may be used for.
     *
     * @param rights all that are granted; none for no rights
     * @return new attributes
     */
    public MemoryRegionAttributes withAccess(MemoryAccess... rights) {
        MemoryRegionAttributes c = copy();
        c.access = Flags.of(MemoryAccess.class, Arguments.all("MemoryRegionAttributes.withAccess", "a right", rights));
        return c;
    }

    /**
     * Asks for a key; without this jfabric picks one. Ignored where the provider chooses keys
     * ({@link io.jfabric.info.MrMode#PROV_KEY}).
     *
     * @param key the key, unique within the domain; registration refuses -1, which stands for none
     *     ({@code FI_KEY_NOTAVAIL})
     * @return new attributes
     */
    public MemoryRegionAttributes withRequestedKey(long key) {
        MemoryRegionAttributes c = copy();
        c.keyRequested = true;
        c.requestedKey = key;
        return c;
    }

    /**
     * Restricts the region to endpoints with an authorisation key.
     *
     * @param key the key; empty for the domain's
     * @return new attributes
     */
    public MemoryRegionAttributes withAuthKey(byte[] key) {
        MemoryRegionAttributes c = copy();
        c.authKey = Arguments.given(key, "withAuthKey", "the key").clone();
        return c;
    }

    /**
     * Says whose memory it is. Honoured where the capability {@code HMEM} was granted.
     *
     * @param newInterface the interface that allocated it
     * @param newDevice the device's number, as the interface counts; see {@link HmemInterface}
     * @return new attributes
     */
    public MemoryRegionAttributes withDevice(HmemInterface newInterface, long newDevice) {
        MemoryRegionAttributes c = copy();
        c.iface = Objects.requireNonNull(newInterface, "newInterface");
        c.device = newDevice;
        return c;
    }

    /**
     * Suggests a page size (libfabric 1.22).
     *
     * @param bytes one that the system supports; 0 for the provider's choice
     * @return new attributes
     */
    public MemoryRegionAttributes withPageSize(long bytes) {
        MemoryRegionAttributes c = copy();
        c.pageSize = bytes;
        return c;
    }

    /**
     * Announces parts of this region (libfabric 2.0).
     *
     * @param count how many to expect
     * @return new attributes
     */
    public MemoryRegionAttributes withSubRegions(long count) {
        MemoryRegionAttributes c = copy();
        c.subRegions = count;
        return c;
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
        MemoryRegionAttributes c = copy();
        c.flags = Flags.ofBits(MemoryRegionFlag.class,
                dmabuf == null ? bits : bits | MemoryRegionFlag.DMABUF.code());
        return c;
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
        return keyRequested ? OptionalLong.of(requestedKey) : OptionalLong.empty();
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

    /** All but the bytes of the authorisation key, which is a secret. */
    @Override
    public String toString() {
        return "MemoryRegionAttributes[" + (dmabuf == null ? "buffers=" + memory : "dmabuf=" + dmabuf) + ", access="
                + access + ", requestedKey=" + (keyRequested ? requestedKey : "any") + ", authKey=" + authKey.length
                + " bytes, hmemInterface=" + iface + ", device=" + device + ", pageSize=" + pageSize
                + ", subRegions=" + subRegions + ", flags=" + flags + "]";
    }
}
