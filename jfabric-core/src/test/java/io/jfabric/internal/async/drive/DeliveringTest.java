// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.async.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.NodeOptions;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without an engine, what follows on something may expect that its own thread polls again soon; nobody else may. */
@Timeout(60)
class DeliveringTest {
    @Test
    void alsoBehindAPollInside() {
        Providers.RXM.assumeOffered();
        try (NodePair pair = NodePair.open(Providers.RXM, hints -> { }, NodeOptions.DEFAULT.withCallerProgress())) {
            Drive drive = ((NodeImpl) pair.b).drive();
            MemorySegment memory = pair.b.allocate(8);
            List<Boolean> soon = new ArrayList<>();
            CompletableFuture<?> inner = pair.b.receive(memory, 2);
            CompletableFuture<?> outer = pair.b.receive(memory, 1).thenRun(() -> {
                soon.add(drive.pollsSoon(false));
                soon.add(CompletableFuture.supplyAsync(() -> drive.pollsSoon(false)).join());
                CompletableFuture<Void> sent = pair.a.send(pair.a.allocate(8), pair.toB, 2);
                Waits.spin("one inside of the other", () -> pair.a.progress() + pair.b.progress() >= 0
                        && sent.isDone() && inner.isDone());
                soon.add(drive.pollsSoon(false));
            });
            assertThat(drive.pollsSoon(false)).isFalse();
            CompletableFuture<Void> sent = pair.a.send(pair.a.allocate(8), pair.toB, 1);
            Waits.spin("the first", () -> pair.a.progress() + pair.b.progress() >= 0 && sent.isDone()
                    && outer.isDone());
            outer.join();
            assertThat(soon).containsExactly(true, false, true);
            assertThat(drive.pollsSoon(false)).isFalse();
            assertThat(drive.pollsSoon(true)).isTrue();
        }
    }
}
