// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Hints;
import io.jfabric.testing.Meeting;
import io.jfabric.testkit.Providers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A member of a group whose rank 0 sends what another member does not ask for: late, or never. */
public final class HeldUpMember {
    static final int SIZE = 3;
    static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(1);
    /** More than shm copies in each message. */
    private static final long BYTES = 64 << 10;

    private HeldUpMember() {
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Hints hints = new Providers.Choice(args[0], EndpointType.RDM).hints()
                     .capabilities(Capability.MSG, Capability.TAGGED);
             Node node = Node.open(hints, NodeOptions.DEFAULT.withDeadline(DEADLINE))) {
            List<byte[]> all = Meeting.join(node.address().bytes(), SIZE, in);
            run(args[1], node, all);
            System.out.println("RIGHT");
            // nobody is to be missed by those who are not so far
            in.readLine();
        }
    }

    static void run(String what, Node node, List<byte[]> all) {
        try (Group group = Group.ofAddresses(node, all)) {
            group.barrier().join();
            if (what.equals("ahead")) {
                ahead(node, group);
            } else {
                missing(node, group, all);
            }
        }
    }

    /** Rank 0 starts a broadcast at once, the others when they have the sum. */
    private static void ahead(Node node, Group group) {
        CompletableFuture<Void> sum = sum(node, group);
        if (group.rank() != 0) {
            sum.join();
        }
        group.broadcast(node.allocate(BYTES), 0).join();
        sum.join();
    }

    /** The last member does not come to a broadcast; where the kernel takes what is sent its root need not know. */
    private static void missing(Node node, Group meeting, List<byte[]> all) {
        try (Group group = Group.ofAddresses(node, "first", all)) {
            if (group.rank() != SIZE - 1) {
                group.within(SHORT).broadcast(node.allocate(BYTES), 0).join();
            }
            if (group.rank() == 0 && !node.info().provider().equals("tcp")) {
                throw new AssertionError("nobody received it");
            }
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof FabricException late) || late.error() != FabricError.ETIMEDOUT) {
                throw e;
            }
        }
        meeting.barrier().join();
        try (Group group = Group.ofAddresses(node, "second", all)) {
            sum(node, group).join();
            meeting.barrier().join();
        }
    }

    private static CompletableFuture<Void> sum(Node node, Group group) {
        return group.allReduce(node.allocate(BYTES), node.allocate(BYTES), Datatype.INT64, AtomicOp.SUM);
    }
}
