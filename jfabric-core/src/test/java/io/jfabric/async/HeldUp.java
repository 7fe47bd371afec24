// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Blocks one node's thread by a callback, while another's waits for a future of its node, which is no mistake. */
final class HeldUp {
    private HeldUp() {
    }

    private static void blocks(CompletableFuture<?> something) {
        something.join();
    }

    public static void main(String[] args) throws Exception {
        CompletableFuture<Void> never = new CompletableFuture<>();
        try (Nodes blocked = Nodes.open(Providers.RXM); Nodes waiting = Nodes.open(Providers.RXM)) {
            System.out.println("blocked " + blocked.b.address());
            CompletableFuture<Void> back = blocked.b.receive(blocked.b.allocate(8), 1)
                    .thenRun(() -> blocks(never));
            CompletableFuture<Void> waited = waiting.b.receive(waiting.b.allocate(8), 1).thenRun(() ->
                    blocks(waiting.b.within(Duration.ofMillis(2500)).receive(waiting.b.allocate(8), 2)
                            .handle((received, late) -> "late")));
            blocked.a.send(blocked.a.allocate(8), blocked.toB, 1);
            waiting.a.send(waiting.a.allocate(8), waiting.toB, 1);
            // asks for it in no way that makes progress: this is for the deadline to end
            CompletableFuture<String> late = new CompletableFuture<>();
            Thread.sleep(200);
            blocked.b.within(Duration.ofMillis(500)).receive(blocked.b.allocate(8), 3)
                    .whenComplete((received, why) -> late.complete("ended with " + why));
            System.out.println(late.get(20, TimeUnit.SECONDS));
            waited.get(20, TimeUnit.SECONDS);
            System.out.println("still blocked: " + !back.isDone());
            never.complete(null);
            back.get(20, TimeUnit.SECONDS);
        }
    }
}
