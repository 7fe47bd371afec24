// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples.sort;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;

import io.jfabric.AddressVector;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;

/** A rank's endpoint of one provider, with all that it needs. For one thread. */
public final class Link implements AutoCloseable {
    /** Bytes of immediate data: a rank, and a number of records. */
    private static final int DATA = 4;
    private static final int COMPLETIONS = 32;

    private final Fabric fabric;
    private final CompletionQueue queue;
    private final AddressVector peers;
    private final Endpoint endpoint;
    private final FabricArena arena;

    /** Opens the best match of a provider that can write to memory with immediate data. */
    Link(String provider) {
        try (Hints hints = Hints.create().provider(provider).endpointType(EndpointType.RDM)
                .capabilities(Capability.MSG, Capability.RMA).oneThread()) {
            // where immediate data takes a receive, nobody here has posted one
            hints.mode(Mode.CONTEXT, Mode.CONTEXT2).domain().limits().cqDataSize(DATA);
            try (FabricInfoList infos = Fabric.getInfo(hints)) {
                FabricInfo info = infos.first();
                fabric = Fabric.open(info);
                Domain domain = fabric.openDomain(info);
                queue = domain.openCompletionQueue(CompletionFormat.DATA).ignoreSources();
                peers = domain.openAddressVector();
                endpoint = domain.openEndpoint(info).bind(queue, TRANSMIT, RECV).bind(peers).enable();
                arena = domain.openArena();
            }
        }
    }

    /** What writes to the memory of others. */
    public Endpoint endpoint() {
        return endpoint;
    }

    long insert(byte[] address) {
        return peers.insert(address);
    }

    /** Memory that lives as long as this. */
    public MemorySegment allocate(long bytes) {
        return arena.allocate(bytes, Long.BYTES);
    }

    int poll(CompletionHandler handler) {
        return queue.poll(handler, COMPLETIONS);
    }

    @Override
    public void close() {
        fabric.close();
    }
}
