// SPDX-License-Identifier: Apache-2.0
package io.jfabric.rdmacm;

import io.jfabric.Fabric;
import io.jfabric.async.ConnectionOffer;
import io.jfabric.async.Node;
import io.jfabric.async.NodeListener;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.info.Address;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.GetInfoFlag;
import io.jfabric.info.Hints;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Connections between an endpoint that has its address from {@code rdma_getaddrinfo} and one that has it from names:
 * first the listening side has, then the side that connects.
 */
public final class Peers {
    private static final int SIZE = 4096;
    private static final int MESSAGES = 10;
    /** Soft-RoCE has queues of at most 32767 entries. */
    private static final NodeOptions OPTIONS = NodeOptions.DEFAULT.withQueueSize(1024);

    private Peers() {
    }

    /** Provider, address of this machine, such as {@code verbs 10.9.0.1}. */
    public static void main(String[] args) throws Exception {
        String provider = args[0];
        String node = args[1];
        try (Hints named = Hints.msg().provider(provider); Hints resolved = Hints.msg().provider(provider);
                RdmaAddressInfo here = RdmaAddressInfo.resolve(node, "7471",
                        RdmaHints.connected().addFlags(RdmaFlag.PASSIVE));
                FabricInfoList server = Fabric.getInfo(here.first().addTo(resolved));
                FabricInfoList client = Fabric.getInfo(node, "7471", Set.of(), named)) {
            exchange(server, client, here.first().source().orElseThrow());
        }
        System.out.println("resolved listens, named connects: " + MESSAGES + " messages each way");
        try (Hints named = Hints.msg().provider(provider); Hints resolved = Hints.msg().provider(provider);
                RdmaAddressInfo there = RdmaAddressInfo.resolve(node, "7472", RdmaHints.connected());
                FabricInfoList client = Fabric.getInfo(there.first().addTo(resolved));
                FabricInfoList server = Fabric.getInfo(node, "7472", Set.of(GetInfoFlag.SOURCE), named)) {
            exchange(server, client, there.first().destination().orElseThrow());
        }
        System.out.println("named listens, resolved connects: " + MESSAGES + " messages each way");
    }

    private static void exchange(FabricInfoList serverInfos, FabricInfoList clientInfos, Address where)
            throws Exception {
        try (Node server = Node.open(serverInfos.first(), OPTIONS);
                Node client = Node.open(clientInfos.first(), OPTIONS);
                NodeListener listener = server.listen()) {
            CompletableFuture<Peer> asking = client.connect(where);
            ConnectionOffer offer = get(listener.next());
            CompletableFuture<Peer> accepting = offer.accept();
            Peer atClient = get(asking);
            Peer atServer = get(accepting);
            for (int i = 0; i < MESSAGES; i++) {
                send(client, atClient, server, atServer, i);
                send(server, atServer, client, atClient, -i);
            }
        }
    }

    private static void send(Node from, Peer to, Node at, Peer source, int content) throws Exception {
        MemorySegment out = from.allocate(SIZE).fill((byte) content);
        MemorySegment in = at.allocate(SIZE);
        CompletableFuture<Received> got = at.receive(in, source);
        get(from.send(out, to));
        if (get(got).length() != SIZE || in.mismatch(out) != -1) {
            throw new AssertionError("message " + content + " came as " + get(got) + ", beginning with "
                    + in.get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }
}
