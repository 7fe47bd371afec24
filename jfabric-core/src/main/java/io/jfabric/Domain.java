// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.MrMode;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.MemoryAccess;
import io.jfabric.option.MemoryRegionAttributes;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A device of a fabric, or a part of one (fi_domain(3)). Opens everything that moves data.
 *
 * <p>Opening is thread-safe. How the opened objects may be shared between threads is negotiated:
 * {@code info().domain().threading()}.
 */
public sealed interface Domain extends FabricObject permits DomainImpl {
    /**
     * The fabric this domain belongs to.
     *
     * @return the fabric
     */
    Fabric fabric();

    /**
     * What the domain was opened with.
     *
     * @return a copy of the info, which lives as long as the domain and cannot be changed
     */
    FabricInfo info();

    /**
     * Has events of the domain, and of what is opened from it, reported to an event queue ({@code fi_domain_bind}).
     * Registrations stay synchronous: {@code FI_REG_MR} is not asked for. The queue must stay open as long as the
     * domain.
     *
     * @param queue a queue of the same fabric
     * @return this
     * @throws FabricException {@code FI_ENOSYS} where the provider has no such events
     * @throws IllegalStateException if a queue is bound already
     */
    Domain bind(EventQueue queue);

    /**
     * Opens an address vector of the kind the provider prefers.
     *
     * @return the address vector
     * @throws FabricException if the provider cannot open it
     */
    AddressVector openAddressVector();

    /**
     * Opens an address vector ({@code fi_av_open}).
     *
     * @param attributes kind, size and name
     * @return the address vector
     * @throws IllegalArgumentException if a number of the attributes is out of its range
     * @throws FabricException if the provider cannot open it, such as one of that kind or name
     */
    AddressVector openAddressVector(AddressVectorAttributes attributes);

    /**
     * Opens a completion queue of the provider's default size, for polling.
     *
     * @param format what to report
     * @return the queue
     * @throws FabricException if the provider cannot open it
     */
    CompletionQueue openCompletionQueue(CompletionFormat format);

    /**
     * Opens a completion queue ({@code fi_cq_open}).
     *
     * @param attributes format, size and wait object
     * @return the queue
     * @throws IllegalArgumentException if the size is out of its range
     * @throws FabricException if the provider cannot open it; {@code FI_ENOSYS} or {@code FI_EINVAL} where it does not
     *     have the wait object: the message says which one works
     */
    CompletionQueue openCompletionQueue(CompletionQueueAttributes attributes);

    /**
     * Opens an endpoint ({@code fi_endpoint}). It can be used once its queues and addresses are bound and it is
     * enabled. Threading, progress, resource management and the type of address vectors are those of the domain,
     * whatever the info says.
     *
     * @param endpointInfo what to open, also the info of a {@link FabricEvent.ConnectionRequest}, once; not needed
     *     afterwards
     * @return the endpoint
     * @throws IllegalArgumentException if the info is for another provider or fabric, or has a capability that the
     *     domain was opened without
     * @throws IllegalStateException if the info is that of a connection request that is answered already
     * @throws FabricException if the provider cannot open it, such as {@code FI_EADDRINUSE} for a source address that
     *     is in use
     */
    Endpoint openEndpoint(FabricInfo endpointInfo);

    /**
     * Opens an endpoint with provider-specific flags ({@code fi_endpoint2}); see {@link #openEndpoint(FabricInfo)}.
     *
     * @param endpointInfo what to open; not needed afterwards
     * @param flags as the provider documents them; 0 for none
     * @return the endpoint
     * @throws IllegalArgumentException as for {@link #openEndpoint(FabricInfo)}
     * @throws IllegalStateException as for {@link #openEndpoint(FabricInfo)}
     * @throws FabricException as for {@link #openEndpoint(FabricInfo)}; {@code FI_ENOSYS} if there are flags and the
     *     provider knows none
     */
    Endpoint openEndpoint(FabricInfo endpointInfo, long flags);

    /**
     * Opens an endpoint that takes over the address of a passive endpoint, to connect from there
     * ({@code fi_info.handle}, fi_endpoint(3)).
     *
     * @param endpointInfo what to open; not needed afterwards
     * @param passive an endpoint that is not listening, and will not be able to afterwards
     * @return the endpoint
     * @throws IllegalStateException if it listens, or another endpoint was opened from it
     */
    Endpoint openEndpoint(FabricInfo endpointInfo, PassiveEndpoint passive);

    /**
     * Finds what this open domain offers ({@code fi_getinfo} with {@code fi_domain_attr.domain}).
     *
     * @param hints what is asked for; null for everything there is
     * @return the matches, best first; to be closed
     * @throws FabricException {@code FI_ENODATA} if nothing matches
     */
    FabricInfoList offers(@Nullable Hints hints);

    /**
     * Opens an endpoint with several transmit and receive contexts ({@code fi_scalable_ep}).
     *
     * @param endpointInfo what to open, with the numbers of contexts; not needed afterwards
     * @return the endpoint
     * @throws FabricException if the provider cannot open it, such as {@code FI_ENOSYS} where it has none
     */
    ScalableEndpoint openScalableEndpoint(FabricInfo endpointInfo);

    /**
     * Opens a transmit context for several endpoints ({@code fi_stx_context}).
     *
     * @param endpointInfo its transmit attributes are used; not needed afterwards
     * @return the context
     * @throws FabricException {@code FI_ENOSYS} where the provider has none, and on {@code sockets}, which crashes with
     *     them
     */
    SharedTransmitContext openSharedTransmitContext(FabricInfo endpointInfo);

    /**
     * Opens a receive context for several endpoints ({@code fi_srx_context}).
     *
     * @param endpointInfo its receive attributes are used; not needed afterwards
     * @return the context
     * @throws FabricException if the provider cannot open it, such as {@code FI_ENOSYS} where it has none
     */
    SharedReceiveContext openSharedReceiveContext(FabricInfo endpointInfo);

    /**
     * Opens a counter of completions.
     *
     * @return the counter
     * @throws FabricException if the provider cannot open it, such as {@code FI_ENOSYS} where it has no counters
     */
    Counter openCounter();

    /**
     * Opens a counter ({@code fi_cntr_open}).
     *
     * @param attributes what to count and how to wait
     * @return the counter
     * @throws FabricException if the provider cannot open it; {@code FI_ENOSYS} or {@code FI_EINVAL} where it does not
     *     have the wait object, in which case the message says which one works; {@code FI_ENOSYS} for
     *     {@link io.jfabric.option.WaitObject#FD} where counters with it would make the provider hang, and for bytes
     *     where libfabric is too old to count them
     */
    Counter openCounter(CounterAttributes attributes);

    /**
     * Opens the provider's own counts for this domain ({@code fi_profile_open}, libfabric 2).
     *
     * @return the profile
     * @throws FabricException {@code FI_ENOSYS} where library or provider has none
     */
    Profile openProfile();

    /**
     * Opens the provider's own counts for an endpoint ({@code fi_profile_open}, libfabric 2).
     *
     * @param endpoint an endpoint of this domain
     * @return the profile
     * @throws FabricException {@code FI_ENOSYS} where library or provider has none
     */
    Profile openProfile(Endpoint endpoint);

    /**
     * Registers memory ({@code fi_mr_reg}) with a key the provider or jfabric chooses.
     *
     * @param memory native memory; stays reachable until the region is closed
     * @param first one right
     * @param others more rights
     * @return the region
     * @throws IllegalArgumentException if the memory is on the heap or has 0 bytes, or is read-only and a right has the
     *     provider write to it
     * @throws IllegalStateException if the arena of the memory is closed
     * @throws WrongThreadException if the memory is confined to another thread
     * @throws FabricException if the provider refuses it, such as {@code FI_ENOMEM} where no more memory may be locked
     */
    MemoryRegion register(MemorySegment memory, MemoryAccess first, MemoryAccess... others);

    /**
     * Registers memory ({@code fi_mr_reg}) with a key the application chooses; ignored where the provider chooses
     * keys ({@link MrMode#PROV_KEY}).
     *
     * @param memory native memory; stays reachable until the region is closed
     * @param requestedKey the key; not -1, which stands for none ({@code FI_KEY_NOTAVAIL}). jfabric takes those from
     *     2<sup>31</sup> up to 2<sup>32</sup> - 1 for regions without a requested key, its own hidden ones among them,
     *     beginning at any; the upper half of what there is where keys have less than four bytes ({@code mrKeySize}).
     *     A process that takes the same keys when it is started again gives them to peers that still have the old ones
     * @param first one right
     * @param others more rights
     * @return the region
     * @throws IllegalArgumentException if the key is -1 and not ignored, and as for
     *     {@link #register(MemorySegment, MemoryAccess, MemoryAccess...)}
     * @throws IllegalStateException if the arena of the memory is closed
     * @throws WrongThreadException if the memory is confined to another thread
     * @throws FabricException if the provider refuses it, such as {@code FI_ENOKEY} for a key that is in use,
     *     perhaps by jfabric
     */
    MemoryRegion register(MemorySegment memory, long requestedKey, MemoryAccess first,
            MemoryAccess... others);

    /**
     * Registers several buffers as one region ({@code fi_mr_regv}), at most as many as the domain's
     * {@code mrIovLimit}. Peers reach each by {@link MemoryRegion#remote(int)}.
     *
     * @param memory native memory; stays reachable until the region is closed
     * @param first one right
     * @param others more rights
     * @return the region
     * @throws IllegalArgumentException if there are no buffers or more than the provider takes, and as for
     *     {@link #register(MemorySegment, MemoryAccess, MemoryAccess...)}
     * @throws IllegalStateException if the arena of a buffer is closed
     * @throws WrongThreadException if a buffer is confined to another thread
     * @throws FabricException if the provider refuses it
     */
    MemoryRegion register(List<MemorySegment> memory, MemoryAccess first, MemoryAccess... others);

    /**
     * Registers memory with all there is to say about it ({@code fi_mr_regattr}): flags, device memory, authorisation.
     *
     * @param attributes what to register, and how
     * @return the region
     * @throws IllegalArgumentException as for {@link #register(MemorySegment, long, MemoryAccess, MemoryAccess...)} and
     *     {@link #register(List, MemoryAccess, MemoryAccess...)}; or if the memory is a DMA-buf, and the attributes do
     *     not say of which device
     * @throws IllegalStateException if the arena of a buffer is closed
     * @throws WrongThreadException if a buffer is confined to another thread
     * @throws FabricException if the provider refuses it; {@code FI_ENOSYS} for what the loaded libfabric is too old
     *     for; {@code FI_EOPNOTSUPP} for a DMA-buf, if the domain was opened without
     *     {@link io.jfabric.info.Capability#HMEM}
     */
    MemoryRegion register(MemoryRegionAttributes attributes);

    /**
     * Opens an arena whose memory cannot be freed while operations of this domain use it, and is registered if the
     * provider demands that. This is the memory to use with jfabric.
     *
     * @return the arena
     */
    FabricArena openArena();

    /**
     * Prepares a peer's region for use: maps its key if it is a raw one ({@code fi_mr_map_raw}). Not needed, as the
     * first operation on the region does it, but that one then takes longer.
     *
     * @param region the peer's region
     */
    void mapKey(RemoteRegion region);

    /**
     * Releases what {@link #mapKey} or the first use of a peer's region took ({@code fi_mr_unmap_key}); closing
     * the domain does so for all. No operation on the region, or on a slice of it, may be under way.
     *
     * @param region the peer's region
     */
    void unmapKey(RemoteRegion region);

    /**
     * What the domain's endpoints can do atomically ({@code fi_query_atomic}).
     *
     * @param form the form
     * @param type the type
     * @param op the operation
     * @return limits and sizes; empty if they cannot do it
     * @throws IllegalArgumentException for {@code VOID} and {@code NOOP}, which are for collective operations only
     */
    Optional<AtomicAttributes> queryAtomic(AtomicForm form, Datatype type, AtomicOp op);

    /**
     * What the domain's endpoints have done so far, and what is open and registered. Works on a closed domain too.
     * Thread-safe.
     *
     * @return a snapshot
     */
    DomainStatistics statistics();
}
