// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import io.jfabric.info.FabricInfoList;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** Sends the given bytes to a passive endpoint, then connects to it, and closes it. */
final class Stranger {
    private static final Duration A_WHILE = Duration.ofSeconds(2);

    private Stranger() {
    }

    public static void main(String[] bytes) throws IOException, InterruptedException {
        FabricInfoList infos = Providers.SOCKETS_MSG.find(hints -> { });
        Fabric fabric = Fabric.open(infos.first());
        EventQueue events = fabric.openEventQueue();
        PassiveEndpoint listener = fabric.openPassiveEndpoint(infos.first()).bind(events).listen();
        InetSocketAddress where = listener.address().toInetSocketAddress();
        Socket socket = new Socket(where.getAddress(), where.getPort());
        for (String b : bytes) {
            socket.getOutputStream().write(Integer.parseInt(b));
        }
        Thread.sleep(A_WHILE);
        Domain domain = fabric.openDomain(infos.first());
        CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
        EventQueue ofClient = fabric.openEventQueue();
        Endpoint client = domain.openEndpoint(infos.first()).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                .bind(ofClient);
        client.connect(listener.address());
        System.out.println("requests " + (events.await(A_WHILE).isPresent() ? 1 : 0));
        AtomicBoolean closed = new AtomicBoolean();
        Thread.ofPlatform().daemon().start(() -> {
            listener.close();
            closed.set(true);
        });
        Thread.sleep(A_WHILE);
        System.out.println(closed.get() ? "closed" : "still closing");
        Runtime.getRuntime().halt(0);
    }
}
