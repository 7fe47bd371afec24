// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testing.Meeting;
import io.jfabric.testkit.Providers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

/** One of several processes: works with the others at several sizes, then until one of them dies. */
public final class GroupChild {
    private static final long[] SIZES = {1, 7, 1_000, 4_099, 100_003, 1_000_000};

    private GroupChild() {
    }

    public static void main(String[] args) throws IOException {
        int size = Integer.parseInt(args[1]);
        Duration deadline = Duration.ofMillis(Long.parseLong(args[2]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (FabricInfoList infos = new Providers.Choice(args[0], EndpointType.RDM).find(hints ->
                     hints.capabilities(Capability.MSG, Capability.TAGGED));
             Node node = Node.open(infos.first())) {
            List<byte[]> all = Meeting.join(node.address().bytes(), size, in);
            try (Group group = Group.ofAddresses(node, all)) {
                for (long count : SIZES) {
                    work(node, group, count);
                }
                System.out.println("RIGHT " + group.rank());
                untilSomebodyDies(node, group.within(deadline));
            }
        }
        System.out.println("END");
    }

    private static void work(Node node, Group group, long count) {
        int rank = group.rank();
        int size = group.size();
        MemorySegment mine = node.allocate(8 * count);
        MemorySegment sum = node.allocate(8 * count);
        for (long i = 0; i < count; i++) {
            mine.setAtIndex(JAVA_LONG, i, (rank + 1) * i);
        }
        group.allReduce(mine, sum, Datatype.INT64, AtomicOp.SUM).join();
        for (long i = 0; i < count; i++) {
            require(sum.getAtIndex(JAVA_LONG, i), size * (size + 1) / 2 * i);
        }
        group.broadcast(mine, (int) (count % size)).join();
        for (long i = 0; i < count; i++) {
            require(mine.getAtIndex(JAVA_LONG, i), (count % size + 1) * i);
        }
        long block = count / size;
        MemorySegment out = node.allocate(8 * block * size);
        for (int to = 0; to < size; to++) {
            for (long i = 0; i < block; i++) {
                out.setAtIndex(JAVA_LONG, to * block + i, rank * 1000L + to + i);
            }
        }
        group.allToAll(out, out).join();
        for (int from = 0; from < size; from++) {
            for (long i = 0; i < block; i++) {
                require(out.getAtIndex(JAVA_LONG, from * block + i), from * 1000L + rank + i);
            }
        }
        group.barrier().join();
    }

    private static void require(long actual, long expected) {
        if (actual != expected) {
            throw new AssertionError(actual + " instead of " + expected);
        }
    }

    private static void untilSomebodyDies(Node node, Group group) {
        // tcp;ofi_rxm cannot be closed while a longer message waits for its receiver
        boolean shortOnly = node.info().provider().contains("rxm");
        MemorySegment memory = node.allocate(8 * (shortOnly ? 1_500 : 20_000));
        while (true) {
            long begin = System.nanoTime();
            try {
                group.allReduce(memory, memory, Datatype.INT64, AtomicOp.MAX).join();
            } catch (CompletionException e) {
                System.out.println("FAILED " + (System.nanoTime() - begin) / 1_000_000 + " "
                        + (e.getCause() instanceof FabricException ? e.getCause().getMessage() : e));
                return;
            }
        }
    }
}
