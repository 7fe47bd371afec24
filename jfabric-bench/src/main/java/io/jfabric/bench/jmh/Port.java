// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.jmh;

import io.jfabric.AddressVector;
import io.jfabric.Completion;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.MemoryRegion;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.MemoryAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** An endpoint with queue, memory and counts of what has completed. */
final class Port implements CompletionHandler, AutoCloseable {
    static final int BATCH = 16;
    static final long RECEIVED = 0;
    static final long SENT = 1;

    final Domain domain;
    final Endpoint endpoint;
    final CompletionQueue queue;
    final MemorySegment send;
    final MemorySegment receive;
    /** Null unless peers shall read and write the memory. */
    final MemoryRegion region;
    long peer;
    long sent;
    long received;
    private final Fabric fabric;
    private final AddressVector addresses;
    private final Arena arena = Arena.ofShared();

    /** An empty node leaves the local address to the provider. */
    Port(String provider, String node, long bytes, Capability... capabilities) {
        try (Hints hints = hints(provider, capabilities); FabricInfoList infos = infos(node, hints)) {
            FabricInfo info = infos.first();
            fabric = Fabric.open(info);
            domain = fabric.openDomain(info);
            addresses = domain.openAddressVector();
            queue = domain.openCompletionQueue(CompletionFormat.TAGGED).ignoreSources();
            endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses)
                    .enable();
        }
        MemorySegment memory = arena.allocate(2 * bytes, 4096).fill((byte) 1);
        send = memory.asSlice(0, bytes);
        receive = memory.asSlice(bytes, bytes);
        boolean remote = Set.of(capabilities).contains(Capability.RMA)
                || Set.of(capabilities).contains(Capability.ATOMIC);
        region = remote ? domain.register(receive, MemoryAccess.SEND, MemoryAccess.RECV, MemoryAccess.READ,
                MemoryAccess.WRITE, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE) : null;
    }

    static Hints hints(String provider, Capability... capabilities) {
        return Hints.create().endpointType(EndpointType.RDM).provider(provider).capabilities(capabilities);
    }

    static FabricInfoList infos(String node, Hints hints) {
        return node.isEmpty() ? Fabric.getInfo(hints) : Fabric.getInfo(node, null, Set.of(GetInfoFlag.SOURCE), hints);
    }

    byte[] name() {
        return endpoint.address().bytes();
    }

    void connect(byte[] address) {
        peer = addresses.insert(address);
    }

    @Override
    public void onCompletion(Completion completion) {
        if (completion.context() == RECEIVED) {
            received++;
        } else {
            sent++;
        }
    }

    void poll() {
        queue.poll(this, BATCH);
    }

    void postReceive(long tag) {
        while (!endpoint.tagged().receive(receive, Address.ANY, tag, 0, RECEIVED)) {
            poll();
        }
    }

    void postSend(long tag) {
        while (!endpoint.tagged().send(send, peer, tag, SENT)) {
            poll();
        }
    }

    void awaitReceived(long count) {
        while (received < count) {
            poll();
        }
    }

    void awaitSent(long count) {
        while (sent < count) {
            poll();
        }
    }

    @Override
    public void close() {
        fabric.close();
        arena.close();
    }
}
