// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A request that two threads use at a time: the provider would get the address of one buffer, but another's length. */
class RequestRaceTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void oneOfTheTwoIsTold(Providers.Choice choice) throws Exception {
        try (Pair pair = Pair.open(choice); Arena arena = Arena.ofShared()) {
            MemorySegment[] few = {arena.allocate(8)};
            // safe to read by the entry whatever is mixed up
            MemorySegment[] other = {arena.allocate(8)};
            MessageRequest request = pair.a.endpoint.messages().sendRequest().buffers(few).peer(pair.a.peer);
            AtomicReference<IllegalStateException> told = new AtomicReference<>();
            CompletableFuture<Void> poster = loop(told, () -> request.post(1));
            CompletableFuture<Void> changer = loop(told, () -> request.buffers(few).buffers(other));
            poster.get(2 * DEADLINE.toSeconds(), TimeUnit.SECONDS);
            changer.get(2 * DEADLINE.toSeconds(), TimeUnit.SECONDS);
            assertThat(told.get()).as("after " + DEADLINE).isNotNull().hasMessageContaining("fi_sendmsg")
                    .hasMessageContaining("another thread");
            // it is nobody's now
            request.buffers(few).post(2);
        }
    }

    private static CompletableFuture<Void> loop(AtomicReference<IllegalStateException> told, Runnable action) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (told.get() == null && System.nanoTime() < end) {
                    action.run();
                }
                done.complete(null);
            } catch (IllegalStateException e) {
                told.compareAndSet(null, e);
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }
}
