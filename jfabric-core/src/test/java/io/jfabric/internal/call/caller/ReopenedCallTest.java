// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.internal.clock.Clock;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call whose answer was to be received, and comes in another way. */
@Timeout(60)
@Tag("long")
class ReopenedCallTest {
    private static final long LONG_ENOUGH = TimeUnit.SECONDS.toNanos(4);

    /** Else whoever handles the answer takes the call for one that somebody else ends, and nobody does. */
    @Test
    void whoFindsNothingAnnouncedCanClaimIt() {
        AtomicReference<Outgoing<?>> looksAt = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Integer> notClaimed = CompletableFuture.supplyAsync(() -> lookAtAll(looksAt, over));
        Announced announced = new Announced(null, null, MemorySegment.NULL);
        long begin = System.nanoTime();
        for (int i = 0; System.nanoTime() - begin < LONG_ENOUGH; i++) {
            Outgoing<byte[]> call = new BytesCall(null, MemorySegment.NULL, Clock.NEVER);
            assertThat(call.claim()).isTrue();
            call.announced = announced;
            looksAt.set(call);
            for (int spins = i % 100; spins > 0; spins--) {
                Thread.onSpinWait();
            }
            call.reopen();
            while (looksAt.get() != null) {
                assertThat(System.nanoTime() - begin).as("nobody looks at it").isLessThan(5 * LONG_ENOUGH);
                Thread.onSpinWait();
            }
        }
        over.set(true);
        assertThat(notClaimed.join()).isZero();
    }

    private static int lookAtAll(AtomicReference<Outgoing<?>> next, AtomicBoolean over) {
        int notClaimed = 0;
        while (!over.get()) {
            Outgoing<?> call = next.get();
            if (call == null) {
                Thread.onSpinWait();
                continue;
            }
            while (call.announced != null) {
                Thread.onSpinWait();
            }
            notClaimed += call.claim() ? 0 : 1;
            next.set(null);
        }
        return notClaimed;
    }
}
