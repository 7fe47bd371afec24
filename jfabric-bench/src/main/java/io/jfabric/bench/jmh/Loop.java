// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.jmh;

import io.jfabric.Address;
import io.jfabric.AddressVector;
import io.jfabric.BindFlag;
import io.jfabric.Completion;
import io.jfabric.CompletionFormat;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricInfo;
import io.jfabric.FabricInfoList;
import io.jfabric.GetInfoFlag;
import io.jfabric.Hints;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** An endpoint that talks to itself: no peer, hence nothing but the cost of the calls. */
@State(Scope.Thread)
public class Loop implements CompletionHandler {
    /** Libfabric's name of the provider. */
    @Param("shm")
    public String provider;
    /** The local address to bind to; empty for the provider's choice. */
    @Param("")
    public String node;

    Domain domain;
    Endpoint endpoint;
    CompletionQueue queue;
    MemorySegment send;
    MemorySegment receive;
    long peer;
    long sent;
    long received;
    private Fabric fabric;
    private Arena arena;

    Hints hints() {
        return Hints.create().endpointType(EndpointType.RDM).provider(provider).capabilities(Capability.TAGGED);
    }

    FabricInfoList infos(Hints hints) {
        return node.isEmpty() ? Fabric.getInfo(hints) : Fabric.getInfo(node, null, Set.of(GetInfoFlag.SOURCE), hints);
    }

    /** Opens. */
    @Setup(Level.Trial)
    public void open() {
        try (Hints hints = hints(); FabricInfoList infos = infos(hints)) {
            FabricInfo info = infos.first();
            fabric = Fabric.open(info);
            domain = fabric.openDomain(info);
            AddressVector addresses = domain.openAddressVector();
            queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
            endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECEIVE).bind(addresses)
                    .enable();
            peer = addresses.insert(endpoint.address().bytes());
        }
        arena = Arena.ofShared();
        send = arena.allocate(8);
        receive = arena.allocate(8);
    }

    /** Closes. */
    @TearDown(Level.Trial)
    public void close() {
        fabric.close();
        arena.close();
    }

    @Override
    public void onCompletion(Completion completion) {
        if (completion.context() == 1) {
            sent++;
        } else {
            received++;
        }
    }

    void postReceive() {
        while (!endpoint.tagged().receive(receive, Address.ANY, 7, 0, 0)) {
            queue.poll(this, 16);
        }
    }

    void awaitReceived(long count) {
        while (received < count) {
            queue.poll(this, 16);
        }
    }

    void awaitSent(long count) {
        while (sent < count) {
            queue.poll(this, 16);
        }
    }
}
