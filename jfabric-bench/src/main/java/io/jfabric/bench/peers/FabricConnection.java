// SPDX-License-Identifier: Apache-2.0
package io.jfabric.bench.peers;

import io.jfabric.AddressVector;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricEvent;
import io.jfabric.PassiveEndpoint;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.Mode;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/**
 * An endpoint that can reach the other side's.
 *
 * @param info what was opened
 * @param fabric closes everything opened from it
 * @param endpoint sends and receives
 * @param queue of both
 * @param peer where messages go
 */
record FabricConnection(FabricInfo info, Fabric fabric, Endpoint endpoint, CompletionQueue queue, long peer)
        implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Shared memory: datagrams that arrive, in order; tuned for one thread or not. */
    static FabricConnection shm(Meeting meeting, boolean tuned) throws IOException {
        FabricInfo info = find("shm", EndpointType.RDM, null, null, Set.of(), tuned);
        Fabric fabric = Fabric.open(info);
        Domain domain = fabric.openDomain(info);
        AddressVector vector = domain.openAddressVector();
        CompletionQueue queue = queue(domain);
        Endpoint endpoint = domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(vector)
                .enable();
        long peer = vector.insert(meeting.exchange(endpoint.address().bytes()));
        return new FabricConnection(info, fabric, endpoint, queue, peer);
    }

    /** TCP: a connection, as the sockets have. */
    static FabricConnection tcp(Meeting meeting) throws IOException {
        return meeting.server() ? accept(meeting) : connect(meeting);
    }

    private static FabricConnection accept(Meeting meeting) throws IOException {
        FabricInfo info = find("tcp", EndpointType.MSG, LOOPBACK, null, Set.of(GetInfoFlag.SOURCE), true);
        Fabric fabric = Fabric.open(info);
        EventQueue events = fabric.openEventQueue();
        try (PassiveEndpoint listener = fabric.openPassiveEndpoint(info).bind(events).listen()) {
            meeting.port(listener.address().toInetSocketAddress().getPort());
            try (var request = (FabricEvent.ConnectionRequest) events.await(PATIENCE).orElseThrow()) {
                Domain domain = fabric.openDomain(request.info());
                CompletionQueue queue = queue(domain);
                Endpoint endpoint = open(domain, request.info(), queue, events);
                endpoint.accept();
                events.await(PATIENCE).orElseThrow();
                return new FabricConnection(info, fabric, endpoint, queue, Address.ANY);
            }
        }
    }

    private static FabricConnection connect(Meeting meeting) throws IOException {
        String port = Integer.toString(meeting.port(0));
        FabricInfo info = find("tcp", EndpointType.MSG, LOOPBACK, port, Set.of(), true);
        Fabric fabric = Fabric.open(info);
        EventQueue events = fabric.openEventQueue();
        Domain domain = fabric.openDomain(info);
        CompletionQueue queue = queue(domain);
        Endpoint endpoint = open(domain, info, queue, events);
        endpoint.connect(info.destinationAddress().orElseThrow());
        events.await(PATIENCE).orElseThrow();
        return new FabricConnection(info, fabric, endpoint, queue, Address.ANY);
    }

    private static FabricInfo find(String provider, EndpointType type, String node, String service,
            Set<GetInfoFlag> flags, boolean tuned) {
        try (Hints hints = Hints.empty().capabilities(Capability.MSG).mode(Mode.CONTEXT, Mode.CONTEXT2)
                .endpointType(type).provider(provider)) {
            // as many as are under way, with some to spare: shorter queues stay in the cache
            hints.rx().size(2 * Link.WINDOW);
            hints.tx().size(2 * Link.WINDOW);
            if (tuned) {
                // one thread does everything, progress too: a provider may leave out locks and threads of its own
                hints.oneThread();
            }
            try (FabricInfoList infos = Fabric.getInfo(node, service, flags, hints)) {
                return infos.first().duplicate();
            }
        }
    }

    private static Endpoint open(Domain domain, FabricInfo info, CompletionQueue queue, EventQueue events) {
        return domain.openEndpoint(info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(events).enable();
    }

    private static CompletionQueue queue(Domain domain) {
        return domain.openCompletionQueue(CompletionFormat.MSG).ignoreSources();
    }

    @Override
    public void close() {
        fabric.close();
        info.close();
    }
}
