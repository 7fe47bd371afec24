// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Counter;
import io.jfabric.EventQueue;
import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects that are closed, polled or waited for by one thread while another is at work with them. */
@Timeout(120)
class WhoIsInsideTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @ParameterizedTest
    @Tag("long")
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void closingUnderOthersNeitherCrashesNorHangs(Providers.Choice choice) {
        ChildJvm.Result result = ChildJvm.of(Closers.class, choice.provider(), choice.type().name()).run();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("all done");
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aSecondPollerIsRefusedByName(Providers.Choice choice) throws Exception {
        try (Pair pair = Pair.open(choice).connect()) {
            CountDownLatch handling = new CountDownLatch(1);
            CountDownLatch refused = new CountDownLatch(1);
            FutureTask<Boolean> first = new FutureTask<>(() -> {
                boolean[] seen = {false};
                while (!seen[0]) {
                    pair.b.poll();
                    pair.a.queue.poll(completion -> {
                        seen[0] = true;
                        handling.countDown();
                        Threads.await(refused);
                    }, 1);
                }
                return true;
            });
            MemorySegment memory = Arena.ofAuto().allocate(8);
            pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(memory, pair.a.peer, 1));
            Thread.ofPlatform().daemon().name("the poller").start(first);
            assertThat(handling.await(10, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> pair.a.queue.poll(completion -> { }, 1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in use by thread the poller").hasMessageContaining("one thread at a time");
            refused.countDown();
            assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(pair.a.queue.poll(completion -> { }, 1)).as("its turn is over").isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aHandlerMayCloseEverything(Providers.Choice choice) {
        Pair pair = Pair.open(choice).connect();
        MemorySegment memory = Arena.ofAuto().allocate(8);
        pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 1));
        pair.post(() -> pair.a.endpoint.messages().send(memory, pair.a.peer, 1));
        pair.untilWithoutProgress("no completion", () -> {
            pair.b.poll();
            return pair.a.queue.poll(completion -> pair.fabric.close(), 1) != 0;
        });
        assertThat(pair.fabric.isOpen()).isFalse();
        assertThatThrownBy(() -> pair.a.queue.poll(completion -> { }, 1)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        pair.close();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aHandlerMayPostPollAndThrow(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            MemorySegment memory = Arena.ofAuto().allocate(8);
            List<Long> seen = new ArrayList<>();
            pair.post(() -> pair.b.endpoint.messages().receive(memory, Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(memory, pair.a.peer, 1));
            assertThatThrownBy(() -> pair.untilWithoutProgress("the handler throws", () -> {
                pair.b.poll();
                pair.a.queue.poll(completion -> {
                    seen.add(completion.context());
                    pair.a.queue.poll(other -> seen.add(other.context()), 1);
                    pair.b.endpoint.messages().receive(memory, Address.ANY, 2);
                    throw new UnsupportedOperationException("of the handler");
                }, 1);
                return false;
            })).hasMessage("of the handler");
            assertThat(seen).containsExactly(1L);
            pair.post(() -> pair.a.endpoint.messages().send(memory, pair.a.peer, 3));
            pair.await(pair.a, 3);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void anInterruptEndsWaits(Providers.Choice choice) throws Exception {
        try (Pair pair = Pair.open(choice)) {
            EventQueue events = pair.fabric.openEventQueue();
            assertEnds(() -> events.await(LONG).isEmpty());
            try {
                Counter counter = pair.domain.openCounter(CounterAttributes.DEFAULT.withWaitObject(WaitObject.UNSPEC));
                assertEnds(() -> !counter.await(1, LONG));
            } catch (FabricException noCounters) {
                // or none that can be waited for
            }
        }
        try (Pair pair = Pair.open(choice, hints -> { }, CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                .withWaitObject(WaitObject.UNSPEC), endpoint -> { })) {
            assertEnds(() -> pair.a.queue.await(completion -> { }, 1, LONG) == 0);
            assertStillWorks(pair, pair.a);
        }
    }

    private static void assertStillWorks(Pair pair, Side side) {
        assertThat(side.queue.poll(completion -> { }, 1)).isZero();
        pair.connect();
    }

    @FunctionalInterface
    private interface Wait {
        boolean hadNothing();
    }

    private static void assertEnds(Wait wait) throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        FutureTask<Boolean> waiter = new FutureTask<>(() -> {
            started.countDown();
            return wait.hadNothing() && Thread.currentThread().isInterrupted();
        });
        Thread thread = Thread.ofPlatform().daemon().start(waiter);
        started.await();
        Thread.sleep(20);
        assertThat(waiter.isDone()).isFalse();
        thread.interrupt();
        assertThat(waiter.get(30, TimeUnit.SECONDS)).as("nothing, and the flag is kept").isTrue();
    }
}
