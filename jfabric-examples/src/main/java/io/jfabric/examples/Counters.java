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

/**
 * Waits for a number of messages instead of looking at each: a counter of received ones. Both ends are one endpoint.
 * An argument names the provider.
 */
public final class Counters {
    private static final int MESSAGES = 10;

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
                MemorySegment in = arena.allocate(MESSAGES * 64L);
                MemorySegment out = arena.allocateFrom("counted");
                for (int i = 0; i < MESSAGES; i++) {
                    MemorySegment slot = in.asSlice(i * 64L, 64);
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
                System.out.println("received " + received.read() + " messages");
            }
        }
    }
}
