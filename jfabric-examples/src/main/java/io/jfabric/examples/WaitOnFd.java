// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.Address;
import io.jfabric.AddressVector;
import io.jfabric.BindFlag;
import io.jfabric.CompletionFormat;
import io.jfabric.CompletionQueue;
import io.jfabric.CompletionQueueAttributes;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricInfo;
import io.jfabric.FabricInfoList;
import io.jfabric.FdWaiter;
import io.jfabric.Hints;
import io.jfabric.WaitObject;
import io.jfabric.info.EndpointType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * Sleeps until there is a completion, instead of spinning: the queue's file descriptor. Both ends are one endpoint. An
 * argument names the provider; not all have descriptors.
 */
public final class WaitOnFd {
    private WaitOnFd() {
    }

    public static void main(String[] args) {
        String provider = args.length > 0 ? args[0] : "tcp;ofi_rxm";
        try (Hints hints = Hints.create().endpointType(EndpointType.RDM).provider(provider);
             FabricInfoList infos = Fabric.getInfo(hints)) {
            FabricInfo info = infos.first();
            try (Arena arena = Arena.ofConfined();
                 Fabric fabric = Fabric.open(info);
                 Domain domain = fabric.openDomain(info);
                 AddressVector addresses = domain.openAddressVector();
                 CompletionQueue queue = domain.openCompletionQueue(
                         CompletionQueueAttributes.of(CompletionFormat.MSG).withWaitObject(WaitObject.FD));
                 Endpoint endpoint = domain.openEndpoint(info)
                         .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses).enable()) {
                long self = addresses.insert(endpoint.address());
                FdWaiter waiter = FdWaiter.of(queue.fileDescriptor());
                MemorySegment in = arena.allocate(64);
                MemorySegment out = arena.allocateFrom("worth waking up for");
                while (!endpoint.messages().receive(in, Address.ANY, 1)) {
                    queue.poll(c -> { }, 8);
                }
                while (!endpoint.messages().send(out, self, 2)) {
                    queue.poll(c -> { }, 8);
                }
                int done = 0;
                while (done < 2) {
                    done += queue.poll(c -> System.out.println("completed " + c.context()), 8);
                    // Never sleep without asking: what has arrived already may not wake anybody.
                    if (done < 2 && fabric.tryWait(queue)) {
                        waiter.await(Duration.ofSeconds(1));
                    }
                }
                System.out.println("received: " + in.getString(0));
            }
        }
    }
}
