// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testing.OneCarrier;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What ends by itself does so, even if the program's virtual threads compute and have all carriers. */
class BusyCarriersTest {
    private static final Duration SOON = Duration.ofMillis(300);

    @Test
    @Timeout(60)
    void deadlinesPassAndDeathsAreTold() {
        OneCarrier.run(BusyCarriersTest.class, "all have ended");
    }

    public static void main(String[] args) throws Exception {
        Thread.ofVirtual().start(() -> {
            while (true) {
                Thread.onSpinWait();
            }
        });
        for (Providers.Choice choice : Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM).toList()) {
            try (Nodes nodes = Nodes.open(choice)) {
                run(nodes.a, nodes.b);
            }
        }
        System.out.println("all have ended");
        System.exit(0);
    }

    private static void run(Node client, Node server) throws Exception {
        Peer peer = client.peer(server.address());
        // each of its calls waits for a carrier
        try (Service _ = Service.open(server, 3, CallHandler.of(bytes -> bytes)); Caller caller = Caller.open(peer, 3);
             BufferPool pool = BufferPool.open(client.domain(), 64, 1); PooledBuffer _ = pool.take(SOON)) {
            for (int length : List.of(8, 300_000)) {
                hasEnded(caller.call(new byte[length], SOON), FabricError.ETIMEDOUT);
            }
            hasEnded(pool.use(SOON, memory -> client.send(memory, peer, 1), (memory, sent) -> memory),
                    FabricError.ETIMEDOUT);
        }
        try (KeepAlive alive = KeepAlive.open(client, SOON, 2)) {
            hasEnded(alive.watch(peer), FabricError.EHOSTDOWN);
        }
    }

    private static void hasEnded(CompletableFuture<?> future, FabricError why) throws Exception {
        try {
            throw new AssertionError("done with " + future.get(10, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof FabricException failure && failure.error() == why)) {
                throw e;
            }
        }
    }
}
