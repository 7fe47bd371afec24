// SPDX-License-Identifier: Apache-2.0
package io.jfabric.examples;

import static io.jfabric.option.BindFlag.RECV;
import static io.jfabric.option.BindFlag.TRANSMIT;

import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricArena;
import io.jfabric.FabricEvent;
import io.jfabric.PassiveEndpoint;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Connects two processes: the server accepts whoever knows the password, the client sends a line.
 *
 * <p>Usage: ConnectAndAccept server PORT, then in another terminal ConnectAndAccept client PORT [PASSWORD]
 */
public final class ConnectAndAccept {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private ConnectAndAccept() {
    }

    /** Server or client. */
    public static void main(String[] args) {
        if (args.length < 2) {
            System.err.println("Usage: ConnectAndAccept server PORT, or: ConnectAndAccept client PORT [PASSWORD]");
            System.exit(2);
        }
        boolean server = args[0].equals("server");
        Set<GetInfoFlag> flags = server ? Set.of(GetInfoFlag.SOURCE) : Set.of();
        try (Hints hints = Hints.create().provider("tcp").endpointType(EndpointType.MSG);
                FabricInfoList infos = Fabric.getInfo("127.0.0.1", args[1], flags, hints);
                Fabric fabric = Fabric.open(infos.first());
                EventQueue events = fabric.openEventQueue();
                Domain domain = fabric.openDomain(infos.first());
                FabricArena arena = domain.openArena()) {
            if (server) {
                serve(fabric, domain, events, infos.first(), arena.allocate(1024));
            } else {
                String password = args.length > 2 ? args[2] : "sesame";
                CompletionQueue queue = openQueue(domain);
                Endpoint endpoint = domain.openEndpoint(infos.first())
                        .bind(queue, TRANSMIT, RECV).bind(events).enable();
                // a rejection ends this with an EventException that has the server's reason
                endpoint.connect(infos.first().destinationAddress().orElseThrow(), password.getBytes());
                System.out.println(connected(events));
                MemorySegment hello = arena.allocateFrom("hello over " + endpoint.address());
                while (!endpoint.messages().inject(hello, Address.ANY)) {
                    queue.poll(completion -> { }, 1);
                }
                System.out.println(awaitShutdown(events, queue));
                endpoint.close();
            }
        }
    }

    private static void serve(Fabric fabric, Domain domain, EventQueue events, FabricInfo info, MemorySegment buffer) {
        try (PassiveEndpoint listener = fabric.openPassiveEndpoint(info).bind(events).listen()) {
            System.out.println("listening at " + listener.address());
            for (;;) {
                try (var request = (FabricEvent.ConnectionRequest) events.await(PATIENCE).orElseThrow()) {
                    String password = new String(request.data(), StandardCharsets.UTF_8);
                    if (!password.equals("sesame")) {
                        request.reject("wrong password".getBytes());
                        continue;
                    }
                    CompletionQueue queue = openQueue(domain);
                    Endpoint endpoint = domain.openEndpoint(request.info()).bind(queue, TRANSMIT, RECV).bind(events);
                    endpoint.enable();
                    while (!endpoint.messages().receive(buffer, Address.ANY, 1)) {
                        queue.poll(completion -> { }, 1);
                    }
                    endpoint.accept();
                    System.out.println(connected(events));
                    if (queue.await(c -> System.out.println(buffer.getString(0)), 1, PATIENCE) == 0) {
                        throw new IllegalStateException("the client has sent nothing within " + PATIENCE);
                    }
                    endpoint.shutdown();
                    endpoint.close();
                    return;
                }
            }
        }
    }

    private static FabricEvent connected(EventQueue events) {
        FabricEvent event = events.await(PATIENCE).orElseThrow();
        if (event instanceof FabricEvent.Connected) {
            return event;
        }
        throw new IllegalStateException("no connection but " + event);
    }

    private static CompletionQueue openQueue(Domain domain) {
        return domain.openCompletionQueue(
                CompletionQueueAttributes.of(CompletionFormat.MSG).withWaitObject(WaitObject.UNSPEC));
    }

    /** tcp of libfabric 1.17 notices that the peer has gone only while the completion queue is polled. */
    private static FabricEvent awaitShutdown(EventQueue events, CompletionQueue queue) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            queue.poll(completion -> { }, 1);
            Optional<FabricEvent> event = events.await(Duration.ofMillis(1));
            if (event.isPresent()) {
                return event.get();
            }
        }
        throw new IllegalStateException("the server has not ended the connection within " + PATIENCE);
    }
}
