// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.EventQueue;
import io.jfabric.FabricException;
import io.jfabric.PollDescriptor;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocking reads, signals and wait objects of queues. */
@Timeout(30)
class WaitTest {
    private static final Duration SHORT = Duration.ofMillis(30);
    private static final Duration LONG = Duration.ofSeconds(10);

    static Stream<Providers.Choice> withDescriptors() {
        return Providers.offered(Providers.RXM, Providers.SOCKETS, Providers.TCP_RDM);
    }

    private static CompletionQueueAttributes queue(WaitObject object) {
        return CompletionQueueAttributes.of(CompletionFormat.TAGGED).withWaitObject(object);
    }

    private static Pair open(Providers.Choice choice, WaitObject object) {
        return Pair.open(choice, h -> { }, queue(object), ep -> { });
    }

    private static void post(Arena arena, Pair pair) {
        MemorySegment in = arena.allocate(64);
        pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 5));
    }

    private static Thread sendLater(Arena arena, Pair pair, AtomicBoolean stop) {
        MemorySegment out = arena.allocateFrom("wake up");
        return Thread.ofPlatform().start(() -> {
            LockSupport.parkNanos(SHORT.toNanos());
            boolean sent = false;
            while (!stop.get()) {
                sent = sent || pair.a.endpoint.messages().send(out, pair.a.peer, 6);
                pair.a.poll();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void blockingReadsEndInTime(Providers.Choice choice) {
        try (Pair pair = open(choice, WaitObject.UNSPEC)) {
            assertEndsInTime(pair.b.queue);
        }
    }

    private static void assertEndsInTime(CompletionQueue queue) {
        long start = System.nanoTime();
        // shm's own wait ignores the time-out in libfabric 1.17
        assertThat(queue.await(c -> { }, 1, SHORT)).isZero();
        assertThat(System.nanoTime() - start).isBetween(SHORT.toNanos() - 2_000_000, LONG.toNanos());
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void blockingReadsBringCompletions(Providers.Choice choice) throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice, WaitObject.UNSPEC)) {
            post(arena, pair);
            Thread sender = sendLater(arena, pair, stop);
            long[] context = new long[1];
            int n = 0;
            long end = System.nanoTime() + LONG.toNanos();
            while (n == 0 && System.nanoTime() < end) {
                n = pair.b.queue.await(c -> context[0] = c.context(), 4, Duration.ofSeconds(1));
            }
            stop.set(true);
            sender.join();
            assertThat(n).isEqualTo(1);
            assertThat(context[0]).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void blockingReadsNameTheSender(Providers.Choice choice) throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.open(choice, h -> h.capabilities(Capability.MSG, Capability.SOURCE),
                     queue(WaitObject.UNSPEC), ep -> { })) {
            post(arena, pair);
            Thread sender = sendLater(arena, pair, stop);
            long[] source = {Address.NOT_AVAILABLE};
            int n = 0;
            long end = System.nanoTime() + LONG.toNanos();
            while (n == 0 && System.nanoTime() < end) {
                n = pair.b.queue.await(c -> source[0] = c.source(), 4, Duration.ofSeconds(1));
            }
            stop.set(true);
            sender.join();
            assertThat(n).isEqualTo(1);
            assertThat(source[0]).isEqualTo(pair.b.peer);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aSignalFromAnotherThreadEndsTheWait(Providers.Choice choice) throws InterruptedException {
        try (Pair pair = open(choice, WaitObject.UNSPEC)) {
            Thread other = Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(SHORT.toNanos());
                pair.b.queue.signal();
            });
            long start = System.nanoTime();
            assertThat(pair.b.queue.await(c -> { }, 1, Duration.ofSeconds(20))).isZero();
            assertThat(System.nanoTime() - start).isLessThan(LONG.toNanos());
            other.join();
            // only that wait
            assertEndsInTime(pair.b.queue);
        }
    }

    @Test
    void aThresholdKeepsNothingFromReads() {
        assumeTrue(Providers.SOCKETS.isOffered(), "no sockets");
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(Providers.SOCKETS, h -> { },
                queue(WaitObject.UNSPEC).withWaitThreshold(true), ep -> { })) {
            MemorySegment out = arena.allocate(8);
            for (int i = 0; i < 6; i++) {
                post(arena, pair);
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 6));
            }
            pair.until("three messages", () -> pair.b.done().size() >= 3);
            for (int all = pair.b.done().size(); all < 6;) {
                int n = pair.b.queue.await(c -> { }, 8, LONG, 2);
                assertThat(n).isPositive();
                all += n;
            }
        }
    }

    @Test
    void whatYieldsCannotBeTried() {
        try (Pair pair = open(Providers.SHM, WaitObject.UNSPEC)) {
            assertThatThrownBy(() -> pair.fabric.tryWait(pair.b.queue)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("by yielding");
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void withoutAWaitObjectThereIsNothingToWaitFor(Providers.Choice choice) {
        try (Pair pair = open(choice, WaitObject.NONE)) {
            assertThat(pair.b.queue.waitObject()).isEqualTo(WaitObject.NONE);
            assertThatThrownBy(pair.b.queue::fileDescriptor).isInstanceOf(FabricException.class)
                    .hasMessageContaining("open it with WaitObject.FD");
            assertThatThrownBy(() -> pair.fabric.tryWait(pair.b.queue)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("fi_trywait");
            // several providers of libfabric 1.17 follow a null pointer in both
            assertThatThrownBy(() -> pair.b.queue.await(c -> { }, 1, SHORT)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("fi_cq_sread");
            assertThatThrownBy(pair.b.queue::signal).isInstanceOf(FabricException.class)
                    .hasMessageContaining("fi_cq_signal");
        }
    }

    @ParameterizedTest
    @MethodSource("withDescriptors")
    void aDescriptorBecomesReadable(Providers.Choice choice) throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        try (Arena arena = Arena.ofShared(); Pair pair = open(choice, WaitObject.FD)) {
            assertThat(pair.b.queue.waitObject()).isEqualTo(WaitObject.FD);
            FdWaiter waiter = FdWaiter.of(pair.b.queue.fileDescriptor());
            post(arena, pair);
            Thread sender = sendLater(arena, pair, stop);
            int waits = 0;
            long end = System.nanoTime() + LONG.toNanos();
            while (pair.b.done().isEmpty() && System.nanoTime() < end) {
                if (pair.b.poll() == 0 && pair.fabric.tryWait(pair.b.queue)) {
                    waits += waiter.await(Duration.ofSeconds(1));
                }
            }
            stop.set(true);
            sender.join();
            assertThat(pair.b.done()).hasSize(1);
            assertThat(waits).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("withDescriptors")
    void aWaiterTimesOut(Providers.Choice choice) {
        try (Pair pair = open(choice, WaitObject.FD)) {
            FdWaiter waiter = FdWaiter.of(pair.b.queue.fileDescriptor());
            for (int i = 0; i < 100 && !pair.fabric.tryWait(pair.b.queue); i++) {
                pair.b.poll();
            }
            assertThat(waiter.await(SHORT)).isZero();
            assertThat(waiter.isReady(0)).isFalse();
            assertThatThrownBy(() -> waiter.isReady(1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void providersWithoutDescriptorsSaySo(Providers.Choice choice) {
        if (List.of("tcp;ofi_rxm", "sockets", "tcp").contains(choice.provider())) {
            return;
        }
        try (Pair pair = Pair.open(choice)) {
            assertThatThrownBy(() -> {
                try (CompletionQueue queue = pair.domain.openCompletionQueue(queue(WaitObject.FD))) {
                    queue.fileDescriptor();
                }
            }).isInstanceOf(FabricException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("withDescriptors")
    void eventQueuesHaveDescriptorsToo(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice);
             EventQueue events = pair.fabric.openEventQueue(
                     EventQueueAttributes.DEFAULT.withWaitObject(WaitObject.FD))) {
            FdWaiter waiter = FdWaiter.of(events.fileDescriptor());
            assertThat(pair.fabric.tryWait(events)).isTrue();
            assertThat(waiter.await(SHORT)).isZero();
            events.write(1000, null, 5, 6);
            assertThat(pair.fabric.tryWait(events) && waiter.await(LONG) == 0).isFalse();
            assertThat(events.poll()).isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void eventQueuesWaitInTime(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            EventQueue events = pair.fabric.openEventQueue();
            assertThat(events.await(SHORT)).isEmpty();
            events.write(1000, null, 5, 6);
            assertThat(events.await(LONG)).isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void everyWaitObjectWorksOrIsRefused(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            for (WaitObject object : WaitObject.values()) {
                if (object == WaitObject.SET) {
                    assertThatThrownBy(() -> queue(WaitObject.SET)).isInstanceOf(IllegalArgumentException.class);
                    continue;
                }
                try (CompletionQueue queue = pair.domain.openCompletionQueue(queue(object))) {
                    ask(queue, object);
                } catch (FabricException refused) {
                    assertThat(refused.operation()).isEqualTo("fi_cq_open");
                }
                try (Counter counter = pair.domain.openCounter(
                        CounterAttributes.DEFAULT.withWaitObject(object))) {
                    assertThat(counter.requestedWaitObject()).isEqualTo(object);
                } catch (FabricException refused) {
                    assertThat(refused.operation()).isEqualTo("fi_cntr_open");
                }
            }
        }
    }

    @SuppressWarnings("deprecation")
    private static void ask(CompletionQueue queue, WaitObject object) {
        try {
            switch (object) {
                case FD -> assertThat(queue.fileDescriptor()).isNotNegative();
                case POLLFD -> {
                    for (PollDescriptor descriptor : queue.pollDescriptors()) {
                        assertThat(descriptor.fd()).isNotNegative();
                    }
                    FdWaiter.of(queue.pollDescriptors()).await(Duration.ZERO);
                }
                case MUTEX_COND -> assertThat(queue.mutexCondition()).isNotNull();
                default -> assertThat(queue.waitObject()).isNotNull();
            }
        } catch (FabricException lacking) {
            assertThat(lacking.operation()).contains("FI_GETWAIT");
        }
    }
}
