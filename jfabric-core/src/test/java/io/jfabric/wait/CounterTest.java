// SPDX-License-Identifier: Apache-2.0
package io.jfabric.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Counter;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.CounterAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counters on every provider that has them. */
@Timeout(30)
class CounterTest {
    private static final Duration SHORT = Duration.ofMillis(30);
    private static final Duration LONG = Duration.ofSeconds(10);

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void onlySocketsHasFlagsOfOperations(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Counter counter = pair.domain.openCounter();
            if (choice.equals(Providers.SOCKETS)) {
                assertThat(counter.operationFlags().bits()).isZero();
                counter.setOperationFlags(Flags.of(OperationFlag.COMPLETION));
                assertThat(counter.operationFlags()).isEqualTo(Flags.of(OperationFlag.COMPLETION));
                counter.setOperationFlags(Flags.ofBits(OperationFlag.class, 0));
                assertThat(counter.operationFlags().bits()).isZero();
            } else {
                assertThatThrownBy(counter::operationFlags).isInstanceOfSatisfying(FabricException.class, e ->
                        assertThat(e.error()).isEqualTo(FabricError.ENOSYS)).hasMessageContaining("FI_GETOPSFLAG");
                assertThatThrownBy(() -> counter.setOperationFlags(Flags.of(OperationFlag.COMPLETION)))
                        .isInstanceOf(FabricException.class).hasMessageContaining("FI_SETOPSFLAG");
            }
        }
    }

    /** On sockets a counter has 32 bits. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void noValueLosesBits(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Counter counter = pair.domain.openCounter();
            for (long value : new long[] {Integer.MAX_VALUE, 1L << 31, 1L << 32, (1L << 32) + 5, Long.MIN_VALUE, -1}) {
                boolean refused = choice.equals(Providers.SOCKETS) && value != Integer.MAX_VALUE;
                keeps(refused, () -> counter.set(value), counter::read, value);
                keeps(refused, () -> counter.setErrors(value), counter::readErrors, value);
                if (value != (int) value) {
                    counter.set(0);
                    keeps(refused, () -> counter.add(value), counter::read, value);
                }
            }
        }
    }

    private static void keeps(boolean refused, Runnable change, LongSupplier reading, long value) {
        if (refused) {
            assertThatThrownBy(change::run).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("in 32 bits");
        } else {
            change.run();
            assertThat(reading.getAsLong()).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void addSetAndErrors(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Counter counter = pair.domain.openCounter();
            assertThat(counter.read()).isZero();
            counter.add(3);
            counter.add(4);
            assertThat(counter.read()).isEqualTo(7);
            counter.set(2);
            assertThat(counter.read()).isEqualTo(2);
            assertThat(counter.readErrors()).isZero();
            counter.addErrors(5);
            assertThat(counter.readErrors()).isEqualTo(5);
            counter.setErrors(1);
            assertThat(counter.readErrors()).isEqualTo(1);
            assertThat(counter.read()).isEqualTo(2);
            assertThat(counter.attributes().waitObject()).isEqualTo(WaitObject.UNSPEC);
            counter.close();
            assertThatThrownBy(counter::read).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void waitingEndsAtTheThresholdOrWhenTheTimeIsUp(Providers.Choice choice) throws InterruptedException {
        try (Pair pair = Pair.open(choice)) {
            Counter counter = pair.domain.openCounter();
            long start = System.nanoTime();
            // in libfabric 1.17 fi_cntr_wait on shm never comes back from this, on sockets it returns +110
            assertThat(counter.await(1, SHORT)).isFalse();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
            counter.add(1);
            assertThat(counter.await(1, SHORT)).isTrue();
            assertThat(counter.await(1, Duration.ZERO)).isTrue();
            assertThat(counter.await(2, Duration.ZERO)).isFalse();
            Thread other = Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(SHORT.toNanos());
                counter.add(1);
            });
            assertThat(counter.await(2, LONG)).isTrue();
            other.join();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void anErrorEndsTheWait(Providers.Choice choice) throws InterruptedException {
        try (Pair pair = Pair.open(choice)) {
            Counter counter = pair.domain.openCounter();
            Thread other = Thread.ofPlatform().start(() -> {
                LockSupport.parkNanos(SHORT.toNanos());
                counter.addErrors(1);
            });
            assertThatThrownBy(() -> counter.await(1, LONG)).isInstanceOfSatisfying(FabricException.class, e ->
                    assertThat(e.error()).isEqualTo(FabricError.EAVAIL)).hasMessageContaining("fi_cntr_wait");
            other.join();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void countsSendsAndReceivesOfAnEndpoint(Providers.Choice choice) {
        List<Counter> counters = new ArrayList<>();
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.open(choice, h -> { }, CompletionQueueAttributes.of(CompletionFormat.TAGGED), ep -> {
                 Counter sent = ep.domain().openCounter();
                 Counter received = ep.domain().openCounter();
                 ep.bind(sent, BindFlag.TRANSMIT).bind(received, BindFlag.RECV);
                 counters.add(sent);
                 counters.add(received);
             })) {
            Counter sent = counters.get(0);
            Counter received = counters.get(3);
            MemorySegment out = arena.allocateFrom("count me");
            MemorySegment in = arena.allocate(64);
            for (int i = 0; i < 3; i++) {
                pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
                pair.await(pair.b, 1);
                pair.await(pair.a, 2);
            }
            pair.until("three received", () -> received.read() == 3);
            pair.until("three sent", () -> sent.read() == 3);
            assertThat(counters.get(1).read()).isZero();
            assertThat(received.await(3, LONG)).isTrue();
        }
    }

    @Test
    void waitingForACounterDrivesItsEndpoint() {
        // nobody polls the receiver's queue here: the counter alone brings the message in
        List<Counter> counters = new ArrayList<>();
        Providers.RXM.assumeOffered();
        try (Arena arena = Arena.ofShared();
             Pair pair = Pair.open(Providers.RXM, h -> { }, CompletionQueueAttributes.of(CompletionFormat.TAGGED), ep ->
                     counters.add(bound(ep.domain().openCounter(), ep)))) {
            MemorySegment out = arena.allocateFrom("count me");
            MemorySegment in = arena.allocate(64);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 2));
            Thread sender = Thread.ofPlatform().start(() -> {
                while (pair.a.done().isEmpty() && !Thread.interrupted()) {
                    pair.a.poll();
                }
            });
            assertThat(counters.get(1).await(1, LONG)).isTrue();
            sender.interrupt();
            assertThat(in.getString(0)).isEqualTo("count me");
            Threads.join(sender);
        }
    }

    private static Counter bound(Counter counter, Endpoint endpoint) {
        endpoint.bind(counter, BindFlag.RECV);
        return counter;
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#dgram")
    void udpHasNone(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            if (choice.provider().equals("sockets")) {
                pair.domain.openCounter().close();
            } else {
                assertThatThrownBy(pair.domain::openCounter).isInstanceOfSatisfying(FabricException.class, e ->
                        assertThat(e.error()).isEqualTo(FabricError.ENOSYS)).hasMessageContaining("fi_cntr_open");
            }
        }
    }

    @Test
    void badArguments() {
        Providers.SHM.assumeOffered();
        try (Pair pair = Pair.open(Providers.SHM)) {
            Counter counter = pair.domain.openCounter();
            assertThatThrownBy(() -> counter.await(1, Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("negative");
            assertThatThrownBy(() -> CounterAttributes.DEFAULT.withWaitObject(WaitObject.SET))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(counter::fileDescriptor).isInstanceOf(FabricException.class)
                    .hasMessageContaining("WaitObject.FD");
            if (Fabric.version().compareTo(new Version(1, 21)) < 0) {
                assertThatThrownBy(() -> pair.domain.openCounter(
                        CounterAttributes.DEFAULT.withEvents(CounterAttributes.Events.BYTES)))
                        .isInstanceOf(FabricException.class).hasMessageContaining("1.21");
            }
        }
    }
}
