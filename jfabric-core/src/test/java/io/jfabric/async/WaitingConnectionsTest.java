// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static io.jfabric.async.ConnectionsTest.get;
import static io.jfabric.async.ConnectionsTest.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.ConnectionsTest.Connection;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What follows on the end of a connection may wait for whatever else comes of connections. */
@Timeout(60)
class WaitingConnectionsTest {
    static Stream<Providers.Choice> msg() {
        return ConnectionsTest.msg();
    }

    /** What follows on each end waits for a message over a connection that is still there. */
    @ParameterizedTest
    @MethodSource("msg")
    void whatFollowsOnEndsThatComeTogetherMayWait(Providers.Choice choice) throws Exception {
        int lost = 4;
        try (Node stays = open(choice); Node client = open(choice); NodeListener there = stays.listen()) {
            Connection open = Connection.make(client, there);
            CountDownLatch closed = new CountDownLatch(1);
            List<CompletableFuture<Long>> told = new ArrayList<>();
            try (Node goes = open(choice); NodeListener listener = goes.listen()) {
                List<Peer> all = new ArrayList<>();
                for (int i = 0; i < lost; i++) {
                    all.add(Connection.make(client, listener).atClient());
                }
                CountDownLatch stands = new CountDownLatch(1);
                client.receive(client.allocate(8), open.atClient()).thenRun(() -> {
                    stands.countDown();
                    Threads.await(closed);
                });
                get(stays.send(stays.allocate(8), open.atServer()));
                stands.await();
                for (Peer one : all) {
                    CompletableFuture<Received> message = client.receive(client.allocate(8), open.atClient());
                    told.add(one.ended().handle((done, failure) -> message.thenApply(Received::length).join()));
                }
            }
            // it finds all of them at once
            closed.countDown();
            for (int i = 0; i < lost; i++) {
                // by then another thread has what is kept
                Thread.sleep(50);
                get(stays.send(stays.allocate(8), open.atServer()));
            }
            for (CompletableFuture<Long> one : told) {
                assertThat(Nodes.doneByItself(one)).isCompletedWithValue(8L);
            }
            CompletableFuture<Received> got = stays.receive(stays.allocate(8), open.atServer());
            get(client.send(client.allocate(8), open.atClient()));
            assertThat(get(got).length()).isEqualTo(8);
        }
    }

    /** The second ends when all is done that came with the end of the first, but not what follows on it. */
    @ParameterizedTest
    @MethodSource("msg")
    void whatFollowsOnAnEndMayWaitForALaterOne(Providers.Choice choice) throws Exception {
        try (Node server = open(choice); Node client = open(choice); NodeListener listener = server.listen()) {
            Connection first = Connection.make(client, listener);
            Connection second = Connection.make(client, listener);
            CompletableFuture<Boolean> told = first.atClient().ended().handle((done, failure) ->
                    second.atClient().ended().handle((late, why) -> why != null).join());
            first.atServer().close();
            Thread.sleep(100);
            second.atServer().close();
            assertThat(Nodes.doneByItself(told)).isCompletedWithValue(true);
        }
    }

    /** It is delivered when the end is known already. */
    @ParameterizedTest
    @MethodSource("msg")
    void whatFollowsOnTheLastMessageMayWaitForTheEnd(Providers.Choice choice) throws Exception {
        waitForTheEnd(choice, 149);
    }

    /** More messages came with it, and before the end. */
    @ParameterizedTest
    @MethodSource("msg")
    void whatFollowsOnAMessageMayWaitForTheEnd(Providers.Choice choice) throws Exception {
        waitForTheEnd(choice, 99);
    }

    private static void waitForTheEnd(Providers.Choice choice, int waits) throws Exception {
        int messages = 150;
        NodeOptions options = NodeOptions.DEFAULT.withCallerProgress();
        try (Node server = open(choice); Node client = open(choice, options); NodeListener listener = server.listen()) {
            CompletableFuture<Peer> asking = client.connect(listener.address());
            CompletableFuture<Peer> accepting = listener.next().thenCompose(ConnectionOffer::accept);
            Connection pair = new Connection(client.await(asking, Duration.ofSeconds(20)), get(accepting));
            List<CompletableFuture<Boolean>> ends = new ArrayList<>();
            List<String> order = new CopyOnWriteArrayList<>();
            pair.atClient().ended().whenComplete((done, why) -> order.add("end"));
            for (int i = 0; i < messages; i++) {
                CompletableFuture<Received> got = client.receive(client.allocate(8), pair.atClient());
                if (i == waits) {
                    ends.add(got.thenApply(message -> pair.atClient().ended().handle((done, why) -> why != null)
                            .join()));
                } else {
                    got.thenRun(() -> order.add("message"));
                }
            }
            for (int i = 0; i < messages; i++) {
                get(server.send(server.allocate(8), pair.atServer()));
            }
            pair.atServer().close();
            Thread polls = Thread.ofPlatform().daemon().start(() -> {
                while (!ends.getFirst().isDone() && client.isOpen()) {
                    client.progress();
                }
            });
            polls.join(10_000);
            assertThat(ends.getFirst()).isCompletedWithValue(true);
            Waits.until("all is told", () -> order.size() == messages);
            assertThat(order).containsOnlyOnce("end");
            if (!Quirks.of(choice.provider()).has(Quirk.RECEIVES_OUTLIVE_CONNECTIONS)) {
                // what came before the one that waits; the rest is another thread's meanwhile. sockets hears of the end
                // by another connection
                assertThat(order.indexOf("end")).isGreaterThanOrEqualTo(waits);
            }
        }
    }

    /** What ends with a listener, or with the node. */
    @ParameterizedTest
    @MethodSource("msg")
    void whatWaitsForAConnectionMayWaitForTheNext(Providers.Choice choice) throws Exception {
        Node node = open(choice);
        NodeListener listener = node.listen();
        NodeListener closed = node.listen();
        List<CompletableFuture<?>> all = new ArrayList<>();
        List<CompletableFuture<Void>> told = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(closed.next());
            all.add(listener.next());
            // nobody accepts
            all.add(node.connect(listener.address()));
        }
        for (int i = 0; i < all.size(); i++) {
            CompletableFuture<?> other = all.get((i + 3) % all.size());
            told.add(all.get(i).handle((done, why) -> other.handle((value, failure) -> null).join())
                    .thenAccept(nothing -> { }));
        }
        Thread closes = Thread.ofPlatform().daemon().start(() -> {
            closed.close();
            node.close();
        });
        closes.join(10_000);
        assertThat(closes.isAlive()).isFalse();
        for (CompletableFuture<Void> one : told) {
            assertThat(Nodes.doneByItself(one)).isCompleted();
        }
    }
}
