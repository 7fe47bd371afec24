// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.collective;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.Domain;
import io.jfabric.FabricException;
import io.jfabric.collective.AddressVectorSet;
import io.jfabric.collective.CollectiveAttributes;
import io.jfabric.collective.CollectiveGroup;
import io.jfabric.collective.CollectiveOperation;
import io.jfabric.collective.Collectives;
import io.jfabric.info.Capability;
import io.jfabric.info.Flags;
import io.jfabric.info.MrMode;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.CollectiveOps;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.post.ContextSlab;
import io.jfabric.internal.post.DomainState;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.LocalRegions;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;

/** {@link Collectives}. */
public final class CollectivesImpl implements Collectives {
    private final EndpointImpl endpoint;
    private final DomainState domain;
    private final EndpointState state;
    private final boolean software;
    /** For each operation and datatype the reductions that the provider has, and those it was asked about. */
    private final int[] known = new int[CollectiveOperation.values().length * Datatype.values().length];
    private final int[] asked = new int[known.length];

    public CollectivesImpl(EndpointImpl endpoint) {
        this.endpoint = endpoint;
        this.domain = endpoint.state().domain();
        this.state = endpoint.state();
        this.software = inSoftware(endpoint);
    }

    /** {@link Collectives#query(Domain, CollectiveOperation, Datatype, AtomicOp)} */
    public static Optional<CollectiveAttributes> query(Domain domain, CollectiveOperation operation, Datatype type,
            AtomicOp reduction) {
        return CollectiveSupport.query(((DomainImpl) Objects.requireNonNull(domain, "domain")).state(), operation,
                type, reduction);
    }

    /** Whether the collectives are those that libfabric itself makes of tagged messages. */
    public static boolean inSoftware(EndpointImpl endpoint) {
        return Quirks.of(endpoint.info().provider()).has(Quirk.SOFTWARE_COLLECTIVES);
    }

    @Override
    public CollectiveGroupImpl join(AddressVectorSet set, long context) {
        AddressVectorSetImpl setImpl = (AddressVectorSetImpl) set;
        return join(setImpl, null, context);
    }

    @Override
    public CollectiveGroupImpl join(AddressVectorSet set, CollectiveGroup parent, long context) {
        AddressVectorSetImpl setImpl = (AddressVectorSetImpl) set;
        CollectiveGroupImpl parentImpl = (CollectiveGroupImpl) parent;
        if (!endpoint.hasEventQueue()) {
            throw new IllegalStateException("fi_join_collective: bind an event queue to the endpoint, the completed "
                    + "join is reported there");
        }
        requireReady("fi_join_collective");
        if (!endpoint.info().capabilities().contains(Capability.COLLECTIVE)) {
            // what a join needs is made with the endpoint
            throw FabricException.of("fi_join_collective", Errno.EOPNOTSUPP,
                    "the endpoint was opened without Capability.COLLECTIVE; ask for it in the hints");
        }
        if (parentImpl != null) {
            parentImpl.use("fi_join_collective", endpoint);
        }
        return CollectiveGroupImpl.join(endpoint, setImpl, parentImpl, context);
    }

    private void requireReady(String operation) {
        endpoint.handle();
        if (!endpoint.readyForCollectives()) {
            throw new IllegalStateException(operation + ": the endpoint must be enabled and have a completion queue "
                    + "for TRANSMIT");
        }
    }

    /** The group may have been closed since it was looked at; from here on it is not. */
    private long enter(CollectiveGroupImpl group) {
        long fid = state.enter();
        if (!group.isOpen()) {
            state.leave();
            throw group.unusable();
        }
        return fid;
    }

    @Override
    public boolean barrier(CollectiveGroup group, long context) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, "fi_barrier", "the group");
        requireReady("fi_barrier");
        long address = groupImpl.use("fi_barrier", endpoint);
        long fid = enter(groupImpl);
        try {
            long token = state.contexts().transmit(context, groupImpl);
            long result = CollectiveOps.barrier(fid, address, token);
            return result == 0 || state.refused("fi_barrier", result, token);
        } finally {
            state.leave();
        }
    }

    @Override
    public boolean barrier(CollectiveGroup group, long context, Flags<OperationFlag> flags) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, "fi_barrier2", "the group");
        if (Arguments.given(flags, "fi_barrier2", "the set of flags").isEmpty()) {
            return barrier(groupImpl, context);
        }
        requireReady("fi_barrier2");
        long address = groupImpl.use("fi_barrier2", endpoint);
        long fid = enter(groupImpl);
        try {
            long token = state.contexts().transmit(context, groupImpl, ContextSlab.PLAIN, flags.bits());
            long result = CollectiveOps.barrier2(fid, address, flags.bits(), token);
            return result == 0 || state.refused("fi_barrier2", result, token);
        } finally {
            state.leave();
        }
    }

    @Override
    public boolean broadcast(CollectiveGroup group, MemorySegment buffer, long root, Datatype type, long context) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, "fi_broadcast", "the group");
        requireReady("fi_broadcast");
        long address = groupImpl.use("fi_broadcast", endpoint);
        Buffers.writable("fi_broadcast", buffer);
        long count = count("fi_broadcast", buffer, type);
        requireRoot("fi_broadcast", groupImpl, root);
        MemorySegment room = buffer;
        Object keep = buffer;
        byte kind = ContextSlab.PLAIN;
        if (software && count % groupImpl.size() != 0) {
            PaddedBuffer padded = new PaddedBuffer(buffer, (count / groupImpl.size() + 1) * groupImpl.size()
                    * type.byteSize());
            room = padded.memory();
            keep = padded;
            kind = ContextSlab.RESOURCES;
        }
        long fid = enter(groupImpl);
        try {
            long token = state.contexts().transmit(context, keep, kind, 0);
            if (token == 0 && kind == ContextSlab.RESOURCES) {
                throw new IllegalArgumentException("fi_broadcast: " + count + " elements are not a multiple of "
                        + groupImpl.size() + " members, which needs a completion queue without selective completion");
            }
            long result = CollectiveOps.broadcast(fid, room.address(), count, descriptor(room), address, root,
                    (int) type.code(), 0, token);
            return result == 0 || state.refused("fi_broadcast", result, token);
        } finally {
            state.leave();
        }
    }

    @Override
    public boolean allReduce(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp reduction, long context) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, "fi_allreduce", "the group");
        requireReady("fi_allreduce");
        long address = groupImpl.use("fi_allreduce", endpoint);
        long count = count("fi_allreduce", buffer, type);
        requireRoom("fi_allreduce", result, count, type);
        requireReduction(CollectiveOperation.ALLREDUCE, "fi_allreduce", type, reduction);
        long fid = enter(groupImpl);
        try {
            long token = state.contexts().transmit(context, new MemorySegment[] {buffer, result});
            long n = CollectiveOps.allreduce(fid, buffer.address(), count, descriptor(buffer), result.address(),
                    descriptor(result), address, (int) type.code(), (int) reduction.code(), 0, token);
            return n == 0 || state.refused("fi_allreduce", n, token);
        } finally {
            state.leave();
        }
    }

    @Override
    public boolean allGather(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            long context) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, "fi_allgather", "the group");
        requireReady("fi_allgather");
        long address = groupImpl.use("fi_allgather", endpoint);
        long count = count("fi_allgather", buffer, type);
        requireRoom("fi_allgather", result, Math.multiplyExact(count, groupImpl.size()), type);
        long fid = enter(groupImpl);
        try {
            long token = state.contexts().transmit(context, new MemorySegment[] {buffer, result});
            long n = CollectiveOps.allgather(fid, buffer.address(), count, descriptor(buffer), result.address(),
                    descriptor(result), address, (int) type.code(), 0, token);
            return n == 0 || state.refused("fi_allgather", n, token);
        } finally {
            state.leave();
        }
    }

    @Override
    public boolean allToAll(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            long context) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, "fi_alltoall", "the group");
        requireReady("fi_alltoall");
        long address = groupImpl.use("fi_alltoall", endpoint);
        long count = count("fi_alltoall", buffer, type);
        requireRoom("fi_alltoall", result, count, type);
        requireShares("fi_alltoall", count, groupImpl);
        long fid = enter(groupImpl);
        try {
            long token = state.contexts().transmit(context, new MemorySegment[] {buffer, result});
            long n = CollectiveOps.alltoall(fid, buffer.address(), count / groupImpl.size(), descriptor(buffer),
                    result.address(), descriptor(result), address, (int) type.code(), 0, token);
            return n == 0 || state.refused("fi_alltoall", n, token);
        } finally {
            state.leave();
        }
    }

    @Override
    public boolean reduceScatter(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp reduction, long context) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, "fi_reduce_scatter", "the group");
        requireReady("fi_reduce_scatter");
        long address = groupImpl.use("fi_reduce_scatter", endpoint);
        long count = count("fi_reduce_scatter", buffer, type);
        requireShares("fi_reduce_scatter", count, groupImpl);
        requireRoom("fi_reduce_scatter", result, count / groupImpl.size(), type);
        requireReduction(CollectiveOperation.REDUCE_SCATTER, "fi_reduce_scatter", type, reduction);
        long fid = enter(groupImpl);
        try {
            long token = state.contexts().transmit(context, new MemorySegment[] {buffer, result});
            long n = CollectiveOps.reduceScatter(fid, buffer.address(), count, descriptor(buffer), result.address(),
                    descriptor(result), address, (int) type.code(), (int) reduction.code(), 0, token);
            return n == 0 || state.refused("fi_reduce_scatter", n, token);
        } finally {
            state.leave();
        }
    }

    @Override
    public boolean reduce(CollectiveGroup group, MemorySegment buffer, MemorySegment result, long root, Datatype type,
            AtomicOp reduction, long context) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, "fi_reduce", "the group");
        requireReady("fi_reduce");
        long address = groupImpl.use("fi_reduce", endpoint);
        long count = count("fi_reduce", buffer, type);
        requireRoot("fi_reduce", groupImpl, root);
        if (result != null) {
            requireRoom("fi_reduce", result, count, type);
        }
        requireReduction(CollectiveOperation.REDUCE, "fi_reduce", type, reduction);
        long fid = enter(groupImpl);
        try {
            long token = state.contexts().transmit(context, new MemorySegment[] {buffer, result});
            long n = CollectiveOps.reduce(fid, buffer.address(), count, descriptor(buffer), addressOf(result),
                    descriptor(result), address, root, (int) type.code(), (int) reduction.code(), 0, token);
            return n == 0 || state.refused("fi_reduce", n, token);
        } finally {
            state.leave();
        }
    }

    @Override
    public boolean scatter(CollectiveGroup group, MemorySegment buffer, MemorySegment result, long root,
            Datatype type, long context) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, "fi_scatter", "the group");
        requireReady("fi_scatter");
        long address = groupImpl.use("fi_scatter", endpoint);
        Buffers.writable("fi_scatter", result);
        long count = count("fi_scatter", result, type);
        requireRoot("fi_scatter", groupImpl, root);
        requireAtRoot("fi_scatter", groupImpl, root, buffer);
        if (buffer != null) {
            requireSize("fi_scatter", buffer, Math.multiplyExact(count, groupImpl.size()), type);
        }
        long fid = enter(groupImpl);
        try {
            long token = state.contexts().transmit(context, new MemorySegment[] {buffer, result});
            long n = CollectiveOps.scatter(fid, addressOf(buffer), count, descriptor(buffer), result.address(),
                    descriptor(result), address, root, (int) type.code(), 0, token);
            return n == 0 || state.refused("fi_scatter", n, token);
        } finally {
            state.leave();
        }
    }

    @Override
    public boolean gather(CollectiveGroup group, MemorySegment buffer, MemorySegment result, long root, Datatype type,
            long context) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, "fi_gather", "the group");
        requireReady("fi_gather");
        long address = groupImpl.use("fi_gather", endpoint);
        long count = count("fi_gather", buffer, type);
        requireRoot("fi_gather", groupImpl, root);
        if (result != null) {
            requireRoom("fi_gather", result, Math.multiplyExact(count, groupImpl.size()), type);
        }
        long fid = enter(groupImpl);
        try {
            long token = state.contexts().transmit(context, new MemorySegment[] {buffer, result});
            long n = CollectiveOps.gather(fid, buffer.address(), count, descriptor(buffer), addressOf(result),
                    descriptor(result), address, root, (int) type.code(), 0, token);
            return n == 0 || state.refused("fi_gather", n, token);
        } finally {
            state.leave();
        }
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

    private static void requireShares(String operation, long count, CollectiveGroupImpl group) {
        if (count % group.size() != 0) {
            throw new IllegalArgumentException(operation + ": " + count + " elements are not a multiple of "
                    + group.size() + " members");
        }
    }

    private void requireRoot(String operation, CollectiveGroupImpl group, long root) {
        if (software && (root < 0 || root >= group.size())) {
            throw new IllegalArgumentException(operation + ": root " + root + " is not one of " + group.size()
                    + " members");
        }
    }

    private void requireAtRoot(String operation, CollectiveGroupImpl group, long root, MemorySegment buffer) {
        if (software && buffer == null && group.rank() == root) {
            throw new IllegalArgumentException(operation + ": this is the root, which must have the buffer");
        }
    }

    /** The software collectives call through a table without looking: what is not in it crashes or never ends. */
    private void requireReduction(CollectiveOperation operation, String name, Datatype type, AtomicOp reduction) {
        int at = operation.ordinal() * Datatype.values().length + type.ordinal();
        int bit = 1 << reduction.ordinal();
        if ((asked[at] & bit) == 0) {
            if (CollectiveSupport.query(domain, operation, type, reduction).isPresent()) {
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
