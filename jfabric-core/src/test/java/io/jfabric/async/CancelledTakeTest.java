// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for a buffer and gives up at the very moment in which one comes has none: it is there for others. */
@Timeout(60)
class CancelledTakeTest {
    private static final int ROUNDS = 2_000;
    /** So many different moments. */
    private static final int DELAYS = 200;

    @Test
    void theBufferIsThereForOthers() throws Exception {
        AtomicReference<CompletableFuture<PooledBuffer>> next = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        try (Pair pair = Pair.open(Providers.SHM); BufferPool pool = BufferPool.open(pair.domain, 64, 1)) {
            Thread cancels = Thread.ofPlatform().daemon().start(() -> cancelEach(next, over));
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    PooledBuffer held = pool.take(Duration.ZERO);
                    CompletableFuture<PooledBuffer> later = pool.takeLater();
                    next.set(later);
                    for (int i = 0; i < DELAYS / 2; i++) {
                        Thread.onSpinWait();
                    }
                    held.close();
                    while (next.get() != null) {
                        Thread.onSpinWait();
                    }
                    if (!later.isCancelled()) {
                        later.join().close();
                    }
                    assertThat(pool.taken()).as("taken after %d rounds", round).isZero();
                }
            } finally {
                over.set(true);
                cancels.join();
            }
        }
    }

    /** A little later each time. */
    private static void cancelEach(AtomicReference<CompletableFuture<PooledBuffer>> next, AtomicBoolean over) {
        for (int round = 0; !over.get(); round++) {
            CompletableFuture<PooledBuffer> one = next.get();
            while (one == null && !over.get()) {
                Thread.onSpinWait();
                one = next.get();
            }
            for (int i = 0; i < round % DELAYS; i++) {
                Thread.onSpinWait();
            }
            if (one != null) {
                one.cancel(false);
                next.set(null);
            }
        }
    }
}
