// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.operation.ReceivedImpl;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An operation that is given up, by whatever way, is over: it takes no message that others wait for. */
@Timeout(60)
class GivingUpTest {
    private interface Way {
        void giveUp(Nodes nodes, MemorySegment in);
    }

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS);
    }

    private static void takesNoMessage(Providers.Choice choice, Way way) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment lost = nodes.b.allocate(8);
            for (int i = 1; i <= 20; i++) {
                way.giveUp(nodes, lost);
                MemorySegment in = nodes.b.allocate(8);
                CompletableFuture<Received> next = nodes.b.receive(in, 5);
                MemorySegment out = nodes.a.allocate(8);
                out.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, i);
                nodes.a.send(out, nodes.toB, 5).get(30, TimeUnit.SECONDS);
                next.get(30, TimeUnit.SECONDS);
                assertThat(in.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(i);
            }
            assertThat(nodes.b.underWay()).isZero();
            assertThat(lost.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void cancel(Providers.Choice choice) throws Exception {
        takesNoMessage(choice, (nodes, in) -> {
            CompletableFuture<Received> receive = nodes.b.receive(in, 5);
            assertThat(receive.cancel(true)).isTrue();
            assertThat(receive).isCancelled();
            assertThatThrownBy(receive::join).isInstanceOf(CancellationException.class);
        });
    }

    /** As any future does, and goes on. */
    @ParameterizedTest
    @MethodSource("providers")
    void notWithoutAReason(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            CompletableFuture<Received> receive = nodes.b.receive(nodes.b.allocate(8), 5);
            assertThatThrownBy(() -> receive.completeExceptionally(null)).isInstanceOf(NullPointerException.class);
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 5).get(30, TimeUnit.SECONDS);
            assertThat(receive.get(30, TimeUnit.SECONDS).length()).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void orTimeout(Providers.Choice choice) throws Exception {
        takesNoMessage(choice, (nodes, in) ->
                assertThatThrownBy(nodes.b.receive(in, 5).orTimeout(20, TimeUnit.MILLISECONDS)::join)
                        .isInstanceOf(CompletionException.class).hasCauseInstanceOf(TimeoutException.class));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void completeOnTimeout(Providers.Choice choice) throws Exception {
        takesNoMessage(choice, (nodes, in) -> {
            Received instead = new ReceivedImpl(-1, 0, null, false, 0);
            assertThat(nodes.b.receive(in, 5).completeOnTimeout(instead, 20, TimeUnit.MILLISECONDS).join())
                    .isSameAs(instead);
        });
    }

    /** That is everybody's: what is appended, to this or another future that ends meanwhile, may wait for it. */
    @ParameterizedTest
    @MethodSource("providers")
    void notInTheThreadOfTheTimer(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment in = nodes.b.allocate(8);
            Received instead = new ReceivedImpl(-1, 0, null, false, 0);
            for (CompletableFuture<?> late : List.of(nodes.b.receive(in, 5).orTimeout(20, TimeUnit.MILLISECONDS),
                    nodes.b.receive(in, 6).completeOnTimeout(instead, 20, TimeUnit.MILLISECONDS))) {
                assertThat(late.handle((received, why) -> timerGoesOn()).get(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private static boolean timerGoesOn() {
        try {
            return new CompletableFuture<Boolean>().completeOnTimeout(true, 50, TimeUnit.MILLISECONDS)
                    .get(10, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** As any future does it. */
    @ParameterizedTest
    @MethodSource("providers")
    void byAnyException(Providers.Choice choice) throws Exception {
        takesNoMessage(choice, (nodes, in) -> {
            for (Throwable why : List.of(new CancellationException("shutting down"),
                    new CompletionException(new IllegalArgumentException("none")))) {
                CompletableFuture<Received> receive = nodes.b.receive(in, 5);
                assertThat(receive.completeExceptionally(why)).isTrue();
                assertThat(receive.completeExceptionally(new IllegalStateException("later"))).isFalse();
                assertThat(receive.handle((received, failure) -> failure).join()).isSameAs(why);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("providers")
    void completeAsync(Providers.Choice choice) throws Exception {
        Received instead = new ReceivedImpl(-1, 0, null, false, 0);
        takesNoMessage(choice, (nodes, in) ->
                assertThat(nodes.b.receive(in, 5).completeAsync(() -> instead).join()).isSameAs(instead));
        takesNoMessage(choice, (nodes, in) -> assertThatThrownBy(nodes.b.receive(in, 5).completeAsync(() -> {
            throw new IllegalArgumentException("none");
        })::join).isInstanceOf(CompletionException.class).hasCauseInstanceOf(IllegalArgumentException.class));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void obtrude(Providers.Choice choice) throws Exception {
        Received instead = new ReceivedImpl(-1, 0, null, false, 0);
        takesNoMessage(choice, (nodes, in) -> {
            CompletableFuture<Received> receive = nodes.b.receive(in, 5);
            receive.obtrudeValue(instead);
            assertThat(receive.join()).isSameAs(instead);
            receive.obtrudeException(new IllegalArgumentException("none"));
            assertThatThrownBy(receive::join).hasCauseInstanceOf(IllegalArgumentException.class);
            receive.obtrudeValue(null);
            assertThat(receive.join()).isNull();
        });
    }

    @ParameterizedTest
    @MethodSource("providers")
    void deadline(Providers.Choice choice) throws Exception {
        takesNoMessage(choice, (nodes, in) -> {
            long began = System.nanoTime();
            CompletableFuture<Received> receive = nodes.b.within(Duration.ofMillis(30)).receive(in, 5);
            assertThatThrownBy(receive::join).cause().isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_ETIMEDOUT").hasMessageContaining("receive of at most 8 bytes");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofMillis(30),
                    Duration.ofSeconds(10));
        });
    }

    @ParameterizedTest
    @MethodSource("providers")
    void await(Providers.Choice choice) throws Exception {
        takesNoMessage(choice, (nodes, in) -> {
            FabricException late = catchThrowableOfType(FabricException.class,
                    () -> nodes.b.await(nodes.b.receive(in, 5), Duration.ofMillis(20)));
            assertThat(late.error()).isEqualTo(FabricError.ETIMEDOUT);
        });
    }

    /** The thread that knows it is still busy with what follows on the message before. */
    @ParameterizedTest
    @MethodSource("providers")
    void whatHasComeIsNotLost(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            CountDownLatch bothAreThere = new CountDownLatch(1);
            CountDownLatch given = new CountDownLatch(1);
            nodes.b.receive(nodes.b.allocate(8), 1).thenRun(() -> await(bothAreThere));
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 1);
            nodes.b.receive(nodes.b.allocate(8), 2).thenRun(() -> await(given));
            MemorySegment in = nodes.b.allocate(8);
            CompletableFuture<Received> second = nodes.b.receive(in, 3);
            Thread.sleep(50);
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 2);
            MemorySegment out = nodes.a.allocate(8);
            out.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 77);
            nodes.a.send(out, nodes.toB, 3);
            Thread.sleep(50);
            bothAreThere.countDown();
            Thread.sleep(50);
            boolean cancelled = second.cancel(true);
            given.countDown();
            if (cancelled) {
                // it had not been taken yet
                nodes.b.receive(in, 3).get(30, TimeUnit.SECONDS);
            }
            assertThat(in.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(77);
        }
    }

    /** Its end is in the queue, where nobody has looked. */
    @ParameterizedTest
    @MethodSource("providers")
    void whatHasGoneIsNotCancelled(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withCallerProgress())) {
            MemorySegment out = nodes.a.allocate(8);
            nodes.drive(nodes.a.send(out, nodes.toB, 1), nodes.b.receive(nodes.b.allocate(8), 1));
            boolean isCancelled = true;
            for (int i = 0; i < 20 && isCancelled; i++) {
                CompletableFuture<Received> received = nodes.b.receive(nodes.b.allocate(8), 1);
                CompletableFuture<Void> sent = nodes.a.send(out, nodes.toB, 1);
                Waits.spin("it has come", () -> nodes.b.progress() >= 0 && received.isDone());
                // with some, it is in the queue a moment later
                Thread.sleep(i);
                isCancelled = sent.cancel(true);
            }
            assertThat(isCancelled).isFalse();
        }
    }

    /** Its message was too long, and is lost. */
    @ParameterizedTest
    @MethodSource("sockets")
    void whatHasFailedIsNotCancelled(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withCallerProgress())) {
            CompletableFuture<Received> receive = nodes.b.receive(nodes.b.allocate(4), 1);
            CompletableFuture<Void> sent = nodes.a.send(nodes.a.allocate(8), nodes.toB, 1);
            // the provider has threads of its own
            Waits.spin("it has gone", () -> nodes.a.progress() >= 0 && sent.isDone());
            assertThat(receive).isNotDone();
            assertThat(receive.cancel(true)).isFalse();
            assertThat(receive.exceptionNow()).hasMessageContaining("FI_ETRUNC");
        }
    }

    static Stream<Providers.Choice> sockets() {
        return Providers.offered(Providers.SOCKETS);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The next peer may get its number. */
    @ParameterizedTest
    @MethodSource("providers")
    void receivesFromAPeerEndWithIt(Providers.Choice choice) throws Exception {
        Consumer<Hints> directed = hints -> hints.addCapabilities(Capability.MSG, Capability.TAGGED,
                Capability.SOURCE, Capability.DIRECTED_RECV);
        assumeTrue(choice.isOffered(directed));
        try (Nodes nodes = Nodes.open(choice, directed); Nodes others = Nodes.open(choice, directed)) {
            MemorySegment old = nodes.b.allocate(8);
            CompletableFuture<Received> waits = nodes.b.receive(old, nodes.toA, 5);
            nodes.toA.close();
            assertThatThrownBy(() -> waits.get(5, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("closed");
            nodes.b.released(waits).get(5, TimeUnit.SECONDS);
            Thread.sleep(20);
            Peer next = nodes.b.peer(others.a.address());
            MemorySegment in = nodes.b.allocate(8);
            CompletableFuture<Received> received = nodes.b.receive(in, next, 5);
            MemorySegment out = others.a.allocate(8);
            out.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 77);
            others.a.send(out, others.a.peer(nodes.b.address()), 5);
            received.get(30, TimeUnit.SECONDS);
            assertThat(in.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(77);
            assertThat(old.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void getWithATimeoutGivesNothingUp(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment in = nodes.b.allocate(8);
            CompletableFuture<Received> receive = nodes.b.receive(in, 5);
            assertThatThrownBy(() -> receive.get(20, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 5).get(30, TimeUnit.SECONDS);
            assertThat(receive.get(30, TimeUnit.SECONDS).length()).isEqualTo(8);
        }
    }

    /** The peer takes nothing: what does not fit its queue waits here until the deadline, and stops nobody else. */
    @ParameterizedTest
    @MethodSource("providers")
    void aPeerThatStandsStill(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
             Node still = Node.open(nodes.a.info(), NodeOptions.DEFAULT.withCallerProgress())) {
            Peer toStill = nodes.a.peer(still.address());
            // sockets stands still itself with megabytes under way, once in a hundred times: STALLS_UNDER_LOAD
            MemorySegment out = nodes.a.allocate(choice == Providers.SOCKETS ? 256 : 64 << 10);
            List<CompletableFuture<Void>> sends = new ArrayList<>();
            Operations hasty = nodes.a.within(Duration.ofMillis(500));
            for (int i = 0; i < 3000; i++) {
                sends.add(hasty.send(out, toStill, 1));
            }
            for (int i = 0; i < 100; i++) {
                CompletableFuture<Received> got = nodes.b.receive(nodes.b.allocate(8), i);
                nodes.a.send(nodes.a.allocate(8), nodes.toB, i).get(30, TimeUnit.SECONDS);
                got.get(30, TimeUnit.SECONDS);
            }
            int late = 0;
            for (CompletableFuture<Void> send : sends) {
                try {
                    send.get(30, TimeUnit.SECONDS);
                } catch (ExecutionException failed) {
                    assertThat(((FabricException) failed.getCause()).error()).isEqualTo(FabricError.ETIMEDOUT);
                    late++;
                }
            }
            if (choice != Providers.SOCKETS) {
                // where a thread of the provider's takes them for the peer, all may be in time
                assertThat(late).isPositive();
            }
            assertThat(nodes.a.waiting()).isZero();
        }
    }

    /** A peer is closed: what waits for it fails, others do not notice, and it may come back. */
    @ParameterizedTest
    @MethodSource("providers")
    void aPeerIsClosedAndKnownAgain(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
             Node still = Node.open(nodes.a.info(), NodeOptions.DEFAULT.withCallerProgress())) {
            Peer toStill = nodes.a.peer(still.address());
            MemorySegment out = nodes.a.allocate(8);
            Nodes.sends(nodes.a, out, toStill, 20_000);
            toStill.close();
            assertThat(toStill.isOpen()).isFalse();
            assertThat(toStill.waiting()).isZero();
            toStill.ended().get(30, TimeUnit.SECONDS);
            assertThatThrownBy(() -> nodes.a.send(out, toStill, 1)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
            assertThat(nodes.a.waiting()).isZero();
            Peer again = nodes.a.peer(still.address());
            assertThat(again).isNotSameAs(toStill);
            assertThat(nodes.a.peer(still.address())).isSameAs(again);
            CompletableFuture<Received> got = still.receive(still.allocate(8), 77);
            CompletableFuture<Void> sent = nodes.a.send(out, again, 77);
            got.get(20, TimeUnit.SECONDS);
            sent.get(20, TimeUnit.SECONDS);
        }
    }
}
