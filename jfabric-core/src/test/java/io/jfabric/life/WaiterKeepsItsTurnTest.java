// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.info.Address;
import io.jfabric.info.Hints;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thread that waits for a completion has the queue to itself, also while it is out of the provider for a moment. */
@Timeout(120)
class WaiterKeepsItsTurnTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    /** Several slices of a wait. */
    private static final long WHILE = TimeUnit.MILLISECONDS.toNanos(450);
    private static final CompletionHandler NONE = completion -> { };

    private static Pair open(Providers.Choice choice, Consumer<Hints> more) {
        return Pair.open(choice, more, CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                .withWaitObject(WaitObject.UNSPEC), endpoint -> { });
    }

    private static FutureTask<Integer> waiting(CompletionQueue queue, CompletionHandler handler) {
        FutureTask<Integer> waiter = new FutureTask<>(() -> queue.await(handler, 1, LONG));
        Thread thread = Thread.ofPlatform().daemon().name("the waiter").start(waiter);
        Threads.awaitInside(thread, "sread", "sreadfrom", "pause");
        return waiter;
    }

    private static boolean isRefused(Runnable use) {
        try {
            use.run();
            return false;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("in use by thread the waiter").hasMessageContaining("one thread at a");
            return true;
        }
    }

    private static void assertAloneAllTheTime(CompletionQueue queue, FutureTask<Integer> waiter) {
        long start = System.nanoTime();
        do {
            assertThat(isRefused(() -> queue.poll(NONE, 1))).as("a second one may not poll").isTrue();
            assertThat(waiter.isDone()).as("and the first waits").isFalse();
        } while (System.nanoTime() - start < WHILE);
        assertThat(isRefused(() -> queue.await(NONE, 1, Duration.ZERO))).as("nor wait").isTrue();
    }

    private static void assertEndsBySignal(CompletionQueue queue, FutureTask<Integer> waiter) throws Exception {
        queue.signal();
        assertThat(waiter.get(30, TimeUnit.SECONDS)).isZero();
        assertThat(queue.poll(NONE, 1)).as("its turn is over").isZero();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aSecondThreadIsRefusedAllTheTime(Providers.Choice choice) throws Exception {
        try (Pair pair = open(choice, hints -> { })) {
            FutureTask<Integer> waiter = waiting(pair.a.queue, NONE);
            assertAloneAllTheTime(pair.a.queue, waiter);
            assertEndsBySignal(pair.a.queue, waiter);
        }
    }

    /** So that the turn is a flag, see Turnstile. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void alsoWhereManyThreadsTookTurnsBefore(Providers.Choice choice) throws Exception {
        try (Pair pair = open(choice, hints -> { })) {
            for (int i = 0; i < 20; i++) {
                FutureTask<Integer> once = new FutureTask<>(() -> pair.a.queue.poll(NONE, 1));
                Thread.ofVirtual().start(once);
                assertThat(once.get(30, TimeUnit.SECONDS)).isZero();
                assertThat(pair.a.queue.poll(NONE, 1)).isZero();
            }
            for (int i = 0; i < 2; i++) {
                FutureTask<Integer> waiter = waiting(pair.a.queue, NONE);
                assertAloneAllTheTime(pair.a.queue, waiter);
                assertEndsBySignal(pair.a.queue, waiter);
            }
        }
    }

    /** Who waits leaves the domain to others, though not the queue. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void othersPostMeanwhileAlsoInADomainForOneThread(Providers.Choice choice) throws Exception {
        try (Pair pair = open(choice, Hints::oneThread).connect(); Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(8);
            List<Long> contexts = new ArrayList<>();
            FutureTask<Integer> waiter = waiting(pair.a.queue, completion -> contexts.add(completion.context()));
            assertAloneAllTheTime(pair.a.queue, waiter);
            Waits.spin("it is posted", () -> pair.a.endpoint.messages().receive(memory, Address.ANY, 7));
            Waits.spin("it is sent", () -> {
                pair.b.queue.poll(NONE, 1);
                return pair.b.endpoint.messages().send(memory, pair.b.peer, 8);
            });
            Waits.spin("it has come", () -> {
                pair.b.queue.poll(NONE, 1);
                return waiter.isDone();
            });
            assertThat(waiter.get()).isEqualTo(1);
            assertThat(contexts).containsExactly(7L);
            assertThat(pair.a.queue.poll(NONE, 1)).as("its turn is over").isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void itsHandlerMayPollAndWaitAndClose(Providers.Choice choice) throws Exception {
        Pair pair = open(choice, hints -> { }).connect();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(8);
            CompletionQueue queue = pair.a.queue;
            FutureTask<Integer> waiter = waiting(queue, completion -> {
                queue.poll(NONE, 1);
                queue.await(NONE, 1, Duration.ofMillis(1));
                FutureTask<Boolean> second = new FutureTask<>(() -> isRefused(() -> queue.poll(NONE, 1)));
                Thread.ofPlatform().daemon().start(second);
                Waits.spin("the second has tried", second::isDone);
                assertThat(second.resultNow()).isTrue();
                pair.fabric.close();
            });
            Waits.spin("it is posted", () -> pair.a.endpoint.messages().receive(memory, Address.ANY, 7));
            Waits.spin("it is sent", () -> pair.b.endpoint.messages().send(memory, pair.b.peer, 8));
            Waits.spin("it has come", () -> {
                if (pair.b.queue.isOpen()) {
                    try {
                        pair.b.queue.poll(NONE, 1);
                    } catch (IllegalStateException closedMeanwhile) {
                        assertThat(pair.fabric.isOpen()).isFalse();
                    }
                }
                return waiter.isDone();
            });
            assertThat(waiter.get()).isEqualTo(1);
            assertThatThrownBy(() -> queue.poll(NONE, 1)).hasMessageContaining("is closed");
        } finally {
            pair.close();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void closingEndsTheWait(Providers.Choice choice) {
        try (Pair pair = open(choice, hints -> { })) {
            FutureTask<Integer> waiter = waiting(pair.a.queue, NONE);
            pair.a.endpoint.close();
            assertAloneAllTheTime(pair.a.queue, waiter);
            pair.a.queue.close();
            assertThatThrownBy(() -> waiter.get(30, TimeUnit.SECONDS)).cause()
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
        }
    }
}
