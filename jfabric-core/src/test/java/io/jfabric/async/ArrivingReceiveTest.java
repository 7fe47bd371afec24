// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.ReceivedImpl;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A receive that is given up while its message arrives, or has come and nobody has seen it: it is not lost. */
@Timeout(60)
class ArrivingReceiveTest {
    private static final int LONG = 64 << 20;
    private static final Duration SOON = Duration.ofMillis(50);

    /** Gives up a receive of a message with tag 5; what it gives afterwards. */
    private interface Way {
        CompletableFuture<Received> receive(Node node, MemorySegment in);
    }

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM, Providers.SOCKETS);
    }

    /** The sender makes no progress before the receive was given up: where that is needed, the message has begun. */
    private static void isDelivered(Providers.Choice choice, Way way) throws Exception {
        try (Slow slow = Slow.open(choice, NodeOptions.DEFAULT)) {
            MemorySegment in = slow.to.allocate(LONG);
            MemorySegment out = slow.from.allocate(LONG);
            out.fill((byte) 7);
            CompletableFuture<Received> receive = way.receive(slow.to, in);
            CompletableFuture<Void> sent = slow.from.send(out, slow.peer, 5);
            pause(4 * SOON.toMillis());
            Waits.until("the receive has ended", () -> {
                slow.from.progress();
                return receive.isDone();
            });
            // on a busy machine the message may begin after all: then it is the next one's
            CompletableFuture<Received> taken = hasMessage(receive) ? receive : slow.to.receive(in, 5);
            Waits.until("the message is there", () -> {
                slow.from.progress();
                return taken.isDone() && sent.isDone();
            });
            assertThat(taken.get(1, TimeUnit.SECONDS).length()).isEqualTo(LONG);
            assertThat(in.get(ValueLayout.JAVA_BYTE, LONG - 1)).isEqualTo((byte) 7);
            assertThat(sent).isCompleted();
        }
    }

    private static boolean hasMessage(CompletableFuture<Received> receive) {
        return !receive.isCompletedExceptionally() && receive.join().length() == LONG;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void atItsDeadline(Providers.Choice choice) throws Exception {
        isDelivered(choice, (node, in) -> node.within(SOON).receive(in, 5));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whileItIsAwaited(Providers.Choice choice) throws Exception {
        isDelivered(choice, (node, in) -> {
            CompletableFuture<Received> receive = node.receive(in, 5);
            return CompletableFuture.supplyAsync(() -> node.await(receive, SOON), Slow::inAThread);
        });
    }

    @ParameterizedTest
    @MethodSource("providers")
    void byCancel(Providers.Choice choice) throws Exception {
        isDelivered(choice, (node, in) -> {
            CompletableFuture<Received> receive = node.receive(in, 5);
            Slow.inAThread(() -> {
                pause(SOON.toMillis());
                receive.cancel(true);
            });
            return receive;
        });
    }

    @ParameterizedTest
    @MethodSource("providers")
    void orTimeout(Providers.Choice choice) throws Exception {
        isDelivered(choice, (node, in) -> node.receive(in, 5).orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void completeOnTimeout(Providers.Choice choice) throws Exception {
        Received instead = new ReceivedImpl(-1, 0, null, false, 0);
        isDelivered(choice, (node, in) -> node.receive(in, 5)
                .completeOnTimeout(instead, SOON.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** What stands for the receive is given up as that is; or when its function has the message, which is not lost. */
    @ParameterizedTest
    @MethodSource("providers")
    void byWhatIsMadeOfIt(Providers.Choice choice) throws Exception {
        isDelivered(choice, (node, in) -> {
            Seen seen = new Seen();
            CompletableFuture<Received> made = node.thenApply(node.receive(in, 5), seen::by);
            Slow.inAThread(() -> {
                pause(SOON.toMillis());
                assertThat(made.cancel(true)).isEqualTo(made.isCancelled());
            });
            return seen.or(made, node.released(made));
        });
        isDelivered(choice, (node, in) -> {
            Seen seen = new Seen();
            CompletableFuture<Received> made = node.thenApply(node.receive(in, 5), seen::by);
            return seen.or(made.orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS), node.released(made));
        });
        isDelivered(choice, (node, in) -> {
            Seen seen = new Seen();
            CompletableFuture<Received> made = node.thenApply(node.thenApply(node.receive(in, 5), seen::by), it -> it);
            return seen.or(CompletableFuture.supplyAsync(() -> node.await(made, SOON), Slow::inAThread),
                    node.released(made));
        });
    }

    /** What a function has got. */
    private static final class Seen {
        private volatile Received message;

        Received by(Received received) {
            message = received;
            return received;
        }

        /** The function may be running when what was made of it ends, but not when that is released. */
        CompletableFuture<Received> or(CompletableFuture<Received> made, CompletableFuture<Void> released) {
            return made.exceptionallyCompose(why -> released.thenCompose(none -> message == null
                    ? CompletableFuture.failedFuture(why) : CompletableFuture.completedFuture(message)));
        }
    }

    /** Whoever polls has lost its processor, or has much to do: what is in the queue is found much later. */
    @ParameterizedTest
    @MethodSource("providers")
    void theThreadThatPollsIsLate(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            for (int i = 1; i <= 5; i++) {
                CompletableFuture<Received> next = nodes.b.receive(nodes.b.allocate(8), 6);
                MemorySegment out = nodes.a.allocate(8);
                out.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, i);
                nodes.a.send(out, nodes.toB, 5).get(30, TimeUnit.SECONDS);
                nodes.a.send(out, nodes.toB, 6);
                next.get(30, TimeUnit.SECONDS);
                CountDownLatch polls = new CountDownLatch(1);
                ((NodeImpl) nodes.b).drive().later(() -> {
                    polls.countDown();
                    pause(60);
                    return true;
                });
                assertThat(polls.await(30, TimeUnit.SECONDS)).isTrue();
                MemorySegment in = nodes.b.allocate(8);
                // the provider has the message already, and says so at once
                CompletableFuture<Received> receive = nodes.b.receive(in, 5);
                if (receive.cancel(true)) {
                    // or does not: then another one takes it
                    receive = nodes.b.receive(in, 5);
                }
                assertThat(receive.get(20, TimeUnit.SECONDS).length()).isEqualTo(8);
                assertThat(in.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(i);
            }
        }
    }

    /** Nothing says that the peer will not go on, but its own send has ended as late by now. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("stops")
    void butNotForEver(Providers.Choice choice) throws Exception {
        NodeOptions hasty = NodeOptions.DEFAULT.withDeadline(Duration.ofSeconds(2));
        try (Slow slow = Slow.open(choice, hasty)) {
            MemorySegment out = slow.from.allocate(LONG);
            CompletableFuture<Received> first = slow.to.within(SOON).receive(slow.to.allocate(LONG), 5);
            CompletableFuture<Received> second = slow.to.receive(slow.to.allocate(LONG), 6);
            slow.from.send(out, slow.peer, 5);
            slow.from.send(out, slow.peer, 6);
            assertThatThrownBy(() -> first.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(second.cancel(true)).isFalse();
            assertThat(second).isNotDone();
            FabricException late = (FabricException) catchThrowableOfType(ExecutionException.class,
                    () -> first.get(20, TimeUnit.SECONDS)).getCause();
            assertThat(late.error()).isEqualTo(FabricError.ETIMEDOUT);
            assertThat(late).hasMessageContaining("may have begun to arrive");
            assertThatThrownBy(() -> second.get(20, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
        }
    }

    /** Whoever has set the timer is the only one who makes progress. */
    @ParameterizedTest
    @MethodSource("stops")
    void norWhereNobodyPolls(Providers.Choice choice) throws Exception {
        NodeOptions hasty = NodeOptions.DEFAULT.withCallerProgress().withDeadline(Duration.ofSeconds(2));
        try (Nodes nodes = Nodes.open(choice, hints -> { }, hasty)) {
            MemorySegment in = nodes.b.allocate(LONG);
            CompletableFuture<Received> receive = nodes.b.receive(in, 5);
            nodes.a.send(nodes.a.allocate(LONG).fill((byte) 7), nodes.toB, 5);
            nodes.drive("a part is there", () -> in.get(ValueLayout.JAVA_BYTE, 0) != 0);
            assertThat(receive).isNotDone();
            CountDownLatch told = new CountDownLatch(1);
            receive.whenComplete((received, why) -> told.countDown());
            receive.orTimeout(SOON.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> receive.get(1, TimeUnit.SECONDS)).hasCauseInstanceOf(TimeoutException.class);
        }
    }

    static Stream<Providers.Choice> stops() {
        return Providers.offered(Providers.RXM);
    }

    /** It cannot say so, and nobody is to wait for a message that may never come. */
    @ParameterizedTest
    @MethodSource("datagrams")
    void endsInTimeWhereNothingCanBeCancelled(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> { }); Node node = Node.open(infos.first())) {
            FabricException late = (FabricException) catchThrowableOfType(ExecutionException.class,
                    () -> node.within(SOON).receive(node.allocate(8)).get(10, TimeUnit.SECONDS)).getCause();
            assertThat(late.error()).isEqualTo(FabricError.ETIMEDOUT);
            assertThat(late).hasMessageContaining("cannot cancel");
            CompletableFuture<Received> receive = node.receive(node.allocate(8));
            assertThat(receive.cancel(true)).isTrue();
            assertThat(receive).isCancelled();
        }
    }

    static Stream<Providers.Choice> datagrams() {
        return Providers.offered(Providers.UDP);
    }

    /** A node that only makes progress when it is told to, and sends to one with an engine. */
    private record Slow(Node from, Node to, Peer peer) implements AutoCloseable {
        static Slow open(Providers.Choice choice, NodeOptions options) {
            try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED))) {
                Node from = Node.open(infos.first(), options.withCallerProgress());
                Node to = Node.open(infos.first(), options);
                Slow slow = new Slow(from, to, from.peer(to.address().bytes()));
                to.peer(from.address().bytes());
                CompletableFuture<Received> first = to.receive(to.allocate(8), 1);
                from.send(from.allocate(8), slow.peer, 1);
                Waits.until("they are connected", () -> {
                    from.progress();
                    return first.isDone();
                });
                return slow;
            }
        }

        static void inAThread(Runnable action) {
            Thread.ofPlatform().daemon().start(action);
        }

        @Override
        public void close() {
            to.close();
            from.close();
        }
    }
}
