// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.ffi.Buffers;
import io.jfabric.ffi.CollectiveOps;
import io.jfabric.ffi.Errno;
import io.jfabric.info.Flags;
import io.jfabric.info.MrMode;
import io.jfabric.info.OperationFlag;
import java.lang.foreign.MemorySegment;

/**
 * Operations that all endpoints of a {@link CollectiveGroup} take part in (fi_collective(3)). From
 * {@link Endpoint#collectives()}.
 *
 * <p>Every member must start the same operations in the same order. Each method returns false where the provider is
 * busy ({@code -FI_EAGAIN}); the completion comes with the context. Buffers are native memory, belong to the provider
 * until then, and hold whole elements: their sizes say how many. {@code root} is an address of the set; libfabric's
 * own software collectives take it as the position in the set.
 *
 * <p>Errors: {@link FabricException} from the provider ({@code FI_ENOSYS} for what it does not have),
 * {@link IllegalArgumentException} for buffers of the wrong size. Threads: see {@link Endpoint}.
 */
public final class Collectives {
    private final Endpoint endpoint;
    private final Domain domain;
    private final boolean software;
    /** For each operation and datatype the reductions that the provider has, and those it was asked about. */
    private final int[] known = new int[CollectiveOperation.values().length * Datatype.values().length];
    private final int[] asked = new int[known.length];

    Collectives(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.domain = endpoint.domain();
        this.software = inSoftware(endpoint);
    }

    /** Whether the collectives are those that libfabric itself makes of tagged messages. */
    static boolean inSoftware(Endpoint endpoint) {
        String provider = endpoint.info().provider();
        return provider.contains("tcp") || provider.contains("rxm") || provider.contains("coll");
    }

    /**
     * Joins the endpoints of a set to a group ({@code fi_join_collective}). Returns at once; the group can be used
     * when the bound event queue delivers {@link FabricEvent.JoinComplete}. Poll the completion queue meanwhile, as
     * this drives the join. The endpoint must be enabled, have an event queue and a completion queue for what it
     * transmits, and its own address must be in the set.
     *
     * @param set the members, the same at each of them; must stay open and unchanged
     * @param context comes back in the event
     * @return the group
     */
    public CollectiveGroup join(AddressVectorSet set, long context) {
        return join(set, null, context);
    }

    /**
     * Joins some of the members of a group to a group of their own ({@code fi_join_collective}). All members of the
     * parent that are in the set must call it.
     *
     * @param set the members of the new group
     * @param parent a group that this endpoint has joined; null for all endpoints of the address vector
     * @param context comes back in the event
     * @return the group
     */
    public CollectiveGroup join(AddressVectorSet set, CollectiveGroup parent, long context) {
        if (!endpoint.hasEventQueue()) {
            throw new IllegalStateException("fi_join_collective: bind an event queue to the endpoint, the completed "
                    + "join is reported there");
        }
        handle("fi_join_collective");
        if (parent != null) {
            parent.use("fi_join_collective", endpoint);
        }
        return CollectiveGroup.join(endpoint, set, parent, context);
    }

    private long handle(String operation) {
        long fid = endpoint.handle();
        if (!endpoint.readyForCollectives()) {
            throw new IllegalStateException(operation + ": the endpoint must be enabled and have a completion queue "
                    + "for TRANSMIT");
        }
        return fid;
    }

    /**
     * Waits for all: completes when every member has started it ({@code fi_barrier}).
     *
     * @param group the group
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean barrier(CollectiveGroup group, long context) {
        long fid = handle("fi_barrier");
        long address = group.use("fi_barrier", endpoint);
        long token = endpoint.transmitToken(context, group);
        long result = CollectiveOps.barrier(fid, address, token);
        return result == 0 || endpoint.refused("fi_barrier", result, token);
    }

    /**
     * Waits for all, with flags ({@code fi_barrier2}, libfabric 1.17).
     *
     * @param group the group
     * @param context comes back in the completion
     * @param flags of the operation; none is the same as {@link #barrier(CollectiveGroup, long)}
     * @return false if the provider is busy
     */
    public boolean barrier(CollectiveGroup group, long context, Flags<OperationFlag> flags) {
        if (flags.isEmpty()) {
            return barrier(group, context);
        }
        long fid = handle("fi_barrier2");
        long address = group.use("fi_barrier2", endpoint);
        long token = endpoint.transmitToken(context, group, ContextSlab.PLAIN, flags.bits());
        long result = CollectiveOps.barrier2(fid, address, flags.bits(), token);
        return result == 0 || endpoint.refused("fi_barrier2", result, token);
    }

    /**
     * Sends the root's buffer to all ({@code fi_broadcast}).
     *
     * @param group the group
     * @param buffer the data, at the others room for it
     * @param root who has the data
     * @param type of the elements
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean broadcast(CollectiveGroup group, MemorySegment buffer, long root, Datatype type, long context) {
        long fid = handle("fi_broadcast");
        long address = group.use("fi_broadcast", endpoint);
        Buffers.writable("fi_broadcast", buffer);
        long count = count("fi_broadcast", buffer, type);
        requireRoot("fi_broadcast", group, root);
        MemorySegment room = buffer;
        Object keep = buffer;
        byte kind = ContextSlab.PLAIN;
        if (software && count % group.size() != 0) {
            PaddedBuffer padded = new PaddedBuffer(buffer, (count / group.size() + 1) * group.size()
                    * type.byteSize());
            room = padded.memory();
            keep = padded;
            kind = ContextSlab.RESOURCES;
        }
        long token = endpoint.transmitToken(context, keep, kind, 0);
        if (token == 0 && kind == ContextSlab.RESOURCES) {
            throw new IllegalArgumentException("fi_broadcast: " + count + " elements are no multiple of "
                    + group.size() + " members, which needs a completion queue without selective completion");
        }
        long result = CollectiveOps.broadcast(fid, room.address(), count, descriptor(room), address, root,
                (int) type.code(), 0, token);
        return result == 0 || endpoint.refused("fi_broadcast", result, token);
    }

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
    public boolean allReduce(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp reduction, long context) {
        long fid = handle("fi_allreduce");
        long address = group.use("fi_allreduce", endpoint);
        long count = count("fi_allreduce", buffer, type);
        requireRoom("fi_allreduce", result, count, type);
        requireReduction(CollectiveOperation.ALLREDUCE, "fi_allreduce", type, reduction);
        long token = endpoint.transmitToken(context, new MemorySegment[] {buffer, result});
        long n = CollectiveOps.allreduce(fid, buffer.address(), count, descriptor(buffer), result.address(),
                descriptor(result), address, (int) type.code(), (int) reduction.code(), 0, token);
        return n == 0 || endpoint.refused("fi_allreduce", n, token);
    }

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
    public boolean allGather(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            long context) {
        long fid = handle("fi_allgather");
        long address = group.use("fi_allgather", endpoint);
        long count = count("fi_allgather", buffer, type);
        requireRoom("fi_allgather", result, Math.multiplyExact(count, group.size()), type);
        long token = endpoint.transmitToken(context, new MemorySegment[] {buffer, result});
        long n = CollectiveOps.allgather(fid, buffer.address(), count, descriptor(buffer), result.address(),
                descriptor(result), address, (int) type.code(), 0, token);
        return n == 0 || endpoint.refused("fi_allgather", n, token);
    }

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
    public boolean allToAll(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            long context) {
        long fid = handle("fi_alltoall");
        long address = group.use("fi_alltoall", endpoint);
        long count = count("fi_alltoall", buffer, type);
        requireRoom("fi_alltoall", result, count, type);
        requireShares("fi_alltoall", count, group);
        long token = endpoint.transmitToken(context, new MemorySegment[] {buffer, result});
        long n = CollectiveOps.alltoall(fid, buffer.address(), count / group.size(), descriptor(buffer),
                result.address(), descriptor(result), address, (int) type.code(), 0, token);
        return n == 0 || endpoint.refused("fi_alltoall", n, token);
    }

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
    public boolean reduceScatter(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp reduction, long context) {
        long fid = handle("fi_reduce_scatter");
        long address = group.use("fi_reduce_scatter", endpoint);
        long count = count("fi_reduce_scatter", buffer, type);
        requireShares("fi_reduce_scatter", count, group);
        requireRoom("fi_reduce_scatter", result, count / group.size(), type);
        requireReduction(CollectiveOperation.REDUCE_SCATTER, "fi_reduce_scatter", type, reduction);
        long token = endpoint.transmitToken(context, new MemorySegment[] {buffer, result});
        long n = CollectiveOps.reduceScatter(fid, buffer.address(), count, descriptor(buffer), result.address(),
                descriptor(result), address, (int) type.code(), (int) reduction.code(), 0, token);
        return n == 0 || endpoint.refused("fi_reduce_scatter", n, token);
    }

    /**
     * Combines the buffers of all and gives the result to the root ({@code fi_reduce}).
     *
     * @param group the group
     * @param buffer this member's elements
     * @param result at the root, room for as many; null elsewhere
     * @param root who gets the result
     * @param type of the elements
     * @param reduction how to combine
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean reduce(CollectiveGroup group, MemorySegment buffer, MemorySegment result, long root, Datatype type,
            AtomicOp reduction, long context) {
        long fid = handle("fi_reduce");
        long address = group.use("fi_reduce", endpoint);
        long count = count("fi_reduce", buffer, type);
        requireRoot("fi_reduce", group, root);
        if (result != null) {
            requireRoom("fi_reduce", result, count, type);
        }
        requireReduction(CollectiveOperation.REDUCE, "fi_reduce", type, reduction);
        long token = endpoint.transmitToken(context, new MemorySegment[] {buffer, result});
        long n = CollectiveOps.reduce(fid, buffer.address(), count, descriptor(buffer), addressOf(result),
                descriptor(result), address, root, (int) type.code(), (int) reduction.code(), 0, token);
        return n == 0 || endpoint.refused("fi_reduce", n, token);
    }

    /**
     * Gives each member its part of the root's buffer ({@code fi_scatter}).
     *
     * @param group the group
     * @param buffer at the root, the elements for all in the order of the set; null elsewhere
     * @param result room for the elements of this member
     * @param root who has the data; it must have the buffer
     * @param type of the elements
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean scatter(CollectiveGroup group, MemorySegment buffer, MemorySegment result, long root,
            Datatype type, long context) {
        long fid = handle("fi_scatter");
        long address = group.use("fi_scatter", endpoint);
        Buffers.writable("fi_scatter", result);
        long count = count("fi_scatter", result, type);
        requireRoot("fi_scatter", group, root);
        requireAtRoot("fi_scatter", group, root, buffer);
        if (buffer != null) {
            requireSize("fi_scatter", buffer, Math.multiplyExact(count, group.size()), type);
        }
        long token = endpoint.transmitToken(context, new MemorySegment[] {buffer, result});
        long n = CollectiveOps.scatter(fid, addressOf(buffer), count, descriptor(buffer), result.address(),
                descriptor(result), address, root, (int) type.code(), 0, token);
        return n == 0 || endpoint.refused("fi_scatter", n, token);
    }

    /**
     * Gives the buffers of all to the root ({@code fi_gather}).
     *
     * @param group the group
     * @param buffer this member's elements
     * @param result at the root, room for the elements of all; null elsewhere
     * @param root who gets the data
     * @param type of the elements
     * @param context comes back in the completion
     * @return false if the provider is busy
     */
    public boolean gather(CollectiveGroup group, MemorySegment buffer, MemorySegment result, long root, Datatype type,
            long context) {
        long fid = handle("fi_gather");
        long address = group.use("fi_gather", endpoint);
        long count = count("fi_gather", buffer, type);
        requireRoot("fi_gather", group, root);
        if (result != null) {
            requireRoom("fi_gather", result, Math.multiplyExact(count, group.size()), type);
        }
        long token = endpoint.transmitToken(context, new MemorySegment[] {buffer, result});
        long n = CollectiveOps.gather(fid, buffer.address(), count, descriptor(buffer), addressOf(result),
                descriptor(result), address, root, (int) type.code(), 0, token);
        return n == 0 || endpoint.refused("fi_gather", n, token);
    }

    private static long addressOf(MemorySegment buffer) {
        return buffer == null ? 0 : buffer.address();
    }

    private long descriptor(MemorySegment buffer) {
        if (buffer == null || !domain.requires(MrMode.LOCAL)) {
            return 0;
        }
        long known = domain.localRegions().descriptor(buffer.address(), buffer.byteSize());
        if (known == LocalRegions.NONE) {
            throw new IllegalArgumentException("the provider wants registered memory (FI_MR_LOCAL): register the "
                    + "buffers of collective operations with the domain first");
        }
        return known;
    }

    private static long count(String operation, MemorySegment buffer, Datatype type) {
        Buffers.address(operation, buffer);
        if (type == Datatype.VOID || buffer.byteSize() % type.byteSize() != 0) {
            throw new IllegalArgumentException(operation + ": a buffer of " + buffer.byteSize()
                    + " bytes does not hold whole elements of type " + type);
        }
        return buffer.byteSize() / type.byteSize();
    }

    private static void requireRoom(String operation, MemorySegment result, long count, Datatype type) {
        Buffers.writable(operation, result);
        requireSize(operation, result, count, type);
    }

    private static void requireSize(String operation, MemorySegment buffer, long count, Datatype type) {
        Buffers.address(operation, buffer);
        if (buffer.byteSize() < Math.multiplyExact(count, type.byteSize())) {
            throw new IllegalArgumentException(operation + ": " + count + " elements of type " + type
                    + " do not fit the buffer of " + buffer.byteSize() + " bytes");
        }
    }

    private static void requireShares(String operation, long count, CollectiveGroup group) {
        if (count % group.size() != 0) {
            throw new IllegalArgumentException(operation + ": " + count + " elements are no multiple of "
                    + group.size() + " members");
        }
    }

    private void requireRoot(String operation, CollectiveGroup group, long root) {
        if (software && (root < 0 || root >= group.size())) {
            throw new IllegalArgumentException(operation + ": root " + root + " is not one of " + group.size()
                    + " members");
        }
    }

    private void requireAtRoot(String operation, CollectiveGroup group, long root, MemorySegment buffer) {
        if (software && buffer == null && group.rank() == root) {
            throw new IllegalArgumentException(operation + ": this is the root, which must have the buffer");
        }
    }

    /** The software collectives call through a table without looking: what is not in it crashes or never ends. */
    private void requireReduction(CollectiveOperation operation, String name, Datatype type, AtomicOp reduction) {
        int at = operation.ordinal() * Datatype.values().length + type.ordinal();
        int bit = 1 << reduction.ordinal();
        if ((asked[at] & bit) == 0) {
            if (domain.queryCollective(operation, type, reduction).isPresent()) {
                known[at] |= bit;
            }
            asked[at] |= bit;
        }
        if ((known[at] & bit) == 0) {
            throw FabricException.of(name, Errno.ENOSYS, "provider " + endpoint.info().provider()
                    + " cannot combine " + type + " by " + reduction);
        }
    }
}
