// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Hints;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What follows on a future may wait for another, whichever thread has to bring that about. */
@Timeout(60)
class WaitingCallbacksTest {
    private static final Consumer<Hints> PLAIN = hints -> { };

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS);
    }

    /** Waiting in a callback for something that this very thread must bring about. */
    @ParameterizedTest
    @MethodSource("providers")
    void callbacksMayWait(Providers.Choice choice) throws Exception {
        try (Engine engine = Engine.start();
             Nodes nodes = Nodes.open(choice, PLAIN, NodeOptions.DEFAULT.withEngine(engine))) {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            CompletableFuture<Received> first = nodes.b.receive(nodes.b.allocate(8), 1);
            first.thenAccept(received -> {
                CompletableFuture<Received> second = nodes.b.receive(nodes.b.allocate(8), 2);
                nodes.a.send(nodes.a.allocate(8), nodes.toB, 2).join();
                second.join();
                done.complete(engine.isEngineThread());
            });
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 1);
            assertThat(Nodes.doneByItself(done)).isCompletedWithValue(true);
        }
    }

    /** Also for what was found over together with what it follows on. */
    @ParameterizedTest
    @MethodSource("providers")
    void callbacksMayWaitForWhatHasCome(Providers.Choice choice) throws Exception {
        for (NodeOptions options : List.of(NodeOptions.DEFAULT, NodeOptions.DEFAULT.withCallerProgress())) {
            try (Nodes nodes = Nodes.open(choice, PLAIN, options)) {
                AtomicInteger done = new AtomicInteger();
                CompletableFuture<Received> last = nodes.b.receive(nodes.b.allocate(8), 5);
                for (int i = 0; i < 5; i++) {
                    nodes.b.receive(nodes.b.allocate(8), i).thenRun(() -> {
                        last.join();
                        done.incrementAndGet();
                    });
                }
                // first they are all there, then somebody polls
                CountDownLatch sent = new CountDownLatch(1);
                CountDownLatch stands = new CountDownLatch(1);
                nodes.b.receive(nodes.b.allocate(8), 6).thenRun(() -> {
                    stands.countDown();
                    Threads.await(sent);
                });
                if (options.callerProgress()) {
                    Thread.ofPlatform().daemon().start(() -> {
                        while (nodes.b.isOpen() && done.get() < 5) {
                            nodes.b.progress();
                        }
                    });
                }
                nodes.a.send(nodes.a.allocate(8), nodes.toB, 6);
                Waits.spin("it stands", () -> {
                    nodes.a.progress();
                    return stands.getCount() == 0;
                });
                for (int i = 0; i < 6; i++) {
                    nodes.a.send(nodes.a.allocate(8), nodes.toB, i);
                }
                for (int i = 0; i < 50; i++) {
                    nodes.a.progress();
                    Thread.sleep(1);
                }
                sent.countDown();
                reaches(done, 5);
            }
        }
    }

    /** Also in a thread of the program's that polls without a pause, and has found both. */
    @ParameterizedTest
    @MethodSource("providers")
    void callbacksMayWaitInAThreadThatIsAlwaysBusy(Providers.Choice choice) throws Exception {
        try (Engine engine = Engine.start("kept", IdleStrategy.busy());
                Nodes nodes = Nodes.open(choice, PLAIN, NodeOptions.DEFAULT.withEngine(engine)
                        .withIdle(IdleStrategy.busy()))) {
            CompletableFuture<Boolean> second = nodes.b.receive(nodes.b.allocate(8), 2).thenApply(received -> true);
            CompletableFuture<Boolean> first = nodes.b.receive(nodes.b.allocate(8), 1)
                    .thenApply(received -> second.join());
            CountDownLatch goesOn = new CountDownLatch(1);
            CountDownLatch stands = new CountDownLatch(1);
            nodes.b.receive(nodes.b.allocate(8), 3).thenRun(() -> {
                stands.countDown();
                Threads.await(goesOn);
            });
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 3);
            stands.await();
            try {
                // as the engine is kept, whoever waits finds what comes
                for (long tag = 1; tag <= 2; tag++) {
                    nodes.a.send(nodes.a.allocate(8), nodes.toB, tag);
                }
                for (int i = 0; i < 50; i++) {
                    nodes.a.progress();
                    Thread.sleep(1);
                }
                CompletableFuture<Received> never = nodes.b.receive(nodes.b.allocate(8), 4);
                Thread waits = Thread.ofPlatform().start(never::join);
                assertThat(first.orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
                never.cancel(true);
                waits.join();
            } finally {
                goesOn.countDown();
            }
        }
    }

    /** Who polls without a pause, too. */
    @ParameterizedTest
    @MethodSource("providers")
    void anInterruptEndsTheWaitOfAThreadThatIsAlwaysBusy(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, PLAIN, NodeOptions.DEFAULT.withIdle(IdleStrategy.busy()))) {
            CompletableFuture<Received> never = nodes.b.receive(nodes.b.allocate(8), 4);
            CompletableFuture<Throwable> ended = new CompletableFuture<>();
            Thread waits = Thread.ofPlatform().start(() -> {
                try {
                    ended.complete(new AssertionError(never.get()));
                } catch (InterruptedException | ExecutionException e) {
                    ended.complete(e);
                }
            });
            Thread.sleep(50);
            waits.interrupt();
            try {
                assertThat(ended.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            } finally {
                never.cancel(true);
            }
        }
    }

    /** However much others have to do meanwhile. */
    @ParameterizedTest
    @MethodSource("providers")
    void callbacksMayWaitForWhatHasComeWhileMoreComes(Providers.Choice choice) throws Exception {
        try (Engine engine = Engine.start();
             Nodes nodes = Nodes.open(choice, PLAIN, NodeOptions.DEFAULT.withEngine(engine));
             Nodes busy = Nodes.open(choice, PLAIN, NodeOptions.DEFAULT.withEngine(engine))) {
            CompletableFuture<Boolean> second = nodes.b.receive(nodes.b.allocate(8), 2).thenApply(received -> true);
            CompletableFuture<Boolean> first = nodes.b.receive(nodes.b.allocate(8), 1)
                    .thenApply(received -> second.join());
            MemorySegment memory = busy.a.allocate(8);
            Runnable again = new Runnable() {
                @Override
                public void run() {
                    if (!first.isDone()) {
                        busy.b.receive(memory, 1).thenRun(this);
                        busy.a.send(memory, busy.toB, 1);
                    }
                }
            };
            again.run();
            arriveTogether(nodes, 1, 2);
            assertThat(Nodes.doneByItself(first)).isCompletedWithValue(true);
        }
    }

    /** One short wait after the other is a long one. */
    @ParameterizedTest
    @MethodSource("providers")
    void callbacksMayWaitAgainAndAgain(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            CompletableFuture<Boolean> second = nodes.b.receive(nodes.b.allocate(8), 2).thenApply(received -> true);
            CompletableFuture<Boolean> first = nodes.b.receive(nodes.b.allocate(8), 1).thenApply(received -> {
                long end = System.nanoTime() + 10_000_000_000L;
                while (!second.isDone() && System.nanoTime() < end) {
                    try {
                        second.get(1, TimeUnit.MILLISECONDS);
                    } catch (TimeoutException e) {
                        // once more
                    } catch (InterruptedException | ExecutionException e) {
                        throw new AssertionError(e);
                    }
                }
                return second.isDone();
            });
            arriveTogether(nodes, 1, 2);
            assertThat(Nodes.doneByItself(first)).isCompletedWithValue(true);
        }
    }

    /** A single look at what has come, to send what waits, is no wait: what follows on the others stays here. */
    @ParameterizedTest
    @MethodSource("providers")
    void progressInACallbackKeepsTheOthersInTheirThread(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, PLAIN, NodeOptions.DEFAULT.withCallerProgress())) {
            List<Thread> seen = new CopyOnWriteArrayList<>();
            for (int tag = 0; tag < 3; tag++) {
                nodes.b.receive(nodes.b.allocate(8), tag).thenRun(() -> {
                    nodes.b.progress();
                    LockSupport.parkNanos(1_000_000);
                    seen.add(Thread.currentThread());
                });
                nodes.a.send(nodes.a.allocate(8), nodes.toB, tag);
            }
            for (int i = 0; i < 50; i++) {
                nodes.a.progress();
                Thread.sleep(1);
            }
            for (int i = 0; i < 10_000 && seen.size() < 3; i++) {
                nodes.a.progress();
                nodes.b.progress();
                Thread.sleep(1);
            }
            assertThat(seen).hasSize(3).containsOnly(Thread.currentThread());
        }
    }

    /** What follows on the end of a peer waits for a call, which ends with the peer, too. */
    @ParameterizedTest
    @MethodSource("providers")
    void whatFollowsOnAnEndMayWaitForACall(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice); Service _ = Service.open(nodes.b, 5, call -> { })) {
            Caller caller = Caller.open(nodes.toB, 5);
            CompletableFuture<byte[]> call = caller.call(new byte[8], Duration.ofSeconds(25));
            CompletableFuture<Throwable> told = nodes.toB.ended().thenApply(ended ->
                    call.handle((answer, why) -> why).join());
            Thread.sleep(50);
            Thread closes = Thread.ofPlatform().daemon().start(nodes.toB::close);
            closes.join(10_000);
            assertThat(closes.isAlive()).isFalse();
            assertThat(told.get(1, TimeUnit.SECONDS)).hasMessageContaining("ECANCELED");
        }
    }

    /** Both end with their node; the second waits for what follows on the first, which itself waits for a message. */
    @ParameterizedTest
    @MethodSource("providers")
    void callbacksOfOnePollMayWaitForOneAnother(Providers.Choice choice) throws Exception {
        try (Nodes open = Nodes.open(choice)) {
            Nodes closed = Nodes.open(choice);
            CompletableFuture<Received> reply = open.b.receive(open.b.allocate(8), 7);
            List<CompletableFuture<Received>> both = List.of(closed.b.receive(closed.b.allocate(8), 1),
                    closed.b.receive(closed.b.allocate(8), 2));
            AtomicInteger ended = new AtomicInteger();
            CompletableFuture<Boolean> first = new CompletableFuture<>();
            CompletableFuture<Boolean> second = new CompletableFuture<>();
            // whichever of the two ends first
            both.forEach(one -> one.whenComplete((received, failure) -> {
                if (ended.getAndIncrement() == 0) {
                    open.a.send(open.a.allocate(8), open.toB, 7);
                    first.complete(reply.thenApply(derived -> true).join());
                } else {
                    second.complete(first.join());
                }
            }));
            Thread closes = Thread.ofPlatform().daemon().start(closed::close);
            closes.join(10_000);
            assertThat(closes.isAlive()).isFalse();
            assertThat(second.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** It fails before the end of the peer is told, by the same thread. */
    @ParameterizedTest
    @MethodSource("providers")
    void whatFailsWithAPeerMayWaitForItsEnd(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
             Node still = Node.open(nodes.a.info(), NodeOptions.DEFAULT.withCallerProgress())) {
            Peer toStill = nodes.a.peer(still.address());
            MemorySegment out = nodes.a.allocate(8);
            List<CompletableFuture<Void>> sends = Nodes.sends(nodes.a, out, toStill, 20_000);
            AtomicInteger seen = new AtomicInteger();
            for (CompletableFuture<Void> last : sends.subList(sends.size() - 3, sends.size())) {
                last.whenComplete((done, failure) -> {
                    toStill.ended().join();
                    seen.incrementAndGet();
                });
            }
            Thread closes = Thread.ofPlatform().daemon().start(toStill::close);
            closes.join(20_000);
            assertThat(closes.isAlive()).isFalse();
            reaches(seen, 3);
        }
    }

    /** What ends together, when their node is closed, is done when what follows on one of it waits for another. */
    @ParameterizedTest
    @MethodSource("providers")
    void callbacksMayWaitForWhatEndsWithTheNode(Providers.Choice choice) throws Exception {
        for (NodeOptions options : List.of(NodeOptions.DEFAULT, NodeOptions.DEFAULT.withCallerProgress())) {
            Nodes nodes = Nodes.open(choice, PLAIN, options);
            List<CompletableFuture<Received>> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                all.add(nodes.b.receive(nodes.b.allocate(8), i));
            }
            AtomicInteger seen = new AtomicInteger();
            for (CompletableFuture<Received> one : all) {
                one.whenComplete((received, failure) -> {
                    for (CompletableFuture<Received> other : all) {
                        assertThatThrownBy(other::join).isNotNull();
                    }
                    seen.incrementAndGet();
                });
            }
            Thread closes = Thread.ofPlatform().daemon().start(nodes::close);
            closes.join(10_000);
            assertThat(closes.isAlive()).isFalse();
            reaches(seen, 3);
        }
    }

    /** Its thread still has to see to the nodes that are open. */
    @ParameterizedTest
    @MethodSource("providers")
    void callbacksMayWaitForWhatBeganWithANodeThatIsClosed(Providers.Choice choice) throws Exception {
        try (Engine engine = Engine.start();
             Nodes open = Nodes.open(choice, PLAIN, NodeOptions.DEFAULT.withEngine(engine))) {
            Nodes closed = Nodes.open(choice, PLAIN, NodeOptions.DEFAULT.withEngine(engine));
            CompletableFuture<Received> second = closed.b.receive(closed.b.allocate(8), 1)
                    .handle((received, failure) -> failure)
                    .thenCompose(failure -> open.b.receive(open.b.allocate(8), 2));
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            open.b.receive(open.b.allocate(8), 1).thenAccept(received -> {
                closed.close();
                CompletableFuture<Void> sent = open.a.send(open.a.allocate(8), open.toB, 2);
                second.join();
                done.complete(engine.isEngineThread());
                sent.join();
            });
            open.a.send(open.a.allocate(8), open.toB, 1);
            assertThat(Nodes.doneByItself(done)).isCompletedWithValue(true);
        }
    }

    /** It stands in the callback of one node, while the future is of a node that another engine drives. */
    @ParameterizedTest
    @MethodSource("providers")
    void callbacksMayWaitForANodeOfAnotherEngine(Providers.Choice choice) throws Exception {
        int big = 10_000_000;
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment out = nodes.a.allocate(big);
            MemorySegment in = nodes.b.allocate(big);
            Peer toA = nodes.b.peer(nodes.a.address());
            CompletableFuture<Long> done = nodes.a.receive(nodes.a.allocate(8), 1).thenApply(received -> {
                // of many steps, in which both nodes take part
                nodes.a.send(out, nodes.toB, 2);
                return nodes.b.receive(in, 2).join().length();
            });
            nodes.b.send(nodes.b.allocate(8), toA, 1);
            assertThat(Nodes.doneByItself(done)).isCompletedWithValue((long) big);
        }
    }

    /** However long that node and its engine sleep. */
    @ParameterizedTest
    @MethodSource("providers")
    void anEngineThatWaitsForANodeThatSleepsDoesNotSleep(Providers.Choice choice) throws Exception {
        NodeOptions asleep = NodeOptions.DEFAULT.withIdle(IdleStrategy.asleep().withSleep(Duration.ofSeconds(30),
                Duration.ofSeconds(30)));
        try (Nodes nodes = Nodes.open(choice, PLAIN); Node sleeps = Node.open(nodes.a.info(), asleep)) {
            CompletableFuture<Void> waits = new CompletableFuture<>();
            CompletableFuture<Long> done = nodes.b.receive(nodes.b.allocate(8), 1).thenApply(received -> {
                CompletableFuture<Received> second = sleeps.receive(sleeps.allocate(8), 2);
                waits.complete(null);
                return second.join().length();
            });
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 1);
            assertThat(Nodes.doneByItself(waits)).isDone();
            // by now it would sleep
            Thread.sleep(500);
            nodes.a.send(nodes.a.allocate(8), nodes.a.peer(sleeps.address()), 2);
            assertThat(Nodes.doneByItself(done)).isCompletedWithValue(8L);
        }
    }

    /** However many arrive while others wait: there is no end to the stack's use otherwise. */
    @ParameterizedTest
    @MethodSource("providers")
    void anyNumberOfCallbacksMayWaitInOneAnother(Providers.Choice choice) throws Exception {
        int count = 300;
        try (Nodes nodes = Nodes.open(choice)) {
            ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);
            AtomicInteger deepest = new AtomicInteger();
            AtomicInteger done = new AtomicInteger();
            CountDownLatch last = new CountDownLatch(1);
            for (int tag = 0; tag < count; tag++) {
                int next = tag + 1;
                nodes.b.receive(nodes.b.allocate(8), tag).thenRun(() -> {
                    int before = depth.get();
                    depth.set(before + 1);
                    deepest.accumulateAndGet(before + 1, Math::max);
                    CompletableFuture<Received> end = nodes.b.receive(nodes.b.allocate(8), 1_000 + next);
                    if (next < count) {
                        nodes.a.send(nodes.a.allocate(8), nodes.toB, next);
                    } else {
                        last.countDown();
                    }
                    end.join();
                    depth.set(before);
                    done.incrementAndGet();
                });
            }
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 0);
            assertThat(last.await(20, TimeUnit.SECONDS)).as("deepest %s", deepest).isTrue();
            for (int tag = 1; tag <= count; tag++) {
                nodes.a.send(nodes.a.allocate(8), nodes.toB, 1_000 + tag);
            }
            reaches(done, count);
            assertThat(deepest.get()).isLessThan(30);
        }
    }

    /** Messages with these tags are all there when the engine looks. */
    private static void arriveTogether(Nodes nodes, long... tags) throws InterruptedException {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch stands = new CountDownLatch(1);
        nodes.b.receive(nodes.b.allocate(8), 99).thenRun(() -> {
            stands.countDown();
            Threads.await(sent);
        });
        nodes.a.send(nodes.a.allocate(8), nodes.toB, 99);
        stands.await();
        for (long tag : tags) {
            nodes.a.send(nodes.a.allocate(8), nodes.toB, tag);
        }
        Thread.sleep(20);
        sent.countDown();
    }

    /** Another thread may do what the one that waits cannot. */
    private static void reaches(AtomicInteger number, int value) throws InterruptedException {
        for (int i = 0; i < 10_000 && number.get() < value; i++) {
            Thread.sleep(1);
        }
        assertThat(number).hasValue(value);
    }
}
