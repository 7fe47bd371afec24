// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.CompletionHandler;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The retry loop of programs without a node. */
@Timeout(60)
class RetryTest {
    private static final CompletionHandler NOTHING = completion -> { };
    private final MemorySegment memory = Arena.ofAuto().allocate(64);

    @Test
    void firstContactTakesSeveralAttempts() throws InterruptedException {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM)) {
            AtomicInteger received = new AtomicInteger();
            Thread receiver = Thread.ofPlatform().start(() -> {
                Retry retry = Retry.within(Duration.ofSeconds(20), IdleStrategy.backingOff());
                CompletionHandler handler = completion -> received.addAndGet((int) completion.context());
                retry.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 7), pair.b.queue, handler);
                retry.await(() -> received.get() == 7, pair.b.queue, handler);
            });
            AtomicInteger attempts = new AtomicInteger();
            AtomicInteger sent = new AtomicInteger();
            Retry retry = Retry.within(Duration.ofSeconds(20), IdleStrategy.yielding());
            retry.post(() -> {
                attempts.incrementAndGet();
                return pair.a.endpoint.messages().send(memory, pair.a.peer, 1);
            }, pair.a.queue, completion -> sent.incrementAndGet());
            retry.await(() -> sent.get() == 1, pair.a.queue, completion -> sent.incrementAndGet());
            receiver.join();
            assertThat(received).hasValue(7);
            assertThat(attempts.get()).isGreaterThan(1);
        }
    }

    @Test
    void nobodyThereEndsWithTheDeadline() {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM)) {
            long closedPort = pair.a.addresses.insert(Address.of(new InetSocketAddress("127.0.0.1", 9)));
            Retry retry = Retry.within(Duration.ofMillis(300), IdleStrategy.backingOff());
            long start = System.nanoTime();
            assertThatThrownBy(() -> retry.post(() -> pair.a.endpoint.messages().send(memory, closedPort, 1),
                    pair.a.queue, NOTHING)).isInstanceOfSatisfying(FabricException.class,
                            e -> assertThat(e.error()).isEqualTo(FabricError.ETIMEDOUT))
                    .hasMessageContaining("the peer cannot be reached");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(300),
                    Duration.ofSeconds(10));
        }
    }

    @Test
    void anInterruptEndsIt() {
        assumeTrue(Providers.SHM.isOffered());
        try (Pair pair = Pair.open(Providers.SHM)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> Retry.within(NodeOptions.NO_DEADLINE, IdleStrategy.busy())
                    .await(() -> false, pair.a.queue, NOTHING)).isInstanceOfSatisfying(FabricException.class,
                            e -> assertThat(e.error()).isEqualTo(FabricError.EINTR));
        } finally {
            assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
        }
    }
}
