// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testing.Meeting;
import io.jfabric.testkit.Providers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One of several processes, the first of which cancels an operation; without a deadline. */
public final class ToldMember {
    private ToldMember() {
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (FabricInfoList infos = new Providers.Choice(args[0], EndpointType.RDM).find(hints ->
                     hints.capabilities(Capability.MSG, Capability.TAGGED));
             Node node = Node.open(infos.first(), NodeOptions.DEFAULT.withDeadline(NodeOptions.NO_DEADLINE))) {
            List<byte[]> all = Meeting.join(node.address().bytes(), Integer.parseInt(args[1]), in);
            try (Group group = Group.ofAddresses(node, all)) {
                group.barrier().join();
                boolean cancelled = false;
                // some of its messages may have been sent, and with them the others may complete it
                while (!cancelled) {
                    CompletableFuture<Void> barrier = group.barrier();
                    if (group.rank() == 0) {
                        cancelled = barrier.cancel(false);
                    } else {
                        barrier.join();
                    }
                }
            } catch (CompletionException e) {
                System.out.println("FAILED " + e.getMessage());
            }
            in.readLine();
        }
    }
}
