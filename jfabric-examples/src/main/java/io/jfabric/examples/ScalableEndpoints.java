// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.ScalableEndpoint;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.AddressVectorAttributes;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Sends a message to each of several receive contexts at one address. Of the software providers only sockets can. */
public final class ScalableEndpoints {
    private static final int CONTEXTS = 4;
    /** Bits of an address that say which context. */
    private static final int BITS = 2;

    private ScalableEndpoints() {
    }

    /** Takes no arguments. */
    public static void main(String[] args) {
        try (Hints hints = Hints.create().provider("sockets").endpointType(EndpointType.RDM)) {
            hints.endpoint().txContextCount(1).rxContextCount(CONTEXTS);
            try (FabricInfoList infos = Fabric.getInfo("127.0.0.1", null, Set.of(GetInfoFlag.SOURCE), hints);
                    Fabric fabric = Fabric.open(infos.first());
                    Domain domain = fabric.openDomain(infos.first());
                    FabricArena arena = domain.openArena()) {
                AddressVector addresses = domain.openAddressVector(
                        AddressVectorAttributes.DEFAULT.withReceiveContextBits(BITS));
                ScalableEndpoint endpoint = domain.openScalableEndpoint(infos.first()).bind(addresses).enable();
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                Endpoint sender = endpoint.transmitContext(0).bind(queue, TRANSMIT).enable();
                long self = addresses.insert(endpoint.address());
                for (int i = 0; i < CONTEXTS; i++) {
                    MemorySegment in = arena.allocate(64);
                    Endpoint receiver = endpoint.receiveContext(i).bind(queue, RECV).enable();
                    MemorySegment out = arena.allocateFrom("for context " + i);
                    int done = 0;
                    while (!receiver.messages().receive(in, Address.ANY, i)) {
                        done += queue.poll(c -> { }, 2);
                    }
                    while (!sender.messages().send(out, AddressVector.receiveContextAddress(self, i, BITS), i)) {
                        done += queue.poll(c -> { }, 2);
                    }
                    while (done < 2) {
                        done += queue.poll(c -> { }, 2);
                    }
                    Expect.same("context " + i, out.getString(0), in.getString(0));
                    System.out.println(receiver + " got: " + in.getString(0));
                }
            }
        }
    }
}
