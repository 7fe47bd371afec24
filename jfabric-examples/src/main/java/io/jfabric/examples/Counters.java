// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/**
 * Waits for a number of messages instead of looking at each: a counter of received ones. Both ends are one endpoint.
 * An argument names the provider.
 */
public final class Counters {
    private static final int MESSAGES = 10;
    private static final long SLOT = 64;

    private Counters() {
    }

    public static void main(String[] args) {
        String provider = args.length > 0 ? args[0] : "tcp;ofi_rxm";
        try (Hints hints = Hints.create().endpointType(EndpointType.RDM).provider(provider).oneThread();
             FabricInfoList infos = Fabric.getInfo(hints)) {
            FabricInfo info = infos.first();
            try (Fabric fabric = Fabric.open(info);
                 Domain domain = fabric.openDomain(info);
                 FabricArena arena = domain.openArena();
                 AddressVector addresses = domain.openAddressVector();
                 CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                 Counter received = domain.openCounter();
                 Endpoint endpoint = domain.openEndpoint(info)
                         .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                         .bind(received, BindFlag.RECV).bind(addresses).enable()) {
                long self = addresses.insert(endpoint.address());
                MemorySegment in = arena.allocate(MESSAGES * SLOT);
                Set<String> sent = new TreeSet<>();
                for (int i = 0; i < MESSAGES; i++) {
                    MemorySegment slot = in.asSlice(i * SLOT, SLOT);
                    MemorySegment out = arena.allocateFrom("message " + i);
                    sent.add("message " + i);
                    while (!endpoint.messages().receive(slot, Address.ANY, i)) {
                        queue.poll(c -> { }, 8);
                    }
                    while (!endpoint.messages().send(out, self, i)) {
                        queue.poll(c -> { }, 8);
                    }
                }
                if (!received.await(MESSAGES, Duration.ofSeconds(10))) {
                    throw new IllegalStateException("only " + received.read() + " of " + MESSAGES + " arrived");
                }
                // not every provider keeps their order
                Set<String> arrived = new TreeSet<>();
                for (int i = 0; i < MESSAGES; i++) {
                    arrived.add(in.getString(i * SLOT));
                }
                Expect.same("the slots", sent, arrived);
                System.out.println("received " + received.read() + " messages");
            }
        }
    }
}
