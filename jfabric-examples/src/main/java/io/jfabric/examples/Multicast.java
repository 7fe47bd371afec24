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
import io.jfabric.MessageRequest;
import io.jfabric.MulticastGroup;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.CompletionFormat;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Joins a multicast group and sends a datagram to it, which comes back. Needs a route for multicast; without one, as
 * root: {@code ip netns add m; ip -n m link set lo up multicast on; ip -n m route add 224.0.0.0/4 dev lo}, and run
 * this in {@code ip netns exec m}.
 *
 * <p>Usage: Multicast [GROUP [PORT]]
 */
public final class Multicast {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String HELLO = "hello, group";

    private int done;

    private Multicast() {
    }

    /** Sends one datagram and prints what it receives. */
    public static void main(String[] args) {
        String group = args.length > 0 ? args[0] : "239.1.2.3";
        String port = args.length > 1 ? args[1] : "4567";
        try (Hints hints = Hints.create().provider("udp").endpointType(EndpointType.DGRAM)
                        .capabilities(Capability.MSG, Capability.MULTICAST);
                FabricInfoList infos = Fabric.getInfo("0.0.0.0", port, Set.of(GetInfoFlag.SOURCE), hints);
                Fabric fabric = Fabric.open(infos.first());
                Domain domain = fabric.openDomain(infos.first());
                FabricArena arena = domain.openArena();
                EventQueue events = fabric.openEventQueue();
                CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
                Endpoint endpoint = domain.openEndpoint(infos.first()).bind(queue, TRANSMIT, RECV)
                        .bind(domain.openAddressVector()).bind(events).enable()) {
            MulticastGroup joined = endpoint.join(
                    Address.of(new InetSocketAddress(group, Integer.parseInt(port))), 0);
            System.out.println(events.await(PATIENCE).orElseThrow());
            MemorySegment in = arena.allocate(1024);
            Multicast here = new Multicast();
            here.until("the receive is taken", queue, () -> endpoint.messages().receive(in, Address.ANY, 1));
            MessageRequest hello = endpoint.messages().sendRequest().buffers(arena.allocateFrom(HELLO))
                    .peer(joined.fabricAddress()).flags(OperationFlag.MULTICAST, OperationFlag.COMPLETION);
            here.until("the datagram is taken", queue, () -> hello.post(2));
            // datagrams may get lost
            here.until("the datagram has come back", queue, () -> here.done == 2);
            Expect.same("the datagram", HELLO, in.getString(0));
            System.out.println(in.getString(0));
        }
    }

    private void until(String what, CompletionQueue queue, BooleanSupplier is) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!is.getAsBoolean()) {
            done += queue.poll(c -> { }, 2);
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("not within " + PATIENCE.toSeconds() + " s: " + what);
            }
        }
    }
}
