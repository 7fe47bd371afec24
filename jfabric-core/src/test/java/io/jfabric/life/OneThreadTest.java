// SPDX-License-Identifier: Apache-2.0
package io.jfabric.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AddressVector;
import io.jfabric.CompletionHandler;
import io.jfabric.CompletionQueue;
import io.jfabric.Domain;
import io.jfabric.Endpoint;
import io.jfabric.Fabric;
import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Progress;
import io.jfabric.info.Threading;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A domain whose locks libfabric leaves out, because the program promised to use it in one thread at a time. */
class OneThreadTest {
    private static final int MESSAGES = 100;
    private static final int THREADS = 3;

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void threadsThatDoNotKeepThePromiseAreKeptApart(Providers.Choice choice) throws Exception {
        try (Pair pair = Pair.open(choice, Hints::oneThread);
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> all = IntStream.range(0, THREADS)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> talkToItself(pair.domain, pair, i))).toList();
            for (Future<?> one : all) {
                one.get(50, TimeUnit.SECONDS);
            }
        }
    }

    /** Its own endpoint and queue, but the domain that the others use, too. */
    private static void talkToItself(Domain domain, Pair pair, int number) {
        AddressVector addresses = domain.openAddressVector();
        CompletionQueue queue = domain.openCompletionQueue(CompletionFormat.MSG);
        try (Arena arena = Arena.ofShared();
                Endpoint endpoint = domain.openEndpoint(pair.info)
                        .bind(queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(addresses).enable()) {
            long self = addresses.insert(endpoint.address());
            MemorySegment sent = arena.allocate(8);
            MemorySegment received = arena.allocate(8);
            AtomicInteger done = new AtomicInteger();
            CompletionHandler handler = c -> done.incrementAndGet();
            for (int i = 0; i < MESSAGES; i++) {
                long value = (long) number << 32 | i;
                sent.set(ValueLayout.JAVA_LONG, 0, value);
                int both = 2 * (i + 1);
                Waits.spin("the receive is posted", () -> {
                    queue.poll(handler, 16);
                    return endpoint.messages().receive(received, Address.ANY, 1);
                });
                Waits.spin("the message is sent", () -> {
                    queue.poll(handler, 16);
                    return endpoint.messages().send(sent, self, 2);
                });
                Waits.spin("both are done", () -> {
                    queue.poll(handler, 16);
                    return done.get() == both;
                });
                assertThat(received.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(value);
            }
        }
    }

    /** All with one endpoint: without libfabric's locks its lists of free entries break in no time. */
    @Test
    void senderAndPollersOfOneEndpointAreKeptApart() throws Exception {
        String[] providers = Providers.rdm().map(Providers.Choice::provider).toArray(String[]::new);
        try (ChildJvm child = ChildJvm.of(Senders.class, providers).start()) {
            ChildJvm.Result end = child.await();
            for (String provider : providers) {
                assertThat(end.output()).contains(provider + ": all " + THREADS * MESSAGES + " arrived");
            }
            assertThat(end.exitCode()).isZero();
        }
    }

    /** Several threads send and poll at once, over one provider after the other. */
    static final class Senders {
        private Senders() {
        }

        public static void main(String[] arguments) throws Exception {
            for (String provider : arguments) {
                over(new Providers.Choice(provider, EndpointType.RDM));
            }
        }

        private static void over(Providers.Choice choice) throws Exception {
            try (Pair pair = Pair.open(choice, Hints::oneThread).connect();
                    Arena arena = Arena.ofShared(); ExecutorService threads = Executors.newCachedThreadPool()) {
                AtomicInteger arrived = new AtomicInteger();
                MemorySegment buffer = arena.allocate(THREADS * 8L);
                Future<?> receiver = threads.submit(() -> {
                    for (int i = 0; i < THREADS * MESSAGES; i++) {
                        while (!pair.b.endpoint.messages().receive(buffer, Address.ANY, 1)) {
                            Thread.onSpinWait();
                        }
                        int before = arrived.get();
                        while (arrived.get() == before) {
                            pair.b.queue.poll(c -> arrived.incrementAndGet(), 1);
                        }
                    }
                });
                AtomicInteger senders = new AtomicInteger(THREADS);
                for (int t = 0; t < THREADS; t++) {
                    threads.submit(() -> {
                        for (int i = 0; i < MESSAGES; i++) {
                            while (!pair.a.endpoint.messages().inject(buffer, 0, 8, pair.a.peer)) {
                                Thread.onSpinWait();
                            }
                        }
                        return senders.decrementAndGet();
                    });
                }
                while (!receiver.isDone()) {
                    pair.a.queue.poll(c -> { }, 16);
                }
                receiver.get();
                System.out.println(choice.provider() + ": all " + arrived + " arrived");
            }
        }
    }

    @Test
    void aHandlerKeepsTheDomain() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM, Hints::oneThread).connect();
                Arena arena = Arena.ofShared(); ExecutorService other = Executors.newSingleThreadExecutor()) {
            MemorySegment buffer = arena.allocate(8);
            CountDownLatch inHandler = new CountDownLatch(1);
            pair.post(() -> pair.b.endpoint.messages().receive(buffer, Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(buffer, pair.a.peer, 2));
            Future<?> late = other.submit(() -> {
                Threads.await(inHandler);
                return pair.a.endpoint.messages().send(buffer, pair.a.peer, 3);
            });
            pair.untilWithoutProgress("the handler is called", () -> {
                pair.a.queue.poll(c -> { }, 1);
                pair.b.queue.poll(c -> {
                    inHandler.countDown();
                    assertThatThrownBy(() -> late.get(200, TimeUnit.MILLISECONDS))
                            .isInstanceOf(TimeoutException.class);
                }, 1);
                return inHandler.getCount() == 0;
            });
            late.get(30, TimeUnit.SECONDS);
        }
    }

    /** Who waits for the domain does not keep the handler from anything meanwhile. */
    @Test
    void aHandlerMayCloseWhatItHasWhileAnotherWaits() throws Exception {
        try (Pair pair = Pair.open(Providers.SHM, Hints::oneThread).connect();
                Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(8);
            CompletionQueue spare = pair.domain.openCompletionQueue(CompletionFormat.MSG);
            pair.post(() -> pair.b.endpoint.messages().receive(buffer, Address.ANY, 1));
            pair.post(() -> pair.a.endpoint.messages().send(buffer, pair.a.peer, 2));
            AtomicBoolean inHandler = new AtomicBoolean();
            Thread late = Thread.ofPlatform().start(() -> {
                Waits.spin("the handler is called", inHandler::get);
                pair.a.endpoint.messages().send(buffer, pair.a.peer, 3);
            });
            pair.untilWithoutProgress("the handler is called", () -> {
                pair.a.queue.poll(c -> { }, 1);
                pair.b.queue.poll(c -> {
                    inHandler.set(true);
                    Waits.spin("it waits", () -> late.getState() != Thread.State.RUNNABLE);
                    long start = System.nanoTime();
                    spare.close();
                    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
                }, 1);
                return inHandler.get();
            });
            late.join(30_000);
            assertThat(late.isAlive()).isFalse();
            assertThat(spare.isOpen()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp;ofi_rxm"})
    void closingNeedsNotTheThreadThatWorked(String provider) throws Exception {
        Providers.Choice choice = new Providers.Choice(provider, EndpointType.RDM);
        Pair pair = Pair.open(choice, Hints::oneThread);
        FutureTask<Pair> work = new FutureTask<>(pair::connect);
        Thread worker = Thread.ofPlatform().daemon().start(work);
        assertThat(work.get(20, TimeUnit.SECONDS)).isSameAs(pair);
        assertThat(worker.join(Duration.ofSeconds(20))).isTrue();
        pair.close();
        assertThat(pair.domain.isOpen()).isFalse();
    }

    @Test
    void aThreadThatStaysInsideIsNamed() {
        try (ChildJvm child = ChildJvm.of(StaysInside.class).flags("-Djfabric.closeTimeoutMillis=500").start()) {
            assertThat(child.await().output()).contains("was opened for one thread at a time")
                    .contains("is still using it").contains("END");
        }
    }

    /** A handler that waits for a thread which waits for the handler. */
    static final class StaysInside {
        private StaysInside() {
        }

        public static void main(String[] arguments) throws Exception {
            try (Pair pair = Pair.open(Providers.SHM, Hints::oneThread).connect();
                    Arena arena = Arena.ofShared()) {
                MemorySegment buffer = arena.allocate(8);
                pair.post(() -> pair.b.endpoint.messages().receive(buffer, Address.ANY, 1));
                pair.post(() -> pair.a.endpoint.messages().send(buffer, pair.a.peer, 2));
                boolean[] over = new boolean[1];
                while (!over[0]) {
                    pair.a.queue.poll(c -> { }, 1);
                    pair.b.queue.poll(c -> {
                        Thread other = new Thread(() -> {
                            try {
                                pair.a.endpoint.messages().send(buffer, pair.a.peer, 3);
                            } catch (IllegalStateException e) {
                                System.out.println(e.getMessage());
                            }
                        });
                        other.start();
                        try {
                            other.join();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                        over[0] = true;
                    }, 1);
                }
            }
            System.out.println("END");
        }
    }

    @Test
    void hintsAskForWhatTheLibraryKnows() {
        try (Hints hints = Hints.rdm().oneThread()) {
            assertThat(hints.domain().threading()).isEqualTo(Threading.DOMAIN);
            assertThat(hints.domain().dataProgress()).isEqualTo(Progress.MANUAL);
            assertThat(hints.domain().controlProgress()).isEqualTo(
                    Fabric.version().compareTo(Progress.CONTROL_UNIFIED.since()) < 0 ? Progress.UNSPEC
                            : Progress.CONTROL_UNIFIED);
        }
    }

    @Test
    void whatIsFoundIsOpenedAsAsked() {
        try (Hints hints = Providers.SHM.hints().oneThread();
                FabricInfoList infos = Fabric.getInfo(hints)) {
            Progress asked = hints.domain().controlProgress();
            assertThat(infos).allSatisfy(info -> {
                assertThat(info.domain().threading()).isEqualTo(Threading.DOMAIN);
                assertThat(info.domain().dataProgress()).isEqualTo(Progress.MANUAL);
                // libfabric itself would leave what the provider has, and its locks in place
                if (asked != Progress.UNSPEC) {
                    assertThat(info.domain().controlProgress()).isEqualTo(asked);
                }
            });
        }
    }
}
