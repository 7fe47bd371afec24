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
import java.util.concurrent.CompletionException;

/**
 * One of several processes that add up numbers, as docs/getting-started.md shows: when one dies the others go on, but
 * the last but one of them does not.
 */
public final class SurvivorsChild {
    private static final long STEPS_AFTERWARDS = 20;
    /** Bits below the number of the step: one for each member. */
    private static final int HIGH = 32;

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
                alive.watch(all);
                work(node, interval, all, in);
            }
            // nobody is to be missed by those who are not so far
            in.readLine();
        }
        System.out.println("END");
    }

    private static void work(Node node, Duration interval, Group all, BufferedReader in)
            throws IOException {
        Group group = all;
        MemorySegment buffer = node.allocate(Long.BYTES);
        MemorySegment result = node.allocate(Long.BYTES);
        long step = 0;
        long end = Long.MAX_VALUE;
        while (step < end) {
            buffer.set(JAVA_LONG, 0, step << HIGH | 1L << all.rank());
            try {
                group.allReduce(buffer, result, Datatype.INT64, AtomicOp.SUM).join();
            } catch (CompletionException somebodyDied) {
                System.out.println("FAILED " + somebodyDied.getCause().getMessage());
                if (all.rank() == all.size() - 2) {
                    // the others wait for it until it is killed
                    in.readLine();
                }
                Group.Shrunk left = group.shrink(step, interval.multipliedBy(8)).join();
                group = left.group();
                step = left.least();
                end = step + STEPS_AFTERWARDS;
                buffer = node.allocate(Long.BYTES);
                result = node.allocate(Long.BYTES);
                continue;
            }
            long sum = result.get(JAVA_LONG, 0);
            require(sum >> HIGH, group.size() * step);
            require(Integer.bitCount((int) sum), group.size());
            if (step++ == 0) {
                System.out.println("BEGUN " + all.rank());
            }
        }
        System.out.println("RIGHT " + all.rank() + " of " + group.size());
    }

    private static void require(long actual, long expected) throws IOException {
        if (actual != expected) {
            throw new IOException(actual + " instead of " + expected);
        }
    }
}
