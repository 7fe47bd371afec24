// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.MemoryRegion;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import io.jfabric.trigger.Deferral;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * Queues a chain of operations that the provider runs by itself: a write, then a read of what was written, each
 * started by the completion of the one before. Needs deferred work, which sockets has.
 */
public final class DeferredChain {
    private static final long NUMBER = 42;

    private DeferredChain() {
    }

    public static void main(String[] args) {
        String provider = args.length > 0 ? args[0] : "sockets";
        try (Hints hints = Hints.create().endpointType(EndpointType.RDM).provider(provider)
                     .capabilities(Capability.RMA, Capability.TRIGGER);
             FabricInfoList infos = Fabric.getInfo(hints)) {
            FabricInfo info = infos.first();
            try (Fabric fabric = Fabric.open(info);
                 Domain domain = fabric.openDomain(info);
                 FabricArena arena = domain.openArena();
                 AddressVector addresses = domain.openAddressVector();
                 CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                 Counter go = domain.openCounter();
                 Counter written = domain.openCounter();
                 Counter read = domain.openCounter();
                 Endpoint endpoint = domain.openEndpoint(info)
                         .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses).enable();
                 MemoryRegion region = domain.register(arena.allocate(8), MemoryAccess.REMOTE_READ,
                         MemoryAccess.REMOTE_WRITE)) {
                long self = addresses.insert(endpoint.address());
                MemorySegment target = region.memory();
                MemorySegment back = arena.allocate(8);
                Deferral.at(go, 1).completionCounter(written).queue(endpoint.rma().writeRequest()
                        .buffers(arena.allocateFrom(JAVA_LONG, NUMBER)).peer(self).range(region.remote(), 0, 8));
                Deferral.at(written, 1).completionCounter(read).queue(endpoint.rma().readRequest()
                        .buffers(back).peer(self).range(region.remote(), 0, 8));
                System.out.println("queued; the target holds " + target.get(JAVA_LONG, 0));
                go.add(1);
                if (!read.await(1, Duration.ofSeconds(10))) {
                    throw new IllegalStateException("written " + written.read() + " of 1, read " + read.read()
                            + " of 1 within 10 s");
                }
                Expect.same("the target", NUMBER, target.get(JAVA_LONG, 0));
                Expect.same("what was read", NUMBER, back.get(JAVA_LONG, 0));
                System.out.println("done; written and read back: " + back.get(JAVA_LONG, 0));
            }
        }
    }
}
