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
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.context.KeptMemory;
import io.jfabric.internal.domain.DomainImpl;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.ffi.Arguments;
import io.jfabric.internal.ffi.Buffers;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.ops.CollectiveOps;
import io.jfabric.internal.post.AtomicChecks;
import io.jfabric.internal.post.EndpointState;
import io.jfabric.internal.post.Gate;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.shared.DomainState;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** {@link Collectives}. */
public final class CollectivesImpl implements Collectives {
    private final EndpointImpl endpoint;
    private final DomainState domain;
    private final EndpointState state;
    private final Gate gate;
    private final boolean software;
    /** Whether broadcasts go wrong if the number of elements is not a multiple of the number of members. */
    private final boolean evenly;
    /** Whether elements that are only moved go as bytes: the provider does not know the size of all types. */
    private final boolean bytesOnly;
    private final LongestMessage longest;
    /** For each operation and datatype, as bits: the reductions that the provider has, and those it was asked about. */
    private final AtomicIntegerArray known = new AtomicIntegerArray(CollectiveOperation.values().length
            * Datatype.values().length);
    private final AtomicIntegerArray asked = new AtomicIntegerArray(known.length());

    public CollectivesImpl(EndpointImpl endpoint) {
        // throws if it is closed
        endpoint.fid();
        this.endpoint = endpoint;
        this.domain = endpoint.state().domain();
        this.state = endpoint.state();
        this.gate = state.collectives();
        this.software = inSoftware(endpoint);
        this.evenly = domain.quirks().has(Quirk.UNEVEN_BROADCASTS);
        this.bytesOnly = domain.quirks().has(Quirk.DATATYPES_WITHOUT_SIZE);
        this.longest = new LongestMessage(domain);
    }

    /** {@link Collectives#query(Domain, CollectiveOperation, Datatype, AtomicOp)} */
    public static Optional<CollectiveAttributes> query(Domain domain, CollectiveOperation operation, Datatype type,
            AtomicOp reduction) {
        return CollectiveSupport.query(((DomainImpl) Objects.requireNonNull(domain, "domain")).state(), operation,
                type, reduction);
    }

    /** Whether the collectives are those that libfabric itself builds from tagged messages. */
    public static boolean inSoftware(EndpointImpl endpoint) {
        return endpoint.info().quirks().has(Quirk.SOFTWARE_COLLECTIVES);
    }

    @Override
    public CollectiveGroupImpl join(AddressVectorSet set, long context) {
        return join(set, null, context);
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

    /** A call of C that starts an operation, with the endpoint, the group's address and the token. */
    private interface Start {
        long start(long fid, long group, long token);
    }

    /** Starts any collective operation, once its own arguments are known to be right. */
    private boolean start(String operation, CollectiveGroupImpl group, Object first, Object second, long flags,
            long context, Start call) {
        long address = group.use(operation, endpoint);
        long fid = gate.toGroup();
        try {
            if (!group.isOpen()) {
                // closed since it was checked; from here on it cannot be
                throw group.unusable();
            }
            if (!state.contexts().reportsTransmit(flags)) {
                return startUnreported(operation, group, first, second, flags, context, call, fid);
            }
            KeptMemory.checkAlive(first);
            KeptMemory.checkAlive(second);
            GroupUse.Entry use = group.use().begin(first, second);
            long token;
            try {
                token = state.contexts().transmit(context, use, ContextSlab.RESOURCES, flags);
            } catch (RuntimeException | Error e) {
                use.release();
                throw e;
            }
            return call(operation, call, fid, address, token);
        } finally {
            gate.leave();
        }
    }

    /** No completion will tell of its end: to the group it is under way as long as the endpoint is open. */
    private boolean startUnreported(String operation, CollectiveGroupImpl group, Object first, Object second,
            long flags, long context, Start call, long fid) {
        if (first instanceof PaddedBuffer) {
            throw new IllegalArgumentException(operation + ": the elements are not a multiple of " + group.size()
                    + " members, which needs a completion queue without selective completion");
        }
        GroupUse.Entry use = group.use().begin(null, null);
        boolean started = false;
        try {
            long token = state.contexts().transmit(context, second == null ? first : new Object[] {first, second},
                    ContextSlab.PLAIN, flags);
            started = call(operation, call, fid, group.fabricAddress(), token);
        } finally {
            if (!started) {
                use.release();
            }
        }
        return started;
    }

    private boolean call(String operation, Start call, long fid, long group, long token) {
        long result;
        try {
            result = call.start(fid, group, token);
        } catch (RuntimeException | Error e) {
            // its memory is not registered
            state.contexts().cancel(token);
            throw e;
        }
        return result == 0 || state.refused(operation, result, token);
    }

    /** The group, if the endpoint is ready for collectives. */
    private CollectiveGroupImpl ready(String operation, CollectiveGroup group) {
        CollectiveGroupImpl groupImpl = (CollectiveGroupImpl) Arguments.given(group, operation, "the group");
        requireReady(operation);
        groupImpl.use(operation, endpoint);
        return groupImpl;
    }

    @Override
    public boolean barrier(CollectiveGroup group, long context) {
        CollectiveGroupImpl all = ready("fi_barrier", group);
        return start("fi_barrier", all, null, null, 0, context, CollectiveOps::barrier);
    }

    @Override
    public boolean barrier(CollectiveGroup group, Flags<OperationFlag> flags, long context) {
        if (Arguments.given(flags, "fi_barrier2", "the set of flags").isEmpty()) {
            return barrier(group, context);
        }
        if ((flags.bits() & OperationFlag.PEER_TRANSFER.code()) != 0) {
            // the completion would go to another provider, and there is none: a call through NULL
            throw new IllegalArgumentException("fi_barrier2: " + OperationFlag.PEER_TRANSFER.nativeName()
                    + " is for calls between providers");
        }
        CollectiveGroupImpl all = ready("fi_barrier2", group);
        return start("fi_barrier2", all, null, null, flags.bits(), context, (fid, address, token) ->
                CollectiveOps.barrier2(fid, address, flags.bits(), token));
    }

    @Override
    public boolean broadcast(CollectiveGroup group, MemorySegment buffer, long root, Datatype type, long context) {
        CollectiveGroupImpl all = ready("fi_broadcast", group);
        Buffers.writable("fi_broadcast", buffer);
        long count = count("fi_broadcast", buffer, type);
        requireRoot("fi_broadcast", all, root);
        MemorySegment room = buffer;
        Object keep = buffer;
        longest.checkTree("fi_broadcast", count, type, all.size(), all.size());
        if (evenly && count % all.size() != 0) {
            PaddedBuffer padded = new PaddedBuffer(buffer,
                    Math.ceilDiv(count, all.size()) * all.size() * type.byteSize());
            room = padded.memory();
            keep = padded;
        }
        long where = room.address();
        long whole = moved(room.byteSize() / type.byteSize(), type);
        long desc = descriptor(room, true);
        return start("fi_broadcast", all, keep, null, 0, context, (fid, address, token) ->
                CollectiveOps.broadcast(fid, where, whole, desc, address, root, moved(type), 0, token));
    }

    @Override
    public boolean allReduce(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp reduction, long context) {
        CollectiveGroupImpl all = ready("fi_allreduce", group);
        long count = count("fi_allreduce", buffer, type);
        requireRoom("fi_allreduce", result, count, 1, type);
        AtomicChecks.aligned("fi_allreduce", result.address(), type);
        requireReduction(CollectiveOperation.ALLREDUCE, "fi_allreduce", type, reduction);
        longest.check("fi_allreduce", count, type);
        return start("fi_allreduce", all, buffer, result, 0, context, (fid, address, token) ->
                CollectiveOps.allreduce(fid, buffer.address(), count, descriptor(buffer, false), result.address(),
                        descriptor(result, true), address, (int) type.code(), (int) reduction.code(), 0, token));
    }

    @Override
    public boolean allGather(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            long context) {
        CollectiveGroupImpl all = ready("fi_allgather", group);
        long count = count("fi_allgather", buffer, type);
        requireRoom("fi_allgather", result, count, all.size(), type);
        longest.check("fi_allgather", count, type);
        return start("fi_allgather", all, buffer, result, 0, context, (fid, address, token) ->
                CollectiveOps.allgather(fid, buffer.address(), moved(count, type), descriptor(buffer, false),
                        result.address(), descriptor(result, true), address, moved(type), 0, token));
    }

    @Override
    public boolean allToAll(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            long context) {
        CollectiveGroupImpl all = ready("fi_alltoall", group);
        long count = count("fi_alltoall", buffer, type);
        requireRoom("fi_alltoall", result, count, 1, type);
        requireShares("fi_alltoall", count, all);
        return start("fi_alltoall", all, buffer, result, 0, context, (fid, address, token) ->
                CollectiveOps.alltoall(fid, buffer.address(), moved(count / all.size(), type),
                        descriptor(buffer, false), result.address(), descriptor(result, true), address, moved(type), 0,
                        token));
    }

    @Override
    public boolean reduceScatter(CollectiveGroup group, MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp reduction, long context) {
        CollectiveGroupImpl all = ready("fi_reduce_scatter", group);
        long count = count("fi_reduce_scatter", buffer, type);
        requireShares("fi_reduce_scatter", count, all);
        requireRoom("fi_reduce_scatter", result, count / all.size(), 1, type);
        AtomicChecks.aligned("fi_reduce_scatter", result.address(), type);
        requireReduction(CollectiveOperation.REDUCE_SCATTER, "fi_reduce_scatter", type, reduction);
        return start("fi_reduce_scatter", all, buffer, result, 0, context, (fid, address, token) ->
                CollectiveOps.reduceScatter(fid, buffer.address(), count, descriptor(buffer, false), result.address(),
                        descriptor(result, true), address, (int) type.code(), (int) reduction.code(), 0, token));
    }

    @Override
    public boolean reduce(CollectiveGroup group, MemorySegment buffer, MemorySegment result, long root, Datatype type,
            AtomicOp reduction, long context) {
        CollectiveGroupImpl all = ready("fi_reduce", group);
        long count = count("fi_reduce", buffer, type);
        requireRoot("fi_reduce", all, root);
        if (result != null) {
            requireRoom("fi_reduce", result, count, 1, type);
        }
        AtomicChecks.aligned("fi_reduce", addressOf(result), type);
        requireReduction(CollectiveOperation.REDUCE, "fi_reduce", type, reduction);
        return start("fi_reduce", all, buffer, result, 0, context, (fid, address, token) ->
                CollectiveOps.reduce(fid, buffer.address(), count, descriptor(buffer, false), addressOf(result),
                        descriptor(result, true), address, root, (int) type.code(), (int) reduction.code(), 0, token));
    }

    @Override
    public boolean scatter(CollectiveGroup group, MemorySegment buffer, MemorySegment result, long root,
            Datatype type, long context) {
        CollectiveGroupImpl all = ready("fi_scatter", group);
        Buffers.writable("fi_scatter", result);
        long count = count("fi_scatter", result, type);
        requireRoot("fi_scatter", all, root);
        requireAtRoot("fi_scatter", all, root, buffer);
        if (buffer != null) {
            requireSize("fi_scatter", "buffer", buffer, count, all.size(), type);
        }
        longest.checkTree("fi_scatter", count, type, all.size(), 1);
        return start("fi_scatter", all, buffer, result, 0, context, (fid, address, token) ->
                CollectiveOps.scatter(fid, addressOf(buffer), moved(count, type), descriptor(buffer, false),
                        result.address(), descriptor(result, true), address, root, moved(type), 0, token));
    }

    @Override
    public boolean gather(CollectiveGroup group, MemorySegment buffer, MemorySegment result, long root, Datatype type,
            long context) {
        CollectiveGroupImpl all = ready("fi_gather", group);
        long count = count("fi_gather", buffer, type);
        requireRoot("fi_gather", all, root);
        if (result != null) {
            requireRoom("fi_gather", result, count, all.size(), type);
        }
        return start("fi_gather", all, buffer, result, 0, context, (fid, address, token) ->
                CollectiveOps.gather(fid, buffer.address(), moved(count, type), descriptor(buffer, false),
                        addressOf(result), descriptor(result, true), address, root, moved(type), 0, token));
    }

    private static long addressOf(MemorySegment buffer) {
        return buffer == null ? 0 : buffer.address();
    }

    private long descriptor(MemorySegment buffer, boolean filled) {
        return buffer == null || !state.describes() ? 0
                : state.localBuffers().registered("a collective operation", buffer.address(), buffer.byteSize(),
                        filled);
    }

    /** How many elements of the type below these are, if they are only moved. */
    private long moved(long count, Datatype type) {
        return bytesOnly ? count * type.byteSize() : count;
    }

    private int moved(Datatype type) {
        return (int) (bytesOnly ? Datatype.UINT8 : type).code();
    }

    private long count(String operation, MemorySegment buffer, Datatype type) {
        Buffers.address(operation, buffer);
        Arguments.given(type, operation, "the datatype");
        if (!bytesOnly) {
            Known.require(operation, type.nativeName(), type.since());
        }
        if (type == Datatype.VOID || buffer.byteSize() % type.byteSize() != 0) {
            throw new IllegalArgumentException(operation + ": a buffer of " + buffer.byteSize()
                    + " bytes does not hold whole elements of type " + type);
        }
        return buffer.byteSize() / type.byteSize();
    }

    private static void requireRoom(String operation, MemorySegment result, long count, int shares, Datatype type) {
        Buffers.writable(operation, result);
        requireSize(operation, "result", result, count, shares, type);
    }

    /** Requires room for {@code count} elements of each of so many members; the product of the two may overflow. */
    private static void requireSize(String operation, String name, MemorySegment buffer, long count, int shares,
            Datatype type) {
        Buffers.address(operation, buffer);
        if (count > buffer.byteSize() / type.byteSize() / shares) {
            throw new IllegalArgumentException(operation + ": " + count + " elements of type " + type
                    + (shares == 1 ? "" : " for each of " + shares + " members") + " do not fit into the " + name
                    + " of " + buffer.byteSize() + " bytes; take a larger one, or fewer elements");
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

    /** The software collectives call through a table without checking: what is missing there crashes or never ends. */
    private void requireReduction(CollectiveOperation operation, String name, Datatype type, AtomicOp reduction) {
        int at = operation.ordinal() * Datatype.values().length + type.ordinal();
        int bit = 1 << Arguments.given(reduction, name, "the reduction").ordinal();
        if ((asked.get(at) & bit) == 0) {
            if (CollectiveSupport.query(domain, operation, type, reduction).isPresent()) {
                known.getAndUpdate(at, bits -> bits | bit);
            }
            asked.getAndUpdate(at, bits -> bits | bit);
        }
        if ((known.get(at) & bit) == 0) {
            throw FabricException.of(name, Errno.ENOSYS, "provider " + endpoint.info().provider()
                    + " cannot combine " + type + " by " + reduction);
        }
    }
}
