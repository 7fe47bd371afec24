// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Threading;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a {@link CompletionQueue} reports, and that it loses nothing. */
class CompletionsTest {
    private final Arena arena = Arena.ofAuto();

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void everyFormatReportsWhatItPromises(Providers.Choice choice) {
        for (CompletionFormat format : CompletionFormat.values()) {
            try (Pair pair = Pair.open(choice, hints -> { }, CompletionQueueAttributes.of(format), e -> { })) {
                MemorySegment in = arena.allocate(32);
                MemorySegment out = Bytes.pattern(arena, 32, 1);
                boolean tagged = choice.type() == EndpointType.RDM;
                pair.post(() -> tagged ? pair.b.endpoint.tagged().receive(in, Address.ANY, 5, 0, 2)
                        : pair.b.endpoint.messages().receive(in, Address.ANY, 2));
                pair.post(() -> tagged ? pair.a.endpoint.tagged().sendData(out, 77, pair.a.peer, 5, 1)
                        : pair.a.endpoint.messages().send(out, pair.a.peer, 1));
                pair.await(pair.a, 1);
                Done done = pair.await(pair.b, 2);
                assertThat(in.mismatch(out)).isEqualTo(-1);
                CompletionFormat reported = pair.b.queue.attributes().format();
                if (reported.compareTo(CompletionFormat.MSG) >= 0) {
                    assertThat(done.length()).isEqualTo(32);
                    assertThat(done.is(CompletionFlag.RECV)).isTrue();
                    assertThat(done.is(CompletionFlag.SEND)).isFalse();
                }
                if (tagged && reported.compareTo(CompletionFormat.DATA) >= 0) {
                    assertThat(done.data()).isEqualTo(77);
                    assertThat(done.is(CompletionFlag.REMOTE_CQ_DATA)).isTrue();
                }
                if (tagged && reported == CompletionFormat.TAGGED) {
                    assertThat(done.tag()).isEqualTo(5);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = CompletionFormat.class, names = {"CONTEXT", "MSG", "DATA"})
    void refusesWhatTheFormatLacks(CompletionFormat format) {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        try (Pair pair = Pair.open(Providers.SHM, hints -> { }, CompletionQueueAttributes.of(format), e -> { })) {
            pair.post(() -> pair.a.endpoint.messages().send(arena.allocate(8), pair.a.peer, 1));
            List<RuntimeException> refused = new ArrayList<>();
            CompletionHandler handler = completion -> {
                List<Runnable> readers = List.of(completion::flags, completion::length, completion::buffer,
                        completion::data, completion::tag);
                for (Runnable reader : readers) {
                    try {
                        reader.run();
                    } catch (UnsupportedOperationException e) {
                        refused.add(e);
                    }
                }
            };
            pair.untilWithoutProgress("completion", () -> {
                pair.b.poll();
                return pair.a.queue.poll(handler, 1) == 1;
            });
            int lacking = format == CompletionFormat.CONTEXT ? 5 : format == CompletionFormat.MSG ? 3 : 1;
            assertThat(refused).hasSize(lacking).allSatisfy(e -> assertThat(e).hasMessageContaining("open it"));
        }
    }

    @Test
    void aHandlerThatThrowsLosesNothing() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            for (long i = 1; i <= 5; i++) {
                long context = i;
                pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(8), Address.ANY, context));
                pair.post(() -> pair.a.endpoint.messages().inject(arena.allocate(8), pair.a.peer));
            }
            List<Long> seen = new ArrayList<>();
            int[] thrown = new int[1];
            CompletionHandler handler = completion -> {
                seen.add(completion.context());
                if (completion.context() == 2 || completion.context() == 3) {
                    thrown[0]++;
                    throw new IllegalStateException("handler");
                }
            };
            pair.untilWithoutProgress("five completions", () -> {
                try {
                    pair.b.queue.poll(handler, 16);
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessage("handler");
                }
                pair.a.poll();
                return seen.size() >= 5;
            });
            assertThat(seen).containsExactly(1L, 2L, 3L, 4L, 5L);
            assertThat(thrown[0]).isEqualTo(2);
        }
    }

    /** The queue reads many at once; a handler in the middle of them polls for more, and closes what they came by. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aHandlerPollsAndClosesInTheMiddleOfMany(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            for (long i = 1; i <= 6; i++) {
                long context = i;
                pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(8), Address.ANY, context));
                pair.post(() -> pair.a.endpoint.messages().inject(arena.allocate(8), pair.a.peer));
            }
            List<Long> seen = new ArrayList<>();
            CompletionHandler inner = completion -> seen.add(completion.context());
            CompletionHandler handler = completion -> {
                long context = completion.context();
                seen.add(context);
                if (context == 2) {
                    pair.b.queue.poll(inner, 1);
                } else if (context == 5) {
                    pair.b.endpoint.close();
                }
            };
            pair.untilWithoutProgress("completions", () -> {
                pair.b.queue.poll(handler, 16);
                pair.a.poll();
                return seen.contains(5L);
            });
            // what was read before the endpoint closed is told of still
            while (pair.b.queue.poll(handler, 16) > 0) {
                Thread.onSpinWait();
            }
            assertThat(seen).startsWith(1L, 2L, 3L, 4L, 5L).doesNotHaveDuplicates();
        }
    }

    @Test
    void deliversNoMoreThanTheLimit() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        try (Pair pair = Pair.open(Providers.SHM).connect()) {
            for (int i = 0; i < 7; i++) {
                pair.post(() -> pair.a.endpoint.messages().send(arena.allocate(8), pair.a.peer, 1));
            }
            List<Integer> counts = new ArrayList<>();
            pair.untilWithoutProgress("seven completions", () -> {
                int n = pair.a.queue.poll(completion -> { }, 2);
                counts.add(n);
                pair.b.poll();
                return counts.stream().mapToInt(Integer::intValue).sum() == 7;
            });
            assertThat(counts).allMatch(n -> n <= 2);
        }
    }

    static Stream<Providers.Choice> selective() {
        return Stream.concat(Providers.connectionless(), Providers.offered(new Providers.Choice("net",
                EndpointType.RDM)));
    }

    @ParameterizedTest
    @MethodSource("selective")
    void reportsOnlyWhatAsksForItWhereCompletionIsSelective(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice);
             Fabric fabric = Fabric.open(pair.info);
             Domain domain = fabric.openDomain(pair.info)) {
            AddressVector av = domain.openAddressVector();
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
            Endpoint endpoint = domain.openEndpoint(pair.info)
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.SELECTIVE_COMPLETION)
                    .bind(queue, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION).bind(av).enable();
            long peer = av.insert(pair.b.endpoint.address().bytes());
            for (int i = 0; i < 4; i++) {
                long context = 10 + i;
                pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(8), Address.ANY, context));
            }
            Set<Long> seen = new HashSet<>();
            CompletionHandler handler = completion -> seen.add(completion.context());
            Messages messages = endpoint.messages();
            pair.post(() -> progressing(queue, handler, messages.send(arena.allocate(8), peer, 1)));
            pair.post(() -> progressing(queue, handler, messages.sendRequest()
                    .buffers(arena.allocate(8)).peer(peer).flags(OperationFlag.COMPLETION).post(2)));
            pair.post(() -> progressing(queue, handler, messages.send(arena.allocate(8), peer, 3)));
            pair.post(() -> progressing(queue, handler, messages.inject(arena.allocate(8), peer)));
            pair.untilWithoutProgress("four messages", () -> {
                queue.poll(handler, 8);
                pair.b.poll();
                return pair.b.done().size() == 4 && seen.contains(2L);
            });
            queue.poll(handler, 8);
            assertThat(seen).containsExactly(2L);

            long back = pair.b.addresses.insert(endpoint.address().bytes());
            pair.post(() -> messages.receive(arena.allocate(8), Address.ANY, 4));
            pair.post(() -> progressing(queue, handler, messages.receiveRequest().buffers(arena.allocate(8))
                    .flags(OperationFlag.COMPLETION).post(5)));
            for (int i = 0; i < 2; i++) {
                long context = 20 + i;
                pair.post(() -> progressing(queue, handler, pair.b.endpoint.messages().send(arena.allocate(8), back,
                        context)));
            }
            pair.untilWithoutProgress("two messages back", () -> {
                queue.poll(handler, 8);
                pair.b.poll();
                return seen.contains(5L);
            });
            queue.poll(handler, 8);
            assertThat(seen).containsExactlyInAnyOrder(2L, 5L);
        }
    }

    /** The flags that operations without their own have may ask for it. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void reportsWhatAsksForItByDefault(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice);
             FabricInfo info = pair.info.duplicate();
             Fabric fabric = Fabric.open(info);
             Domain domain = fabric.openDomain(info)) {
            info.tx().operationFlags(OperationFlag.COMPLETION);
            info.rx().operationFlags(OperationFlag.COMPLETION);
            AddressVector av = domain.openAddressVector();
            CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.TAGGED);
            Endpoint endpoint = domain.openEndpoint(info)
                    .bind(queue, BindFlag.TRANSMIT, BindFlag.SELECTIVE_COMPLETION)
                    .bind(queue, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION).bind(av).enable();
            long peer = av.insert(pair.b.endpoint.address().bytes());
            Set<Long> seen = new HashSet<>();
            CompletionHandler handler = completion -> seen.add(completion.context());
            pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(8), Address.ANY, 10));
            Messages messages = endpoint.messages();
            pair.post(() -> progressing(queue, handler, messages.receive(arena.allocate(8), Address.ANY, 1)));
            pair.post(() -> progressing(queue, handler, messages.send(arena.allocate(8), peer, 2)));
            pair.untilWithoutProgress("the send", () -> {
                queue.poll(handler, 8);
                pair.b.poll();
                return !pair.b.done().isEmpty() && !seen.isEmpty();
            });
            assertThat(seen).containsExactly(2L);
            assertThat(endpoint.statistics().underWay()).isEqualTo(1);
        }
    }

    private static boolean progressing(CompletionQueue queue, CompletionHandler handler, boolean posted) {
        queue.poll(handler, 8);
        return posted;
    }

    /** Several threads post, one polls: no context is lost or mixed up. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void severalThreadsPost(Providers.Choice choice) throws InterruptedException {
        int threads = 4;
        int each = 200;
        assumeTrue(choice.isOffered(h -> h.domain().threading(Threading.SAFE)), "the provider is not thread-safe");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> senders = new ArrayList<>();
        try (Pair pair = Pair.open(choice, hints -> hints.domain().threading(Threading.SAFE))) {
            AtomicLong received = new AtomicLong();
            for (int t = 0; t < threads; t++) {
                int number = t;
                senders.add(Thread.ofPlatform().daemon().start(() -> {
                    MemorySegment out = arena.allocate(8);
                    long end = System.nanoTime() + Pair.DEADLINE.toNanos();
                    try {
                        for (int i = 0; i < each; i++) {
                            while (!pair.a.endpoint.tagged().send(out, pair.a.peer, number, number * 1000L + i)) {
                                Thread.yield();
                                if (System.nanoTime() > end) {
                                    throw new AssertionError("thread " + number + " is stuck at " + i);
                                }
                            }
                        }
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                }));
            }
            int posted = 0;
            Set<Long> sent = new HashSet<>();
            long end = System.nanoTime() + Pair.DEADLINE.toNanos();
            while (sent.size() < threads * each && failure.get() == null) {
                assertThat(System.nanoTime()).as("deadline; %s sent", sent.size()).isLessThan(end);
                while (posted - received.get() < 64 && posted < threads * each
                        && pair.b.endpoint.tagged().receive(arena.allocate(8), Address.ANY, 0, ~0L, 1)) {
                    posted++;
                }
                pair.progress();
                Done done;
                while ((done = pair.a.take(d -> true)) != null) {
                    assertThat(done.error()).isNull();
                    assertThat(sent.add(done.context())).as("context %s twice", done.context()).isTrue();
                }
                while (pair.b.take(d -> true) != null) {
                    received.incrementAndGet();
                }
            }
            for (Thread sender : senders) {
                sender.join(Pair.DEADLINE);
            }
        }
        assertThat(failure.get()).isNull();
    }

    /** A provider that is full says so with false, and everything it took arrives. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aFullQueueIsNoError(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice).connect()) {
            MemorySegment out = arena.allocate(64);
            MemorySegment in = arena.allocate(64);
            // others take thousands, and rxd of 1.17 stalls when more than its window of 1024 is unexpected
            long limit = choice.equals(Providers.SHM) ? 3000 : 100;
            long sent = 0;
            while (sent < limit && pair.a.endpoint.messages().send(out, pair.a.peer, sent)) {
                sent++;
            }
            assertThat(sent).isPositive();
            if (choice.equals(Providers.SHM)) {
                assertThat(sent).as("shm has a queue of fixed size").isLessThan(limit);
            }
            for (long i = 0; i < sent; i++) {
                pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 1));
                pair.await(pair.b, 1);
            }
            long expected = sent;
            pair.until("all sends complete", () -> pair.a.done().size() == expected);
            assertThat(pair.a.done().stream().map(Done::context).distinct()).hasSize((int) sent);
            assertThat(pair.a.done()).allMatch(d -> d.error() == null);
        }
    }

    @Test
    void asksForALimitAboveZero() {
        assumeTrue(Fabric.isAvailable(), "libfabric is not available");
        try (Pair pair = Pair.open(Providers.SHM)) {
            assertThatThrownBy(() -> pair.a.queue.poll(done -> { }, 0))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("limit is 0");
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void aSignalEndsTheWait(Providers.Choice choice) {
        CompletionQueueAttributes waiting = CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                .withWaitObject(WaitObject.UNSPEC);
        try (Pair pair = Pair.open(choice, hints -> { }, waiting, e -> { })) {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    Thread.sleep(30);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                pair.b.queue.signal();
            });
            long start = System.nanoTime();
            assertThat(pair.b.queue.await(completion -> { }, 1, Duration.ofSeconds(8))).isZero();
            assertThat(System.nanoTime() - start).isLessThan(6_000_000_000L);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void waitsForACompletion(Providers.Choice choice) {
        CompletionQueueAttributes waiting = CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                .withWaitObject(WaitObject.UNSPEC);
        try (Pair pair = Pair.open(choice, hints -> { }, waiting, e -> { })) {
            long start = System.nanoTime();
            assertThat(pair.b.queue.await(completion -> { }, 1, Duration.ofMillis(30))).isZero();
            assertThat(System.nanoTime() - start).as("waited").isGreaterThan(20_000_000L);
            pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(8), Address.ANY, 2));
            pair.post(() -> pair.a.endpoint.messages().send(arena.allocate(8), pair.a.peer, 1));
            long[] context = new long[1];
            pair.untilWithoutProgress("a completion", () -> {
                pair.a.poll();
                return pair.b.queue.await(done -> context[0] = done.context(), 1, Duration.ofMillis(50)) == 1;
            });
            assertThat(context[0]).isEqualTo(2);
            pair.await(pair.a, 1);
        }
    }
}
