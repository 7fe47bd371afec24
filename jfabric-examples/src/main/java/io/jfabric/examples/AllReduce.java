// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.AddressVector;
import io.jfabric.AtomicOp;
import io.jfabric.CompletionQueue;
import io.jfabric.Datatype;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.collective.AddressVectorSet;
import io.jfabric.collective.AddressVectorSetAttributes;
import io.jfabric.collective.CollectiveGroup;
import io.jfabric.collective.Collectives;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Scanner;

/**
 * Sums a number over several processes. Start it N times with the argument N; each prints its address. Type all N
 * addresses, in the same order, into each.
 */
public final class AllReduce {
    private AllReduce() {
    }

    public static void main(String[] args) {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        try (Hints hints = Hints.create().endpointType(EndpointType.RDM).provider("tcp;ofi_rxm")
                     .capabilities(Capability.MSG, Capability.TAGGED, Capability.COLLECTIVE);
             FabricInfoList infos = Fabric.getInfo(hints)) {
            FabricInfo info = infos.first();
            try (Fabric fabric = Fabric.open(info);
                 Domain domain = fabric.openDomain(info);
                 FabricArena arena = domain.openArena();
                 EventQueue events = fabric.openEventQueue();
                 AddressVector addresses = domain.openAddressVector();
                 CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                 Endpoint endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                         .bind(addresses).bind(events).enable()) {
                String own = HexFormat.of().formatHex(endpoint.address().bytes());
                System.out.println(own);
                Scanner in = new Scanner(System.in);
                for (int i = 0; i < size; i++) {
                    addresses.insert(HexFormat.of().parseHex(size == 1 ? own : in.nextLine().strip()));
                }
                AddressVectorSet all = AddressVectorSet.open(addresses,
                        AddressVectorSetAttributes.range(0, size - 1, 1));
                CollectiveGroup group = Collectives.of(endpoint).join(all, 0);
                while (!group.isJoined()) {
                    queue.poll(c -> { }, 8);
                    events.poll();
                }
                MemorySegment mine = arena.allocateFrom(JAVA_LONG, group.rank() + 1);
                MemorySegment sum = arena.allocate(JAVA_LONG);
                while (!Collectives.of(endpoint).allReduce(group, mine, sum, Datatype.INT64, AtomicOp.SUM, 7)) {
                    queue.poll(c -> { }, 8);
                }
                while (queue.poll(c -> { }, 1) == 0) {
                    Thread.onSpinWait();
                }
                System.out.println("rank " + group.rank() + " of " + size + ": the sum of 1 to " + size + " is "
                        + sum.get(JAVA_LONG, 0));
            }
        }
    }
}
