// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.wait.PollSet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One thread posts a receive while another one polls, and the message comes at this very moment. */
@Timeout(90)
class ReceiveRaceTest {
    private static final int MESSAGES = 20_000;
    private static final long LONGEST = 500_000_000L;
    private static final long PATIENCE = 5_000_000_000L;

    private final MemorySegment out = Arena.ofAuto().allocate(8);
    private final MemorySegment in = Arena.ofAuto().allocate(8);
    private final AtomicLong arrived = new AtomicLong();
    private final AtomicInteger others = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** Posts the receive of a message when that has been sent. */
    private interface Receiving {
        boolean post(Endpoint receiver, long number);
    }

    /** Drives operations on otherwise than by polling the queue. */
    private interface Driving {
        void once();
    }

    /** Sends one. */
    private interface Sending {
        boolean post(Endpoint sender, long peer, long number);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void tagged(Providers.Choice choice) throws Exception {
        race(choice, (endpoint, peer, number) -> endpoint.tagged().inject(out, peer, number),
                (endpoint, number) -> endpoint.tagged().receive(in, Address.ANY, number, 0, number));
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void untagged(Providers.Choice choice) throws Exception {
        race(choice, (endpoint, peer, number) -> endpoint.messages().inject(out, peer),
                (endpoint, number) -> endpoint.messages().receive(in, Address.ANY, number));
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void requests(Providers.Choice choice) throws Exception {
        race(choice, (endpoint, peer, number) -> endpoint.tagged().inject(out, peer, number),
                (endpoint, number) -> endpoint.tagged().receiveRequest().buffers(in).tag(number).post(number));
    }

    /** Reads the errors as often as the value. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void awaitingACounter(Providers.Choice choice) throws Exception {
        List<Counter> counters = new ArrayList<>();
        try (Pair pair = Pair.open(choice, hints -> { }, CompletionQueueAttributes.of(CompletionFormat.TAGGED),
                endpoint -> {
                    counters.add(endpoint.domain().openCounter());
                    endpoint.bind(counters.getLast(), BindFlag.RECV);
                }).connect()) {
            race(pair, () -> counters.getLast().await(Long.MAX_VALUE, Duration.ofNanos(100_000)));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    @SuppressWarnings("deprecation")
    void pollingASet(Providers.Choice choice) throws Exception {
        try (Pair pair = Pair.open(choice).connect(); PollSet set = PollSet.open(pair.domain)) {
            set.add(pair.b.queue);
            race(pair, () -> {
                for (int i = 0; i < 10; i++) {
                    set.poll();
                }
            });
        }
    }

    private void race(Pair pair, Driving driving) throws Exception {
        race(pair, driving, (endpoint, peer, number) -> endpoint.tagged().inject(out, peer, number),
                (endpoint, number) -> endpoint.tagged().receive(in, Address.ANY, number, 0, number));
    }

    private void race(Providers.Choice choice, Sending sending, Receiving receiving) throws Exception {
        try (Pair pair = Pair.open(choice).connect()) {
            race(pair, () -> { }, sending, receiving);
        }
    }

    private void race(Pair pair, Driving driving, Sending sending, Receiving receiving) throws Exception {
        Thread poller = Thread.ofPlatform().start(() -> poll(pair.b.queue, driving));
        try {
            long start = System.nanoTime();
            for (long number = 1; number <= MESSAGES && System.nanoTime() - start < LONGEST; number++) {
                long last = number;
                until(pair, () -> sending.post(pair.a.endpoint, pair.a.peer, last), "message %d is not sent", last);
                until(pair, () -> receiving.post(pair.b.endpoint, last), "receive %d is not posted", last);
                until(pair, () -> arrived.get() >= last, "message %d has not come", last);
            }
        } finally {
            over.set(true);
            poller.join();
        }
        assertThat(failure.get()).isNull();
    }

    private void until(Pair pair, BooleanSupplier done, String otherwise, long number) {
        long end = System.nanoTime() + PATIENCE;
        while (!done.getAsBoolean()) {
            pair.a.poll();
            assertThat(failure.get()).isNull();
            assertThat(System.nanoTime()).as(otherwise, number).isLessThan(end);
        }
    }

    private void poll(CompletionQueue queue, Driving driving) {
        try {
            while (!over.get()) {
                driving.once();
                queue.poll(completion -> {
                    if (completion.context() != arrived.incrementAndGet()) {
                        others.incrementAndGet();
                    }
                }, 8);
            }
            assertThat(others.get()).isZero();
        } catch (Throwable e) {
            failure.set(e);
        }
    }
}
