// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.info.Capability;
import io.jfabric.testkit.NodeGroup;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** All members of a group in one thread, which makes their progress: runs collective operations and checks them. */
final class Company implements AutoCloseable {
    private static final long SECONDS = 30;
    private static final byte BEYOND = 0x5a;
    private static final long GUARD = 64;
    private static final MemorySegment UNTOUCHED = Arena.ofAuto().allocate(GUARD).fill(BEYOND);

    final List<Node> nodes;
    final List<Group> groups;
    private final NodeGroup group;
    private final int size;

    private Company(NodeGroup group) {
        this.group = group;
        nodes = group.nodes;
        groups = group.groups;
        size = nodes.size();
    }

    /** A node for each member. */
    static Company open(Providers.Choice choice, int size) {
        return open(choice, size, NodeOptions.DEFAULT.withCallerProgress());
    }

    static Company open(Providers.Choice choice, int size, NodeOptions options) {
        return new Company(NodeGroup.open(choice, size,
                hints -> hints.capabilities(Capability.MSG, Capability.TAGGED), options));
    }

    List<byte[]> addresses() {
        return group.addresses();
    }

    @Override
    public void close() {
        group.close();
    }

    /** Starts something at each member, and waits for all. */
    void all(String what, Function<Group, CompletableFuture<Void>> start) {
        List<CompletableFuture<Void>> futures = new ArrayList<>();
        groups.forEach(group -> futures.add(start.apply(group)));
        await(what, futures);
    }

    void await(String what, List<CompletableFuture<Void>> futures) {
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        while (!futures.stream().allMatch(CompletableFuture::isDone)) {
            nodes.forEach(Node::progress);
            if (System.nanoTime() > end) {
                throw new AssertionError(what + ": not after " + SECONDS + " s: " + futures);
            }
        }
        futures.forEach(CompletableFuture::join);
    }

    /** Memory with something behind it that must stay as it is. */
    private static MemorySegment[] buffers(Arena arena, int number, IntFunction<Long> bytes) {
        MemorySegment[] all = new MemorySegment[number];
        for (int i = 0; i < number; i++) {
            long length = bytes.apply(i);
            MemorySegment room = arena.allocate(length + GUARD, 64).fill(BEYOND);
            all[i] = room.asSlice(0, length);
            all[i].fill((byte) 0);
        }
        return all;
    }

    /** What member {@code from} has for member {@code to}. */
    private static void fill(MemorySegment block, int from, int to) {
        long words = block.byteSize() / Long.BYTES;
        long word = (from * 31L + to + 1) * 0x9e3779b97f4a7c15L;
        for (long i = 0; i < words; i++) {
            block.setAtIndex(JAVA_LONG_UNALIGNED, i, word + i);
        }
        for (long i = words * Long.BYTES; i < block.byteSize(); i++) {
            block.set(JAVA_BYTE, i, (byte) (word + i));
        }
    }

    private static void requireSame(String what, MemorySegment actual, MemorySegment expected) {
        long at = actual.mismatch(expected);
        if (at >= 0) {
            throw new AssertionError(what + ": byte " + at + " of " + actual.byteSize() + " is wrong");
        }
    }

    /** Everything that does not combine, with blocks of this many bytes, from and to this root; also in place. */
    void move(long block, int root) {
        String what = size + " members, " + block + " bytes, root " + root + ": ";
        try (Arena arena = Arena.ofConfined()) {
            all(what + "barrier", Group::barrier);
            MemorySegment[] one = buffers(arena, size, r -> block);
            MemorySegment[] mine = buffers(arena, size, r -> block);
            MemorySegment[] all = buffers(arena, size, r -> block * size);
            MemorySegment[] results = buffers(arena, size, r -> block * size);
            for (int r = 0; r < size; r++) {
                fill(mine[r], r, 0);
                for (int to = 0; to < size; to++) {
                    fill(all[r].asSlice(to * block, block), r, to);
                }
            }
            one[root].copyFrom(mine[root]);
            all(what + "broadcast", g -> g.broadcast(one[g.rank()], root));
            for (MemorySegment buffer : one) {
                requireSame(what + "broadcast", buffer, mine[root]);
            }
            all(what + "scatter", g -> g.scatter(g.rank() == root ? all[root] : null, one[g.rank()], root));
            for (int r = 0; r < size; r++) {
                requireSame(what + "scatter to " + r, one[r], all[root].asSlice(r * block, block));
            }
            all(what + "gather", g -> g.gather(mine[g.rank()], g.rank() == root ? results[root] : null, root));
            gathered(what + "gather", results[root], mine, block);
            all(what + "gather in place", g -> {
                MemorySegment result = results[g.rank()].fill((byte) 0).asSlice(g.rank() * block, block);
                return g.gather(result.copyFrom(mine[g.rank()]), g.rank() == root ? results[root] : null, root);
            });
            gathered(what + "gather in place", results[root], mine, block);
            MemorySegment original = arena.allocate(block * size).copyFrom(all[root]);
            all(what + "scatter in place", g -> g.rank() == root
                    ? g.scatter(all[root], all[root].asSlice(root * block, block), root)
                    : g.scatter(null, one[g.rank()].fill((byte) 0), root));
            requireSame(what + "scatter in place", all[root], original);
            for (int r = 0; r < size; r++) {
                requireSame(what + "scatter in place to " + r, r == root ? all[r].asSlice(r * block, block) : one[r],
                        original.asSlice(r * block, block));
            }
            all(what + "allgather", g -> g.allGather(mine[g.rank()], results[g.rank()].fill((byte) 0)));
            for (MemorySegment result : results) {
                gathered(what + "allgather", result, mine, block);
            }
            all(what + "allgather in place", g -> {
                MemorySegment result = results[g.rank()].fill((byte) 0);
                MemorySegment own = result.asSlice(g.rank() * block, block).copyFrom(mine[g.rank()]);
                return g.allGather(own, result);
            });
            for (MemorySegment result : results) {
                gathered(what + "allgather in place", result, mine, block);
            }
            all(what + "alltoall", g -> g.allToAll(all[g.rank()], results[g.rank()]));
            exchanged(what + "alltoall", results, all, block);
            MemorySegment[] originals = buffers(arena, size, r -> block * size);
            for (int r = 0; r < size; r++) {
                originals[r].copyFrom(all[r]);
            }
            all(what + "alltoall in place", g -> g.allToAll(all[g.rank()], all[g.rank()]));
            exchanged(what + "alltoall in place", all, originals, block);
            unspoilt(what, one, mine, all, results);
        }
    }

    /** All-to-all with blocks of other sizes for each two members, some of them empty, of up to this many bytes. */
    void exchangeOfSizes(long most) {
        long[][] sizes = new long[size][size];
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                sizes[from][to] = (from * 3 + to * 2) % 5 * most / 4;
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment[] mine = buffers(arena, size, r -> LongStream.of(sizes[r]).sum());
            MemorySegment[] results = buffers(arena, size, r -> LongStream.of(column(sizes, r)).sum());
            for (int from = 0; from < size; from++) {
                for (int to = 0; to < size; to++) {
                    fill(block(mine[from], sizes[from], to), from, to);
                }
            }
            String what = size + " members, up to " + most + " bytes: alltoall";
            all(what, g -> g.allToAll(mine[g.rank()], sizes[g.rank()], results[g.rank()], column(sizes, g.rank())));
            for (int to = 0; to < size; to++) {
                for (int from = 0; from < size; from++) {
                    requireSame(what + " from " + from + " to " + to, block(results[to], column(sizes, to), from),
                            block(mine[from], sizes[from], to));
                }
            }
            unspoilt(what, mine, results);
        }
    }

    private static long[] column(long[][] sizes, int to) {
        return Stream.of(sizes).mapToLong(row -> row[to]).toArray();
    }

    private static MemorySegment block(MemorySegment all, long[] sizes, int index) {
        return all.asSlice(LongStream.of(sizes).limit(index).sum(), sizes[index]);
    }

    private void gathered(String what, MemorySegment result, MemorySegment[] mine, long block) {
        for (int r = 0; r < size; r++) {
            requireSame(what + " of " + r, result.asSlice(r * block, block), mine[r]);
        }
    }

    private void exchanged(String what, MemorySegment[] results, MemorySegment[] all, long block) {
        for (int to = 0; to < size; to++) {
            for (int from = 0; from < size; from++) {
                requireSame(what + " from " + from + " to " + to, results[to].asSlice(from * block, block),
                        all[from].asSlice(to * block, block));
            }
        }
    }

    private static void unspoilt(String what, MemorySegment[]... all) {
        for (MemorySegment[] buffers : all) {
            for (MemorySegment buffer : buffers) {
                MemorySegment behind = MemorySegment.ofAddress(buffer.address() + buffer.byteSize())
                        .reinterpret(GUARD);
                requireSame(what + "memory behind a buffer", behind, UNTOUCHED);
            }
        }
    }

    /** The same numbers: a zero may have another sign when the order was another. */
    private static void requireEqual(String what, MemorySegment actual, MemorySegment expected, Datatype type) {
        if (actual.mismatch(expected) < 0) {
            return;
        }
        for (long i = 0; i < actual.byteSize() / type.byteSize(); i++) {
            if (!Numbers.actual(actual, type, i).equals(Numbers.actual(expected, type, i))) {
                throw new AssertionError(what + ": element " + i + " is " + Numbers.actual(actual, type, i)
                        + ", should be " + Numbers.actual(expected, type, i));
            }
        }
    }

    /** Everything that combines, with blocks of this many elements for reduce-scatter; also in place. */
    void combine(long block, int root, Datatype type, AtomicOp op) {
        String what = size + " members, " + type + ", " + op + ", " + block + " elements, root " + root + ": ";
        long bytes = block * size * type.byteSize();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment[] mine = buffers(arena, size, r -> bytes);
            MemorySegment[] results = buffers(arena, size, r -> bytes);
            MemorySegment[] parts = buffers(arena, size, r -> bytes / size);
            for (int r = 0; r < size; r++) {
                Numbers.fill(mine[r], type, r + block);
            }
            all(what + "allreduce", g -> g.allReduce(mine[g.rank()], results[g.rank()], type, op));
            for (long i = 0; i < block * size; i += Math.max(1, block * size / 1000)) {
                String actual = Numbers.actual(results[0], type, i);
                String expected = Numbers.expected(mine, type, op, i);
                if (!actual.equals(expected)) {
                    throw new AssertionError(what + "element " + i + " is " + actual + ", should be " + expected);
                }
            }
            MemorySegment result = arena.allocate(bytes).copyFrom(results[0]);
            for (int r = 1; r < size; r++) {
                requireSame(what + "allreduce at " + r, results[r], result);
            }
            all(what + "reduce", g -> g.reduce(mine[g.rank()], g.rank() == root ? results[root].fill((byte) 0) : null,
                    type, op, root));
            requireEqual(what + "reduce", results[root], result, type);
            all(what + "reducescatter", g -> g.reduceScatter(mine[g.rank()], parts[g.rank()], type, op));
            for (int r = 0; r < size; r++) {
                requireEqual(what + "reducescatter to " + r, parts[r],
                        result.asSlice(r * (bytes / size), bytes / size), type);
            }
            MemorySegment[] own = buffers(arena, size, r -> bytes);
            all(what + "reduce in place", g -> g.reduce(own[g.rank()].copyFrom(mine[g.rank()]),
                    g.rank() == root ? own[root] : null, type, op, root));
            requireEqual(what + "reduce in place", own[root], result, type);
            long part = bytes / size;
            all(what + "reducescatter in place", g -> g.reduceScatter(own[g.rank()].copyFrom(mine[g.rank()]),
                    own[g.rank()].asSlice(g.rank() * part, part), type, op));
            for (int r = 0; r < size; r++) {
                requireEqual(what + "reducescatter in place to " + r, own[r].asSlice(r * part, part),
                        result.asSlice(r * part, part), type);
            }
            all(what + "allreduce in place", g -> g.allReduce(mine[g.rank()], mine[g.rank()], type, op));
            for (int r = 0; r < size; r++) {
                requireSame(what + "allreduce in place at " + r, mine[r], result);
            }
            unspoilt(what, mine, results, parts, own);
        }
    }
}
