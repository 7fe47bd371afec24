// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** One of several processes that add up numbers, as docs/getting-started.md shows: when one dies the others go on. */
public final class SurvivorsChild {
    private static final long STEPS_AFTERWARDS = 20;

    private SurvivorsChild() {
    }

    public static void main(String[] args) throws Exception {
        int size = Integer.parseInt(args[1]);
        Duration interval = Duration.ofMillis(Long.parseLong(args[2]));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (FabricInfoList infos = new Providers.Choice(args[0], EndpointType.RDM).find(hints ->
                     hints.capabilities(Capability.MSG, Capability.TAGGED));
             Node node = Node.open(infos.first());
             KeepAlive alive = KeepAlive.open(node, interval, 4)) {
            List<byte[]> everyone = Meeting.join(node.address().bytes(), size, in);
            try (Group all = Group.ofAddresses(node, everyone)) {
                work(node, alive, interval, everyone, all);
            }
            // nobody is to be missed by those who are not so far
            in.readLine();
        }
        System.out.println("END");
    }

    private static void work(Node node, KeepAlive alive, Duration interval, List<byte[]> everyone, Group all)
            throws Exception {
        List<Peer> members = everyone.stream().map(node::peer).toList();
        IntStream.range(0, all.size()).filter(r -> r != all.rank()).forEach(r -> alive.watch(members.get(r)));
        int[] left = IntStream.range(0, all.size()).toArray();
        Group group = all;
        boolean agreed = true;
        long step = 0;
        long end = Long.MAX_VALUE;
        while (step < end) {
            try {
                if (!agreed) {
                    step = least(node, group, step);
                    end = step + STEPS_AFTERWARDS;
                    agreed = true;
                }
                require(sum(node, group, (all.rank() + 1) * (step + 1)),
                        IntStream.of(left).mapToLong(r -> r + 1).sum() * (step + 1));
                if (step++ == 0) {
                    System.out.println("BEGUN " + all.rank());
                }
            } catch (CompletionException failure) {
                System.out.println("FAILED " + failure.getCause().getMessage());
                CompletableFuture.anyOf(IntStream.of(left).mapToObj(r -> members.get(r).ended())
                        .toArray(CompletableFuture[]::new)).handle((done, why) -> done)
                        .get(4 * interval.toMillis(), TimeUnit.MILLISECONDS);
                left = IntStream.of(left).filter(r -> members.get(r).isOpen()).toArray();
                group = all.subgroup("left", left).within(interval.multipliedBy(4));
                agreed = false;
            }
        }
        System.out.println("RIGHT " + all.rank() + " of " + group.size());
    }

    /** In memory of its own each time: what has failed may still write to that of another. */
    private static long combined(Node node, Group group, long number, AtomicOp how) {
        MemorySegment mine = node.allocate(8);
        MemorySegment result = node.allocate(8);
        mine.set(JAVA_LONG, 0, number);
        group.allReduce(mine, result, Datatype.INT64, how).join();
        return result.get(JAVA_LONG, 0);
    }

    private static long sum(Node node, Group group, long number) {
        return combined(node, group, number, AtomicOp.SUM);
    }

    private static long least(Node node, Group group, long number) {
        return combined(node, group, number, AtomicOp.MIN);
    }

    private static void require(long actual, long expected) throws IOException {
        if (actual != expected) {
            throw new IOException(actual + " instead of " + expected);
        }
    }
}
