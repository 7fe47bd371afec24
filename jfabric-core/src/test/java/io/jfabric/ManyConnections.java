// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An endpoint to which more than a thousand have connected, and what becomes of its peers: see its test. */
final class ManyConnections {
    /** With that of its peer as many as it has places for. */
    private static final int STRANGERS = 1023;
    private static final int ROUNDS = 50;
    private static final Duration LONG_ENOUGH = Duration.ofMillis(300);

    private ManyConnections() {
    }

    /** Whether the peer ends, and another one comes. */
    public static void main(String[] args) throws Exception {
        try (Pair pair = Pair.open(Providers.SOCKETS)) {
            pair.connect();
            List<Socket> strangers = new ArrayList<>();
            InetSocketAddress where = pair.a.endpoint.address().toInetSocketAddress();
            while (strangers.size() < STRANGERS) {
                strangers.add(connect(where));
            }
            if (Boolean.parseBoolean(args[0])) {
                pair.progressFor(LONG_ENOUGH);
                replace(pair);
            } else {
                strangers.add(connect(where));
                for (int i = 0; i < ROUNDS; i++) {
                    pair.connect();
                }
                System.out.println("all came");
            }
        }
        System.out.println("closed");
    }

    private static Socket connect(InetSocketAddress where) throws Exception {
        Socket socket = new Socket();
        socket.connect(where);
        return socket;
    }

    private static void replace(Pair pair) {
        pair.b.endpoint.close();
        pair.progressFor(LONG_ENOUGH);
        MemorySegment memory = Arena.ofAuto().allocate(8);
        AddressVector addresses = pair.domain.openAddressVector();
        CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
        Side newcomer = new Side(pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                .bind(addresses).enable(), queue, addresses);
        newcomer.peer = addresses.insert(pair.a.endpoint.address());
        newcomer.endpoint.messages().receive(memory, Address.ANY, 1);
        pair.a.endpoint.messages().receive(memory, Address.ANY, 2);
        newcomer.endpoint.messages().send(memory, newcomer.peer, 3);
        pair.await(pair.a, 2);
        try {
            pair.a.endpoint.messages().send(memory, pair.a.peer, 4);
        } catch (FabricException refused) {
            System.out.println(refused.error());
        }
        pair.progressFor(LONG_ENOUGH);
        newcomer.poll();
        System.out.println(newcomer.take(done -> done.context() == 1) == null ? "nothing came" : "it came to another");
    }
}
