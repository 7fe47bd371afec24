// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that is inside an object comes back to it from a callback, while another is about to close it. */
@Timeout(60)
class EnteredAgainTest {
    /** It would wait for the closer, which waits for it. */
    @Test
    void whoIsInsideIsLetIn() {
        try (Pair pair = Pair.open(Providers.SHM)) {
            Entry entry = ((FidObject) pair.a.endpoint).entry();
            CompletableFuture<Void> closed = new CompletableFuture<>();
            CompletableFuture<Long> again = CompletableFuture.supplyAsync(() -> {
                long first = entry.enter();
                Thread.ofPlatform().daemon().start(() -> {
                    pair.a.endpoint.close();
                    closed.complete(null);
                });
                Waits.spin("somebody closes it", entry::isParked);
                long second = entry.enter();
                entry.leave();
                entry.leave();
                return first == second ? second : 0;
            });
            assertThat(again).succeedsWithin(10, TimeUnit.SECONDS).isNotEqualTo(0L);
            assertThat(closed).succeedsWithin(20, TimeUnit.SECONDS);
            assertThat(entry.isOpen()).isFalse();
        }
    }
}
