// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.collective;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.async.Group;
import io.jfabric.async.IdleStrategy;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.bench.Compilers;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One process of an allreduce of doubles, as {@code allreduce.c} is by MPI; {@code scripts/bench-collectives} starts
 * them. Rank 0 prints the microseconds of one operation: fastest, median and slowest round.
 */
public final class AllReduce {
    private static final int WARM_UP_ROUNDS = 100;
    /** Nanoseconds: while there is that much to compile it would be measured, too. */
    private static final long LONGEST_WARM_UP = 60_000_000_000L;

    private AllReduce() {
    }

    /**
     * Runs one process.
     *
     * @param args provider, rank, number of processes, empty directory for addresses, bytes, rounds, operations of a
     *     round
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        int rank = Integer.parseInt(args[1]);
        int size = Integer.parseInt(args[2]);
        Path directory = Path.of(args[3]);
        int rounds = Integer.parseInt(args[5]);
        // as MPI does: who waits makes the progress
        NodeOptions options = NodeOptions.DEFAULT.withCallerProgress()
                .withIdle(IdleStrategy.yielding().withSpin(Duration.ZERO));
        try (Hints hints = Hints.rdm().provider(args[0]).capabilities(Capability.MSG, Capability.TAGGED);
                Node node = Node.open(hints, options);
                Group group = Group.ofAddresses(node, meet(node, rank, size, directory))) {
            double[] times = measure(node, group, rank, size, Long.parseLong(args[4]), rounds,
                    Integer.parseInt(args[6]));
            Arrays.sort(times);
            if (rank == 0) {
                System.out.println(String.format(Locale.ROOT, "%.1f %.1f %.1f", times[0], times[rounds / 2],
                        times[rounds - 1]));
            }
            // nobody leaves before all have heard of the last
            group.barrier().join();
            Thread.sleep(200);
        }
    }

    private static double[] measure(Node node, Group group, int rank, int size, long bytes, int rounds, int each) {
        long elements = bytes / Double.BYTES;
        MemorySegment mine = node.allocate(bytes);
        MemorySegment result = node.allocate(bytes);
        for (long i = 0; i < elements; i++) {
            mine.setAtIndex(JAVA_DOUBLE, i, rank + i);
        }
        warmUp(node, group, mine, result, each);
        double[] times = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            times[round] = round(group, mine, result, each);
        }
        for (long i = 0; i < elements; i++) {
            double expected = size * (size - 1) / 2.0 + (double) size * i;
            if (result.getAtIndex(JAVA_DOUBLE, i) != expected) {
                throw new IllegalStateException("rank " + rank + ": element " + i + " is wrong");
            }
        }
        return times;
    }

    private static double round(Group group, MemorySegment mine, MemorySegment result, int each) {
        group.barrier().join();
        long begin = System.nanoTime();
        for (int i = 0; i < each; i++) {
            group.allReduce(mine, result, Datatype.DOUBLE, AtomicOp.SUM).join();
        }
        return (System.nanoTime() - begin) / 1e3 / each;
    }

    /**
     * Until no process has anything to compile. The compilers share the CPUs with who waits for messages, and an
     * operation takes ten times as long beside them.
     */
    private static void warmUp(Node node, Group group, MemorySegment mine, MemorySegment result, int each) {
        MemorySegment busy = node.allocate(Long.BYTES);
        MemorySegment somebody = node.allocate(Long.BYTES);
        Compilers compilers = new Compilers();
        long end = System.nanoTime() + LONGEST_WARM_UP;
        int rounds = 0;
        do {
            round(group, mine, result, each);
            boolean goOn = ++rounds < WARM_UP_ROUNDS || compilers.areBusy() && System.nanoTime() - end < 0;
            busy.set(JAVA_LONG, 0, goOn ? 1 : 0);
            group.allReduce(busy, somebody, Datatype.INT64, AtomicOp.MAX).join();
        } while (somebody.get(JAVA_LONG, 0) != 0);
    }

    private static List<byte[]> meet(Node node, int rank, int size, Path directory)
            throws IOException, InterruptedException {
        Path unfinished = directory.resolve("unfinished" + rank);
        Files.write(unfinished, node.address().bytes());
        Files.move(unfinished, directory.resolve("address" + rank), StandardCopyOption.ATOMIC_MOVE);
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Path other = directory.resolve("address" + i);
            while (!Files.exists(other)) {
                Thread.sleep(5);
            }
            all.add(Files.readAllBytes(other));
        }
        return all;
    }
}
