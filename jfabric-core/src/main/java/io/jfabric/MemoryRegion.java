// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Flags;
import io.jfabric.info.MrMode;
import io.jfabric.internal.memory.MemoryRegionImpl;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.MemoryRegionAttributes;
import io.jfabric.option.MemoryRegionFlag;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Registered memory (fi_mr(3)): for remote access by peers that have {@link #remote()}, and for local use if the
 * provider demands it. The region keeps the memory reachable until it is closed. A {@link FabricArena} cannot be closed
 * before; do not close any other arena before. What keeps peers from other memory is up to the provider, see
 * {@link RemoteRegion}.
 *
 * <p>Closing a region does not end accesses that peers have begun. Providers in software (tcp and those above it,
 * sockets, udp;ofi_rxd) continue a large write to the memory, or a large read from it, until it is complete or the
 * endpoint is closed. An access that begins later need not fail either: between processes shm carries it out, inside a
 * process it does so or may hold up all that its sender does with this peer, and with tcp a read or write breaks the
 * connection: what else is under way fails, and messages are lost whose sends succeed. So register memory for peers
 * once, and do not use it for anything else before they have said that they are done. Memory of a {@link FabricArena}
 * has no other owner before that; memory of any other arena must be kept until the endpoints of the domain are closed.
 *
 * <p>Thread-safe.
 */
public sealed interface MemoryRegion extends FabricObject permits MemoryRegionImpl {
    /**
     * Ends the registration ({@code fi_close}). Only when all peers have said that they are done with the region: see
     * above for what happens otherwise. Waits and fails as {@link FabricObject#close()} does.
     *
     * <p>Where the provider demands registered memory for local operations ({@link MrMode#LOCAL}, or
     * {@link MrMode#HMEM} for a device's), an operation under way may use this registration, and keeps the region open:
     * until its completion is read, or its endpoint or the domain is closed. That is not so for memory of the domain's
     * own arenas ({@link Domain#openArena()}), which has a registration besides. Where an operation reports no
     * completion, only closing the endpoint ends that use. Of endpoints with raw contexts jfabric knows no operations:
     * the program must know when they are over.
     *
     * @throws FabricException {@code FI_EBUSY} if an operation, or something else, still uses it
     */
    @Override
    void close();

    /**
     * The memory.
     *
     * @return what was registered, the first buffer if it was several; {@link MemorySegment#NULL} for a DMA-buf
     */
    MemorySegment memory();

    /**
     * All of the memory.
     *
     * @return what was registered, in order; empty for a DMA-buf
     */
    List<MemorySegment> buffers();

    /**
     * The size of the region, all buffers together.
     *
     * @return in bytes
     */
    long byteSize();

    /**
     * What the memory was registered for.
     *
     * @return the rights
     */
    Flags<MemoryAccess> access();

    /**
     * What peers need to reach this memory. Send them {@link RemoteRegion#toBytes()}.
     *
     * @return the region, as the provider addresses it
     * @throws IllegalStateException if the region has no key yet: where the provider has {@link MrMode#ENDPOINT},
     *     {@link #bind(Endpoint)} and {@link #enable()} it first; or if its buffers have no common addresses, or each
     *     a key of its own: use {@link #remote(int)}
     */
    RemoteRegion remote();

    /**
     * What peers need to reach one buffer of a region of several.
     *
     * @param index which buffer, from 0
     * @return the region of that buffer alone
     * @throws IndexOutOfBoundsException if there is no such buffer
     * @throws IllegalStateException if the region has no key yet, as for {@link #remote()}, or the arena of the memory
     *     is closed
     */
    RemoteRegion remote(int index);

    /**
     * The key that peers need ({@code fi_mr_key}); where each buffer has one, that of the first.
     *
     * @return the key; -1 ({@code FI_KEY_NOTAVAIL}) where it is longer than 64 bits, see {@link #rawKey()}, or where
     *     the region is not enabled yet
     */
    long key();

    /**
     * What local operations pass to the provider ({@code fi_mr_desc}). jfabric does so by itself.
     *
     * @return the descriptor, 0 for none
     */
    long descriptor();

    /**
     * The key of providers whose keys are longer than 64 bits ({@code fi_mr_raw_attr}).
     *
     * @return the key, with the base address that belongs to it
     * @throws FabricException {@code FI_ENOSYS} from other providers
     */
    RemoteRegion.Raw rawKey();

    /**
     * Binds the region to the endpoint through which peers will reach it ({@code fi_mr_bind}), which providers with
     * {@link MrMode#ENDPOINT} ask for; does nothing elsewhere, so that portable programs can always do it. To be
     * followed by {@link #enable()}. {@link Endpoint#register} does both.
     *
     * @param endpoint the endpoint
     * @return this
     */
    MemoryRegion bind(Endpoint endpoint);

    /**
     * Lets a counter count what peers write to this memory ({@code fi_mr_bind} with {@code FI_REMOTE_WRITE}). Where
     * the provider has {@link MrMode#RMA_EVENT}, register with {@link MemoryRegionFlag#RMA_EVENT} and
     * {@link #enable()} the region after this.
     *
     * @param counter the counter
     * @return this
     */
    MemoryRegion bind(Counter counter);

    /**
     * Opens the region for use ({@code fi_mr_enable}) where the provider makes regions closed ({@link MrMode#ENDPOINT},
     * {@link MrMode#RMA_EVENT}); does nothing elsewhere.
     *
     * @return this
     */
    MemoryRegion enable();

    /**
     * Registers a part of this region, with rights of its own ({@code fi_mr_attr.base_mr}, libfabric 2.0). Closing this
     * region closes its parts.
     *
     * @param attributes which part, and with which rights
     * @return the part
     * @throws IllegalArgumentException if it is not inside this region
     * @throws FabricException {@code FI_ENOSYS} where the library or provider lacks it
     */
    MemoryRegion registerPart(MemoryRegionAttributes attributes);

    /**
     * Tells the provider that the pages behind the memory may have changed ({@code fi_mr_refresh}).
     *
     * @throws FabricException {@code FI_ENOSYS} from providers that need not be told
     */
    void refresh();

    /**
     * Tells the provider that the pages behind parts of the memory may have changed ({@code fi_mr_refresh}).
     *
     * @param parts the parts
     * @throws FabricException {@code FI_ENOSYS} from providers that need not be told
     */
    void refresh(List<MemorySegment> parts);
}
