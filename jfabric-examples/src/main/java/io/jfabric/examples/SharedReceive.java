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
import io.jfabric.SharedReceiveContext;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Three endpoints take their buffers from one pool, so that a server need not keep some for each peer. With sockets;
 * connected endpoints of tcp can do it, too.
 */
public final class SharedReceive {
    private static final int ENDPOINTS = 3;

    private SharedReceive() {
    }

    /** Takes no arguments. */
    public static void main(String[] args) {
        try (Hints hints = Hints.create().provider("sockets").endpointType(EndpointType.RDM)) {
            hints.endpoint().rxContextCount(EndpointAttributes.SHARED_CONTEXT);
            try (FabricInfoList infos = Fabric.getInfo("127.0.0.1", null, Set.of(GetInfoFlag.SOURCE), hints);
                    Fabric fabric = Fabric.open(infos.first());
                    Domain domain = fabric.openDomain(infos.first());
                    FabricArena arena = domain.openArena()) {
                AddressVector addresses = domain.openAddressVector();
                SharedReceiveContext pool = domain.openSharedReceiveContext(infos.first());
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                MemorySegment[] buffers = new MemorySegment[ENDPOINTS];
                Endpoint[] endpoints = new Endpoint[ENDPOINTS];
                for (int i = 0; i < ENDPOINTS; i++) {
                    buffers[i] = arena.allocate(64);
                    while (!pool.messages().receive(buffers[i], Address.ANY, i)) {
                        queue.poll(c -> { }, 1);
                    }
                    endpoints[i] = domain.openEndpoint(infos.first()).bind(queue, TRANSMIT, RECV).bind(addresses)
                            .bind(pool).enable();
                }
                int done = 0;
                Set<String> sent = new TreeSet<>();
                for (int i = 0; i < ENDPOINTS; i++) {
                    long peer = addresses.insert(endpoints[(i + 1) % ENDPOINTS].address());
                    MemorySegment out = arena.allocateFrom("from endpoint " + i);
                    sent.add(out.getString(0));
                    while (!endpoints[i].messages().send(out, peer, ENDPOINTS + i)) {
                        done += poll(queue, buffers);
                    }
                }
                while (done < 2 * ENDPOINTS) {
                    done += poll(queue, buffers);
                }
                // in whatever order they were taken
                Expect.same("the buffers", sent, Stream.of(buffers).map(buffer -> buffer.getString(0))
                        .collect(Collectors.toCollection(TreeSet::new)));
            }
        }
    }

    private static int poll(CompletionQueue queue, MemorySegment[] buffers) {
        return queue.poll(c -> {
            if (c.context() < ENDPOINTS) {
                System.out.println("buffer " + c.context() + ": " + buffers[(int) c.context()].getString(0));
            }
        }, 1);
    }
}
