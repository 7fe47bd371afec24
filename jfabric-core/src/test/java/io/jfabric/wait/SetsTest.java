// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.CompletionQueue;
import io.jfabric.Counter;
import io.jfabric.Endpoint;
import io.jfabric.EventQueue;
import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.FabricObject;
import io.jfabric.Waitable;
import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.EventQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testing.SharedJvm;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Poll sets and wait sets, which libfabric has deprecated. */
@Timeout(60)
@SuppressWarnings("deprecation")
class SetsTest {
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aPollSetReportsWhoHasSomething(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice); PollSet set = PollSet.open(pair.domain)) {
            Counter counter = pair.domain.openCounter();
            set.add(pair.b.queue).add(counter);
            set.poll();
            MemorySegment in = arena.allocate(64);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 5));
            pair.post(() -> pair.a.endpoint.messages().send(arena.allocateFrom("x"), pair.a.peer, 6));
            long end = System.nanoTime() + Pair.DEADLINE.toNanos();
            boolean ready = false;
            while (!ready && System.nanoTime() < end) {
                pair.a.poll();
                ready = set.poll().contains(pair.b.queue);
            }
            assertThat(ready).isTrue();
            pair.await(pair.b, 5);
            set.remove(pair.b.queue);
            assertThat(set.poll()).doesNotContain(pair.b.queue);
            set.remove(counter);
        }
    }

    /** An endpoint that others know closes: what its queue has is read then, also of others that use it. */
    @Test
    void aPollSetReportsWhatWasReadAsAnEndpointClosed() {
        try (Pair pair = Pair.open(Providers.SHM).connect(); PollSet set = PollSet.open(pair.domain)) {
            Endpoint third = pair.domain.openEndpoint(pair.info)
                    .bind(pair.a.queue, BindFlag.TRANSMIT, BindFlag.RECV)
                    .bind(pair.domain.openAddressVector()).enable();
            pair.b.addresses.insert(third.address().bytes());
            pair.post(() -> pair.b.endpoint.messages().receive(Arena.ofAuto().allocate(64), Address.ANY, 5));
            pair.post(() -> pair.a.endpoint.messages().send(Arena.ofAuto().allocate(64), pair.a.peer, 6));
            set.add(pair.a.queue);
            // of this queue nobody reads anything
            pair.untilWithoutProgress("something has come", () -> {
                pair.b.poll();
                return !set.poll().isEmpty() || !pair.b.done().isEmpty();
            });
            third.close();
            assertThat(set.poll()).containsExactly(pair.a.queue);
            pair.await(pair.a, 6);
            assertThat(set.poll()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatIsAddedTwiceIsThereOnce(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect(); PollSet set = PollSet.open(pair.domain)) {
            set.add(pair.a.queue).add(pair.a.queue).remove(pair.a.queue);
            assertThatThrownBy(() -> set.remove(pair.a.queue)).isInstanceOf(IllegalArgumentException.class);
            set.add(pair.a.queue);
            pair.post(() -> pair.b.endpoint.messages().receive(Arena.ofAuto().allocate(8), Address.ANY, 5));
            pair.post(() -> pair.a.endpoint.messages().send(Arena.ofAuto().allocate(8), pair.a.peer, 6));
            pair.untilWithoutProgress("it is reported", () -> {
                pair.b.poll();
                return set.poll().contains(pair.a.queue) || !pair.a.done().isEmpty();
            });
            set.remove(pair.a.queue);
            pair.await(pair.a, 6);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aMemberStaysOpen(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice); PollSet set = PollSet.open(pair.domain)) {
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.MSG);
            set.add(queue);
            assertThatThrownBy(queue::close).isInstanceOf(FabricException.class).hasMessageContaining("poll set");
            assertThat(set.poll()).isEmpty();
            set.remove(queue);
            queue.close();
            assertThat(queue.isOpen()).isFalse();
            assertThat(set.poll()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aPollSetMayBeChangedWhileOthersLookAtIt(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(PollSetRace.class, choice.toString());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aWaitSetWakesOrIsRefused(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            WaitSet set;
            try {
                set = WaitSet.open(pair.fabric, WaitObject.UNSPEC);
            } catch (FabricException refused) {
                assertThat(choice.provider()).as(refused.getMessage()).isIn("shm", "sockets");
                assertThat(Fabric.version().major() == 1 || choice.provider().equals("sockets")).isTrue();
                return;
            }
            assertThat(set.await(Duration.ofMillis(20))).isFalse();
            // shm of libfabric 2 has wait sets, but for event queues only
            boolean shm = choice.provider().equals("shm");
            FabricObject counter = openOrRefused(choice.provider().equals("udp") || shm,
                    () -> set.openCounter(pair.domain, CounterAttributes.DEFAULT));
            FabricObject queue = openOrRefused(shm, () -> set.openCompletionQueue(pair.domain,
                    CompletionQueueAttributes.of(CompletionFormat.MSG)));
            EventQueue events = set.openEventQueue(EventQueueAttributes.DEFAULT);
            events.write(1000, null, 1, 2);
            assertThat(set.await(Duration.ofSeconds(5))).isTrue();
            assertThat(events.poll()).isPresent();
            events.close();
            for (FabricObject opened : new FabricObject[] {queue, counter}) {
                if (opened != null) {
                    opened.close();
                }
            }
            set.close();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void whatBelongsToASetThatYieldsCannotBeTried(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            WaitSet set;
            try {
                set = WaitSet.open(pair.fabric, WaitObject.YIELD);
            } catch (FabricException refused) {
                abort("before 2.0 such sets never time out: " + refused.getMessage());
                return;
            }
            EventQueue events = set.openEventQueue(EventQueueAttributes.DEFAULT);
            for (Waitable waitable : new Waitable[] {events, set}) {
                assertThatThrownBy(() -> pair.fabric.tryWait(waitable)).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("yield");
            }
        }
    }

    /** Nothing tells when to look again; but who looks again and again takes little time. */
    @Test
    void waitsOfWhatAnEndpointWasClosedOfPause() {
        assumeTrue(Providers.RXM.isOffered());
        try (Pair pair = Pair.open(Providers.RXM)) {
            WaitSet set = WaitSet.open(pair.fabric, WaitObject.UNSPEC);
            CompletionQueueAttributes attributes = CompletionQueueAttributes.of(CompletionFormat.TAGGED);
            CompletionQueue waited = set.openCompletionQueue(pair.domain, attributes);
            CompletionQueue tried = pair.domain.openCompletionQueue(attributes.withWaitObject(WaitObject.FD));
            for (CompletionQueue queue : List.of(waited, tried)) {
                pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                        .bind(pair.domain.openAddressVector()).enable().close();
            }
            assertThat(returns(() -> set.await(Duration.ofSeconds(1)))).isLessThan(5000);
            assertThat(returns(() -> pair.fabric.tryWait(tried))).isLessThan(5000);
            assertThat(set.await(Duration.ZERO)).isTrue();
            Thread.currentThread().interrupt();
            assertThat(set.await(Duration.ofSeconds(1))).isFalse();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    static Stream<Providers.Choice> rememberEndpoints() {
        return Providers.offered(Providers.RXM, Providers.RXD);
    }

    @ParameterizedTest
    @MethodSource("rememberEndpoints")
    void anEndpointIsClosedWhileAThreadWaits(Providers.Choice choice) {
        ChildJvm.Result result = SharedJvm.run(WaitSetClose.class, choice.toString());
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SURVIVED");
    }

    /** How often it returns within 200 ms. */
    private static int returns(Runnable wait) {
        int returns = 0;
        for (long end = System.nanoTime() + 200_000_000; System.nanoTime() < end; returns++) {
            wait.run();
        }
        return returns;
    }

    private static FabricObject openOrRefused(boolean refused, Supplier<FabricObject> open) {
        if (!refused) {
            return open.get();
        }
        assertThatThrownBy(open::get).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.ENOSYS));
        return null;
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void badArguments(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assertThatThrownBy(() -> WaitSet.open(pair.fabric, WaitObject.NONE))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> WaitSet.open(null, WaitObject.UNSPEC))
                    .isInstanceOf(NullPointerException.class).hasMessageContaining("fabric");
            assertThatThrownBy(() -> WaitSet.open(pair.fabric, null))
                    .isInstanceOf(NullPointerException.class).hasMessageContaining("object");
        }
    }
}
