// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What programs append and the executors they give: whatever those do, the node goes on. */
@Timeout(60)
class CompletingTest {
    private static Node open(Executor executor) {
        try (FabricInfoList infos = Providers.SHM.find(hints -> { })) {
            return Node.open(infos.first(), NodeOptions.DEFAULT.withExecutor(executor));
        }
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    /** In what the program has appended; not for ever. */
    private static <T> T waitFor(CompletableFuture<T> future) {
        try {
            return future.get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    /** Not by get: this thread would make progress itself. */
    private static boolean isDoneSoon(CompletableFuture<?> future) throws InterruptedException {
        long end = System.nanoTime() + 20_000_000_000L;
        while (!future.isDone() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        return future.isDone();
    }

    private static int deep(int n) {
        return deep(n + 1) + 1;
    }

    @Test
    void errorsOfHandlersDoNotEndTheEngine() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.SHM);
                Service _ = Service.open(nodes.b, 1, call -> call.answer(new byte[call.bytes().length > 1
                        ? deep(0) : 1]), ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, 1)) {
            assertThat(get(caller.call(new byte[1]))).hasSize(1);
            assertThatThrownBy(() -> get(caller.call(new byte[2], Duration.ofSeconds(5)))).isNotNull();
            assertThat(get(caller.call(new byte[1], Duration.ofSeconds(10)))).hasSize(1);
            CompletableFuture<Received> plain = nodes.b.receive(nodes.b.allocate(8), 5);
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 5);
            assertThat(isDoneSoon(plain)).isTrue();
        }
    }

    @Test
    void executorsMayThrowAnything() throws Exception {
        AtomicReference<Throwable> next = new AtomicReference<>();
        Executor executor = task -> {
            Throwable failure = next.getAndSet(null);
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            Thread.startVirtualThread(task);
        };
        try (Node a = open(NodeOptions.DIRECT); Node b = open(executor)) {
            Peer toB = a.peer(b.address());
            for (Throwable failure : List.of(new OutOfMemoryError("unable to create native thread"),
                    new IllegalStateException("the executor is shut down"))) {
                for (int i = 0; i < 2; i++) {
                    CompletableFuture<Received> received = b.receive(b.allocate(8), 1);
                    CompletableFuture<Void> follows = received.thenAccept(message -> { });
                    next.set(i == 0 ? failure : null);
                    a.send(a.allocate(8), toB, 1);
                    assertThat(isDoneSoon(follows)).as("%s, %d", failure, i).isTrue();
                }
            }
        }
    }

    /** The executor has no other thread to tell it that it waits in vain; a platform thread, and a virtual one. */
    @Test
    void aStageMayWaitWhileItsNodeIsClosed() throws Exception {
        for (ThreadFactory threads : List.of(Thread.ofPlatform().daemon().factory(), Thread.ofVirtual().factory())) {
            ExecutorService one = Executors.newFixedThreadPool(1, threads);
            try (Node a = open(NodeOptions.DIRECT)) {
                Node b = open(one);
                CompletableFuture<Received> never = b.receive(b.allocate(8), 9);
                CompletableFuture<Throwable> seen = new CompletableFuture<>();
                CountDownLatch waits = new CountDownLatch(1);
                b.receive(b.allocate(8), 1).thenRun(() -> {
                    waits.countDown();
                    try {
                        never.join();
                    } catch (CompletionException | CancellationException failed) {
                        seen.complete(failed);
                    }
                });
                a.send(a.allocate(8), a.peer(b.address()), 1);
                assertThat(waits.await(20, TimeUnit.SECONDS)).isTrue();
                Thread.sleep(50);
                b.close();
                assertThat(isDoneSoon(seen)).isTrue();
            } finally {
                one.shutdownNow();
            }
        }
    }

    @Test
    void aBusyExecutorKeepsNobodyFromTheNodesOwnMessages() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().factory());
                Node a = open(NodeOptions.DIRECT); Node b = open(one);
                KeepAlive watcher = KeepAlive.open(a, Duration.ofMillis(500), 4);
                KeepAlive watched = KeepAlive.open(b, Duration.ofMillis(500), 4);
                Service _ = Service.open(b, 1, call -> call.answer(call.bytes()))) {
            Peer toB = a.peer(b.address());
            CompletableFuture<Void> ended = watcher.watch(toB);
            try (Caller caller = Caller.open(toB, 1)) {
                get(caller.call(new byte[1]));
                CompletableFuture<Void> busy = new CompletableFuture<>();
                b.receive(b.allocate(8), 3).thenAccept(received -> {
                    busy.complete(null);
                    Threads.await(over);
                });
                a.send(a.allocate(8), toB, 3).get(20, TimeUnit.SECONDS);
                assertThat(isDoneSoon(busy)).isTrue();
                assertThat(get(caller.call(new byte[3], Duration.ofSeconds(10)))).hasSize(3);
                // a payload of its own
                assertThat(get(caller.call(new byte[1 << 20], Duration.ofSeconds(10)))).hasSize(1 << 20);
                Thread.sleep(1200);
                assertThat(ended).isNotDone();
                assertThat(watched.toString()).doesNotContain("closed");
            } finally {
                over.countDown();
            }
        }
    }

    /** Its future, and those that were completed before it, need the thread that waits. */
    @Test
    void whatRunsInAnExecutorOfOneThreadMayWait() throws Exception {
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().name("one").factory());
                Node a = open(NodeOptions.DIRECT); Node b = open(one);
                Service _ = Service.open(a, 2, call -> call.answer(call.bytes()));
                Caller caller = Caller.open(b.peer(a.address()), 2)) {
            Peer toA = b.peer(a.address());
            get(caller.call(new byte[1]));
            CompletableFuture<Integer> called = b.receive(b.allocate(8), 4)
                    .thenApply(received -> caller.call(new byte[5], Duration.ofSeconds(15)).join().length);
            a.send(a.allocate(8), a.peer(b.address()), 4);
            assertThat(isDoneSoon(called)).isTrue();
            assertThat(called).isCompletedWithValue(5);
            CompletableFuture<String> sent = b.receive(b.allocate(8), 5).thenApply(received -> {
                b.send(b.allocate(8), toA, 6).join();
                return Thread.currentThread().getName();
            });
            a.receive(a.allocate(8), 6);
            a.send(a.allocate(8), a.peer(b.address()), 5);
            assertThat(isDoneSoon(sent)).isTrue();
            assertThat(sent).isCompletedWithValue("one");
        }
    }

    /** The time-out waits for the same thread as the one that waits for it. */
    @Test
    void aCallIsLateInAnExecutorOfOneThread() throws Exception {
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().name("one").factory());
                Node a = open(NodeOptions.DIRECT); Node b = open(one);
                Service _ = Service.open(a, 2, call -> {
                    if (call.bytes().length > 1) {
                        call.answer(call.bytes());
                    }
                });
                Caller caller = Caller.open(b.peer(a.address()), 2)) {
            get(caller.call(new byte[2]));
            CompletableFuture<Throwable> late = b.receive(b.allocate(8), 7).thenApply(received ->
                    waitFor(caller.call(new byte[1], Duration.ofMillis(200)).handle((answer, why) -> why)));
            a.send(a.allocate(8), a.peer(b.address()), 7);
            assertThat(isDoneSoon(late)).isTrue();
            assertThat(get(late)).hasMessageContaining("no answer in time");
        }
    }

    /** It runs what it is given in the thread that gives it, or blocks that: not the clock, which is everybody's. */
    @Test
    void anExecutorOfNoThreadsDoesNotStopTheClock() throws Exception {
        for (boolean isInline : new boolean[] {true, false}) {
            CountDownLatch over = new CountDownLatch(1);
            Executor executor = isInline ? Runnable::run : task -> Threads.await(over);
            try (Node a = open(NodeOptions.DIRECT); Node b = open(executor);
                    Service _ = Service.open(a, 2, call -> { });
                    Service _ = Service.open(b, 2, call -> { });
                    Caller caller = Caller.open(b.peer(a.address()), 2);
                    Caller other = Caller.open(a.peer(b.address()), 2)) {
                CompletableFuture<Void> follows = new CompletableFuture<>();
                caller.call(new byte[1], Duration.ofMillis(50)).whenComplete((answer, late) -> {
                    Threads.await(over);
                    follows.complete(null);
                });
                Thread.sleep(200);
                CompletableFuture<byte[]> late = other.call(new byte[1], Duration.ofMillis(50));
                assertThat(isDoneSoon(late)).isTrue();
                over.countDown();
                assertThat(!isInline || isDoneSoon(follows)).isTrue();
            } finally {
                over.countDown();
            }
        }
    }

    @Test
    void whatAnExecutorHasDroppedIsCompletedNevertheless() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().factory());
                Node a = open(NodeOptions.DIRECT); Node b = open(one);
                Service _ = Service.open(a, 2, call -> { });
                Caller caller = Caller.open(b.peer(a.address()), 2)) {
            Peer toB = a.peer(b.address());
            one.execute(() -> Threads.await(over));
            List<CompletableFuture<Received>> dropped = List.of(b.receive(b.allocate(8), 8),
                    b.receive(b.allocate(8), 9));
            a.send(a.allocate(8), toB, 8).get(20, TimeUnit.SECONDS);
            a.send(a.allocate(8), toB, 9).get(20, TimeUnit.SECONDS);
            Thread.sleep(200);
            assertThat(one.shutdownNow()).isNotEmpty();
            assertThat(dropped).noneMatch(CompletableFuture::isDone);
            CompletableFuture<byte[]> late = caller.call(new byte[1], Duration.ofMillis(50));
            assertThat(isDoneSoon(late)).isTrue();
            assertThat(late).isCompletedExceptionally();
            assertThat(dropped).allMatch(CompletableFuture::isDone);
        } finally {
            over.countDown();
        }
    }

    /** Its one thread is the node's, too. */
    @Test
    void aHandlerMayWaitForACall() throws Exception {
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().name("one").factory());
                Node a = open(NodeOptions.DIRECT); Node b = open(one);
                Service _ = Service.open(a, 2, call -> call.answer(call.bytes()));
                Caller fromB = Caller.open(b.peer(a.address()), 2);
                Service _ = Service.open(b, 3, call -> call.answer(waitFor(fromB.call(call.bytes(),
                        Duration.ofSeconds(15)))), ServiceOptions.DEFAULT.withExecutor(one));
                Caller caller = Caller.open(a.peer(b.address()), 3)) {
            assertThat(get(caller.call(new byte[6], Duration.ofSeconds(15)))).hasSize(6);
        }
    }

    /** Its thread has other things to do first: what the program has appended runs there nevertheless. */
    @Test
    void whoWaitsLeavesToTheExecutorWhatIsIts() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().name("one").factory());
                Node a = open(NodeOptions.DIRECT); Node b = open(one)) {
            one.execute(() -> Threads.await(over));
            CompletableFuture<Received> received = b.receive(b.allocate(8), 1);
            CompletableFuture<String> follows = received.thenApply(message -> Thread.currentThread().getName());
            a.send(a.allocate(8), a.peer(b.address()), 1).get(20, TimeUnit.SECONDS);
            Thread.sleep(200);
            assertThatThrownBy(() -> received.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(follows).isNotDone();
            over.countDown();
            assertThat(get(follows)).isEqualTo("one");
        } finally {
            over.countDown();
        }
    }

    /** What the JDK gives to the executor is its thread's, too: there is no other for what that waits for. */
    @Test
    void anAsyncStageInAnExecutorOfOneThreadMayWaitForWhatHasCome() throws Exception {
        CountDownLatch bothAreThere = new CountDownLatch(1);
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().factory());
                Node a = open(NodeOptions.DIRECT); Node b = open(one)) {
            CompletableFuture<Received> second = b.receive(b.allocate(8), 2);
            CompletableFuture<Long> first = b.receive(b.allocate(8), 1).thenApplyAsync(message -> {
                Threads.await(bothAreThere);
                return waitFor(second).length();
            }, one);
            Peer toB = a.peer(b.address());
            a.send(a.allocate(8), toB, 1).get(20, TimeUnit.SECONDS);
            Thread.sleep(50);
            a.send(a.allocate(8), toB, 2).get(20, TimeUnit.SECONDS);
            Thread.sleep(200);
            bothAreThere.countDown();
            assertThat(isDoneSoon(first)).isTrue();
            assertThat(get(first)).isEqualTo(8);
        }
    }

    @Test
    void whatEndsWithAPeerEndsInTheExecutor() throws Exception {
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().name("one").factory());
                FabricInfoList infos = Providers.SHM.find(hints -> hints.addCapabilities(Capability.MSG,
                        Capability.TAGGED, Capability.SOURCE, Capability.DIRECTED_RECV));
                Node a = Node.open(infos.first());
                Node b = Node.open(infos.first(), NodeOptions.DEFAULT.withExecutor(one))) {
            Peer toA = b.peer(a.address());
            CompletableFuture<String> ended = b.receive(b.allocate(8), toA, 1)
                    .handle((received, failure) -> Thread.currentThread().getName());
            toA.close();
            assertThat(get(ended)).isEqualTo("one");
        }
    }

    @Test
    void callsAreCompletedInTheExecutor() throws Exception {
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().name("one").factory());
                Node a = open(NodeOptions.DIRECT); Node b = open(one);
                Service _ = Service.open(a, 2, call -> {
                    sleep();
                    call.answer(call.bytes());
                });
                Caller caller = Caller.open(b.peer(a.address()), 2)) {
            CompletableFuture<String> called = caller.call(new byte[1], Duration.ofSeconds(15))
                    .thenApply(answer -> Thread.currentThread().getName());
            assertThat(isDoneSoon(called)).isTrue();
            assertThat(called).isCompletedWithValue("one");
        }
    }

    /** Whichever thread finds that nothing comes into its memory any more. */
    @Test
    void callsThatAreGivenUpWhileTheirAnswerIsReceivedEndInTheExecutor() throws Exception {
        int size = 100_000;
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().name("one").factory());
                Node a = open(NodeOptions.DIRECT); Node b = open(one);
                Service _ = Service.open(a, 2, call -> {
                    if (call.bytes().length > 1) {
                        call.answer(new byte[size]);
                    }
                })) {
            MemorySegment room = b.allocate(size);
            for (int i = 0; i < 50; i++) {
                Caller caller = Caller.open(b.peer(a.address()), 2);
                get(caller.call(b.allocate(2), room, Duration.ofSeconds(20)));
                // it is received from now on, as the one before was long
                CompletableFuture<String> given = caller.call(b.allocate(1), room, Duration.ofSeconds(20))
                        .handle((answer, why) -> Thread.currentThread().getName());
                caller.close();
                assertThat(get(given)).as("call %d", i).isEqualTo("one");
            }
        }
    }

    /** So many wait in one another that the thread must not run what comes next: another one does, as it would. */
    @Test
    void theOrderStaysHoweverManyWait() throws Exception {
        int waits = 40;
        int follow = 100;
        try (ExecutorService one = Executors.newFixedThreadPool(1, Thread.ofPlatform().daemon().factory());
                Node a = open(NodeOptions.DIRECT); Node b = open(one)) {
            Peer toB = a.peer(b.address());
            CompletableFuture<Received> end = b.receive(b.allocate(8), 1_000);
            AtomicInteger waiting = new AtomicInteger();
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            List<Integer> order = new CopyOnWriteArrayList<>();
            for (int i = 0; i < waits + follow; i++) {
                int tag = i;
                b.receive(b.allocate(8), tag).thenRun(() -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    order.add(tag);
                    LockSupport.parkNanos(1_000_000);
                    running.decrementAndGet();
                    if (tag < waits) {
                        waiting.incrementAndGet();
                        end.join();
                    }
                });
            }
            long late = System.nanoTime() + 9_000_000_000L;
            for (int tag = 0; tag < waits + follow; tag++) {
                a.send(a.allocate(8), toB, tag);
                // what is found together with one that waits has a thread of its own
                while (waiting.get() < Math.min(tag + 1, waits) && System.nanoTime() < late) {
                    Thread.sleep(1);
                }
            }
            while (order.size() < waits + follow && System.nanoTime() < late) {
                Thread.sleep(1);
            }
            a.send(a.allocate(8), toB, 1_000);
            assertThat(isDoneSoon(end)).isTrue();
            assertThat(waiting).hasValue(waits);
            assertThat(order).hasSize(waits + follow).isSorted();
            assertThat(most).hasValue(1);
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
