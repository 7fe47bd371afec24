// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
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
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.wait.FdWaiter;
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
            try (Fabric fabric = Fabric.open(info);
                 Domain domain = fabric.openDomain(info);
                 FabricArena arena = domain.openArena();
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
                Expect.same("the message", out.getString(0), in.getString(0));
                System.out.println("received: " + in.getString(0));
            }
        }
    }
}
