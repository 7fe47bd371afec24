// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Node;
import io.jfabric.async.Received;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moments, as far as they may be away. */
@Timeout(60)
class ClockTest {
    @Test
    void theFarFutureIsNeverAndThePastIsOver() {
        assertThat(Clock.after(Clock.NEVER)).isEqualTo(Clock.NEVER);
        assertThat(Clock.after(Clock.NEVER - 1)).isEqualTo(Clock.NEVER);
        assertThat(Clock.left(Clock.after(1_000_000_000_000L))).isBetween(900_000_000_000L, 1_000_000_000_000L);
        for (long past : new long[] {-1, -Clock.now() - 1, -3_600_000_000_000L, -Clock.NEVER, Long.MIN_VALUE}) {
            assertThat(Clock.left(Clock.after(past))).as("after %d", past).isNegative();
        }
        assertThat(Clock.left(Clock.after(0))).isNotPositive();
    }

    @Test
    void durationsThatAreTooLong() {
        assertThat(Clock.nanos(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Clock.NEVER);
        assertThat(Clock.nanos(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(-Clock.NEVER);
        assertThat(Clock.nanos(Duration.ofNanos(-5))).isEqualTo(-5);
        assertThat(Clock.nanos(Duration.ofDays(1))).isEqualTo(86_400_000_000_000L);
    }

    @Test
    void whoWaitsForLessThanNothingDoesNotWait() throws Exception {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { });
                Node node = Node.open(infos.first())) {
            CompletableFuture<Received> never = node.receive(node.allocate(8), 1);
            AtomicReference<Exception> end = new AtomicReference<>();
            Thread waiter = Thread.ofPlatform().daemon().start(() -> {
                try {
                    never.get(-1, TimeUnit.DAYS);
                } catch (Exception e) {
                    end.set(e);
                }
            });
            assertThat(waiter.join(Duration.ofSeconds(10))).isTrue();
            assertThat(end.get()).isInstanceOf(TimeoutException.class);
            assertThat(never).isNotDone();
            assertThatThrownBy(() -> node.await(never, Duration.ofSeconds(Long.MIN_VALUE)))
                    .hasMessageContaining("FI_ETIMEDOUT");
        }
    }
}
