// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import io.jfabric.AtomicOp;
import io.jfabric.CheckReturnValue;
import io.jfabric.Datatype;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.FabricEvent;
import io.jfabric.FabricException;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.collective.CollectivesImpl;
import io.jfabric.internal.endpoint.EndpointImpl;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Operations that all endpoints of a {@link CollectiveGroup} take part in (fi_collective(3)). From
 * {@link #of(Endpoint)}.
 *
 * <p>Every member must start the same operations in the same order. Each method returns false where the provider is
 * busy ({@code -FI_EAGAIN}); the completion comes with the context. Buffers are native memory, belong to the provider
 * until then, and hold whole elements: their sizes say how many. {@code root} is an address of the set; libfabric's
 * own software collectives take it as the position in the set.
 *
 * <p>{@code tcp;ofi_rxm} loses messages that are too long for its eager buffers (16 KiB), so operations that would send
 * such are refused with {@code FI_EMSGSIZE}; the text names the largest number of elements.
 * {@link io.jfabric.async.Group} has no such limit, and all operations on every provider.
 *
 * <p>Errors: {@link FabricException} from the provider ({@code FI_ENOSYS} for what it does not have),
 * {@link IllegalArgumentException} for buffers of the wrong size, and results of reductions that do not lie at a
 * multiple of what their type needs, as with atomics. Threads: see {@link Endpoint}.
 */
public sealed interface Collectives permits CollectivesImpl {
    /**
     * The collective operations of an endpoint.
     *
     * @param endpoint has a completion queue for what it transmits and, to join groups, an event queue
     * @return the operations
     */
    static Collectives of(Endpoint endpoint) {
        return new CollectivesImpl((EndpointImpl) Objects.requireNonNull(endpoint, "endpoint"));
    }

    /**
     * Asks whether a provider can do a collective operation that combines ({@code fi_query_collective}).
     *
     * @param domain the domain of the endpoints
     * @param operation the operation
     * @param type of the elements
     * @param reduction how to combine; ignored for operations that do not
     * @return its limits; empty if the provider cannot do it
     */
    static Optional<CollectiveAttributes> query(Domain domain, CollectiveOperation operation, Datatype type,
            AtomicOp reduction) {
        return CollectivesImpl.query(domain, operation, type, reduction);
    }

    /**
     * Asks whether a provider can do a collective operation that does not combine ({@code fi_query_collective}).
     *
     * @param domain the domain of the endpoints
     * @param operation such as a barrier
     * @return its limits; empty if the provider cannot do it
     */
    static Optional<CollectiveAttributes> query(Domain domain, CollectiveOperation operation) {
        return query(domain, operation, Datatype.UINT8, AtomicOp.NOOP);
    }

    /**
     * Joins the endpoints of a set to a group ({@code fi_join_collective}). Returns at once; the group can be used
     * when the bound event queue delivers {@link FabricEvent.JoinComplete}. Poll the completion queue meanwhile, as
     * this drives the join. The endpoint must be enabled, have an event queue and a completion queue for what it
     * transmits, and its own address must be in the set.
     *
     * <p>All endpoints of the set must call it. Before libfabric 1.18 so must all others that the address vector had
     * when its first set was opened, each with a set that it is in: the join waits for them, too.
     *
     * <p>libfabric's own software collectives count these joins where the set is (before 1.18 where the address vector
     * is): while one endpoint that has joined by it is open, another one needs a set (a vector) of its own.
     *
     * <p>Libfabric's own collectives have 255 numbers for groups. What the members of a group have joined together,
     * with others too, must not be more: two groups may have one number then, and mix. So may the joins of two groups
     * that overlap and have no parent in common (since 1.18): let all their members complete the one before any begins
     * the other, or join both out of a group of all.
     *
     * @param set the members, the same at each of them; must stay open and unchanged
     * @param context comes back in the event
     * @return the group
     * @throws FabricException {@code FI_ENOSPC} if the endpoint has joined 255 groups: libfabric's own collectives have
     *     numbers for no more
     * @throws IllegalStateException if another endpoint has joined by the set, or another join of this endpoint is not
     *     complete yet
     */
    CollectiveGroup join(AddressVectorSet set, long context);

    /**
     * Joins some of the members of a group to a group of their own ({@code fi_join_collective}). All members of the
     * parent must call it, as they agree on a number: those outside the new group with a set of their own, perhaps of
     * themselves alone. Otherwise nobody's join completes. In everything else as
     * {@link #join(AddressVectorSet, long)}.
     *
     * @param set the members of the new group, this endpoint among them
     * @param parent a group that this endpoint has joined; null for none, which is
     *        {@link #join(AddressVectorSet, long)}
     * @param context comes back in the event
     * @return the group
     */
    CollectiveGroup join(AddressVectorSet set, @Nullable CollectiveGroup parent, long context);

    /**
     * Waits for all: completes when every member has started it ({@code fi_barrier}).
     *
     * @param group the group
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    @CheckReturnValue
    boolean barrier(CollectiveGroup group, long context);

    /**
     * Waits for all, with flags ({@code fi_barrier2}, libfabric 1.17).
     *
     * @param group the group
     * @param flags of the operation, but not {@link OperationFlag#PEER_TRANSFER}; none is the same as
     *     {@link #barrier(CollectiveGroup, long)}
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    @CheckReturnValue
    boolean barrier(CollectiveGroup group, Flags<OperationFlag> flags, long context);

    /**
     * Sends the root's buffer to all ({@code fi_broadcast}).
     *
     * @param group the group
     * @param buffer the data, at the others room for it
     * @param root the member that has the data
     * @param type of the elements
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    @CheckReturnValue
    boolean broadcast(CollectiveGroup group, MemorySegment buffer, long root, Datatype type, long context);

    /**
     * Combines the buffers of all, element by element, and gives the result to all ({@code fi_allreduce}).
     *
     * @param group the group
     * @param buffer this member's elements
     * @param result room for as many
     * @param type of the elements
     * @param reduction how to combine
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    @CheckReturnValue
    boolean allReduce(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp reduction, long context);

    /**
     * Gives the buffers of all to all ({@code fi_allgather}).
     *
     * @param group the group
     * @param buffer this member's elements
     * @param result room for the elements of all, in the order of the set
     * @param type of the elements
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    @CheckReturnValue
    boolean allGather(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            long context);

    /**
     * Gives to each member a part of the buffer of each ({@code fi_alltoall}).
     *
     * @param group the group
     * @param buffer this member's elements, as many for each member
     * @param result room for as many as the buffer has
     * @param type of the elements
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    @CheckReturnValue
    boolean allToAll(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            long context);

    /**
     * Combines the buffers of all and gives each member its part of the result ({@code fi_reduce_scatter}).
     *
     * @param group the group
     * @param buffer this member's elements, as many for each member
     * @param result room for the elements of this member
     * @param type of the elements
     * @param reduction how to combine
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    @CheckReturnValue
    boolean reduceScatter(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp reduction, long context);

    /**
     * Combines the buffers of all and gives the result to the root ({@code fi_reduce}).
     *
     * @param group the group
     * @param buffer this member's elements
     * @param result at the root, room for as many; null elsewhere
     * @param root the member that gets the result
     * @param type of the elements
     * @param reduction how to combine
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    @CheckReturnValue
    boolean reduce(CollectiveGroup group, MemorySegment buffer, @Nullable MemorySegment result, long root,
            Datatype type,
            AtomicOp reduction, long context);

    /**
     * Gives each member its part of the root's buffer ({@code fi_scatter}).
     *
     * @param group the group
     * @param buffer at the root, the elements for all in the order of the set; null elsewhere
     * @param result room for the elements of this member
     * @param root the member that has the data; it must have the buffer
     * @param type of the elements
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    @CheckReturnValue
    boolean scatter(CollectiveGroup group, @Nullable MemorySegment buffer, MemorySegment result, long root,
            Datatype type, long context);

    /**
     * Gives the buffers of all to the root ({@code fi_gather}).
     *
     * @param group the group
     * @param buffer this member's elements
     * @param result at the root, room for the elements of all; null elsewhere
     * @param root the member that gets the data
     * @param type of the elements
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    @CheckReturnValue
    boolean gather(CollectiveGroup group, MemorySegment buffer, @Nullable MemorySegment result, long root,
            Datatype type,
            long context);
}
