// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.async.Group;
import io.jfabric.async.Peer;
import io.jfabric.internal.combine.Combiner;
import io.jfabric.internal.ffi.Arguments;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** {@link Group}. */
public final class GroupImpl implements Group {
    private final Core core;
    private final Duration deadline;
    private final int rank;
    private final int size;
    private final Operands operands;

    public GroupImpl(Transport transport, Registry registry, String name, Duration deadline) {
        this(new Core(transport, registry, name), deadline);
    }

    private GroupImpl(Core core, Duration deadline) {
        this.core = core;
        this.deadline = deadline;
        this.rank = core.transport.rank();
        this.size = core.transport.size();
        this.operands = new Operands(core.transport.hasThread());
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public List<Peer> members() {
        return core.transport.members();
    }

    @Override
    public CompletableFuture<Void> ended() {
        return core.ended();
    }

    @Override
    public Group within(Duration newDeadline) {
        return new GroupImpl(core, Arguments.deadline(newDeadline, "within", "the deadline"));
    }

    @Override
    public Group subgroup(String name, int... ranks) {
        Arguments.given(name, "subgroup", "the name");
        Arguments.given(ranks, "subgroup", "the array of ranks");
        String path = core.name + '/' + name + Arrays.toString(ranks);
        return new GroupImpl(core.of(new Members(core.transport, ranks), path), deadline);
    }

    @Override
    public CompletableFuture<Shrunk> shrink(long value, Duration longest) {
        Arguments.deadline(longest, "shrink", "the deadline");
        return core.shrinking().begin(core, value, longest, left -> new GroupImpl(left, deadline));
    }

    private CompletableFuture<Void> start(String operation, Consumer<Schedule> plan) {
        return core.start(operation, deadline, null, plan);
    }

    private CompletableFuture<Void> start(String operation, Combiner combiner, Consumer<Schedule> plan) {
        return core.start(operation, deadline, combiner, plan);
    }

    private void requireRoot(String operation, int root) {
        if (root < 0 || root >= size) {
            throw new IllegalArgumentException(operation + ": root " + root + " is not one of " + size + " members");
        }
    }

    @Override
    public CompletableFuture<Void> barrier() {
        return start("barrier", Spreading::barrier);
    }

    @Override
    public CompletableFuture<Void> broadcast(MemorySegment buffer, int root) {
        requireRoot("broadcast", root);
        Arguments.given(buffer, "broadcast", "the buffer");
        if (rank == root) {
            operands.readable("broadcast", buffer);
        } else {
            operands.room("broadcast", buffer, 0);
        }
        return start("broadcast", s -> Spreading.broadcast(s, buffer, root));
    }

    @Override
    public CompletableFuture<Void> reduce(MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp operation, int root) {
        requireRoot("reduce", root);
        Combiner combiner = operands.combiner("reduce", buffer, type, operation);
        MemorySegment room = rank == root ? operands.room("reduce", result, buffer.byteSize()) : null;
        if (room != null) {
            Operands.apart("reduce", buffer, room);
        }
        return start("reduce", combiner, s -> Reductions.one(s, buffer, room, root, type.byteSize()));
    }

    @Override
    public CompletableFuture<Void> allReduce(MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp operation) {
        Combiner combiner = operands.combiner("allReduce", buffer, type, operation);
        MemorySegment room = operands.room("allReduce", result, buffer.byteSize());
        Operands.apart("allReduce", buffer, room);
        return start("allReduce", combiner, s -> Reductions.all(s, buffer, room, type.byteSize()));
    }

    @Override
    public CompletableFuture<Void> reduceScatter(MemorySegment buffer, MemorySegment result, Datatype type,
            AtomicOp operation) {
        Combiner combiner = operands.combiner("reduceScatter", buffer, type, operation);
        long block = Operands.block("reduceScatter", buffer, size, type.byteSize());
        MemorySegment room = operands.room("reduceScatter", result, block);
        inPlace("reduceScatter", buffer, room, block);
        return start("reduceScatter", combiner, s -> Reductions.scatter(s, buffer, room, type.byteSize()));
    }

    @Override
    public CompletableFuture<Void> gather(MemorySegment buffer, MemorySegment result, int root) {
        requireRoot("gather", root);
        long block = operands.readable("gather", buffer).byteSize();
        MemorySegment room = rank == root
                ? operands.room("gather", result, Operands.blocks("gather", block, size)) : null;
        if (room != null) {
            inPlace("gather", room, buffer, block);
        }
        return start("gather", s -> Collecting.gather(s, buffer, room, root));
    }

    @Override
    public CompletableFuture<Void> allGather(MemorySegment buffer, MemorySegment result) {
        long block = operands.readable("allGather", buffer).byteSize();
        MemorySegment room = operands.room("allGather", result, Operands.blocks("allGather", block, size));
        inPlace("allGather", room, buffer, block);
        return start("allGather", s -> Collecting.all(s, buffer, room));
    }

    @Override
    public CompletableFuture<Void> scatter(MemorySegment buffer, MemorySegment result, int root) {
        requireRoot("scatter", root);
        operands.room("scatter", result, 0);
        long block = result.byteSize();
        MemorySegment all = null;
        if (rank == root) {
            all = operands.readable("scatter", buffer);
            if (all.byteSize() != Operands.blocks("scatter", block, size)) {
                throw new IllegalArgumentException("scatter: the root's buffer has " + all.byteSize()
                        + " bytes, not a block of " + block + " for each of " + size + " members");
            }
            inPlace("scatter", all, result, block);
        }
        MemorySegment blocks = all;
        return start("scatter", s -> Spreading.scatter(s, blocks, result, root));
    }

    @Override
    public CompletableFuture<Void> allToAll(MemorySegment buffer, MemorySegment result) {
        operands.readable("allToAll", buffer);
        Operands.block("allToAll", buffer, size, 1);
        MemorySegment room = operands.room("allToAll", result, buffer.byteSize());
        Operands.apart("allToAll", buffer, room);
        return start("allToAll", s -> Collecting.exchange(s, buffer, room));
    }

    @Override
    public CompletableFuture<Void> allToAll(MemorySegment buffer, long[] sizes, MemorySegment result,
            long[] resultSizes) {
        long[] from = Operands.places("allToAll", "sizes", sizes, size);
        long[] into = Operands.places("allToAll", "sizes of the result", resultSizes, size);
        if (sizes[rank] != resultSizes[rank]) {
            throw new IllegalArgumentException("allToAll: this member's own block has " + sizes[rank]
                    + " bytes to send, but room for " + resultSizes[rank]);
        }
        MemorySegment blocks = operands.readable("allToAll", buffer, from[size]);
        MemorySegment room = operands.room("allToAll", result, into[size]);
        Operands.disjoint("allToAll", blocks, room);
        return start("allToAll", s -> Collecting.exchange(s, blocks, from, room, into));
    }

    /** Checks that a block is this member's own among all blocks, or apart from them. */
    private void inPlace(String operation, MemorySegment all, MemorySegment block, long blockSize) {
        if (block.address() != all.address() + rank * blockSize) {
            Operands.disjoint(operation, all, block);
        }
    }

    @Override
    public CompletableFuture<Void> abort(String reason) {
        return core.abort(Arguments.given(reason, "Group.abort", "the reason"));
    }

    @Override
    public void close() {
        core.close();
    }

    @Override
    public String toString() {
        return "group " + core.name + ", rank " + rank + " of " + size;
    }
}
