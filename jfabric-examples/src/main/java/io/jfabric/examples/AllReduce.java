// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.async.Group;
import io.jfabric.async.Node;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.Hints;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Scanner;

/**
 * Sums a number over several processes. Start it N times with the argument N, and a provider if it is not to be
 * {@code tcp;ofi_rxm}; each prints its address. Type all N addresses, in the same order, into each.
 */
public final class AllReduce {
    private AllReduce() {
    }

    public static void main(String[] args) throws InterruptedException {
        int size = Arguments.number(args, 0, 1);
        try (Hints hints = Hints.create().endpointType(EndpointType.RDM)
                     .provider(args.length > 1 ? args[1] : "tcp;ofi_rxm")
                     .capabilities(Capability.MSG, Capability.TAGGED);
             Node node = Node.open(hints)) {
            String own = HexFormat.of().formatHex(node.address().bytes());
            System.out.println(own);
            Scanner in = new Scanner(System.in);
            List<byte[]> addresses = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                addresses.add(HexFormat.of().parseHex(size == 1 ? own : in.nextLine().strip()));
            }
            try (Group group = Group.ofAddresses(node, addresses)) {
                MemorySegment number = node.memory().allocateFrom(JAVA_LONG, group.rank() + 1);
                group.allReduce(number, number, Datatype.INT64, AtomicOp.SUM).join();
                long sum = number.get(JAVA_LONG, 0);
                Expect.same("the sum of 1 to " + size, size * (size + 1L) / 2, sum);
                System.out.println("rank " + group.rank() + " of " + size + ": the sum of 1 to " + size + " is " + sum);
                group.barrier().join();
                // what was sent last may still be on its way
                Thread.sleep(100);
            }
        }
    }
}
