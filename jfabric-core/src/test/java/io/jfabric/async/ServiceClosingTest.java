// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A service that is closed in order: what it has taken is answered, what comes then is refused. */
@Timeout(120)
class ServiceClosingTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int[] SIZES = {0, 100, 10_000, 50_000, 300_000};

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    /** In a platform thread: one that waits drives the node, too. */
    private static <T> FutureTask<T> start(Callable<T> what) {
        FutureTask<T> task = new FutureTask<>(what);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private static FabricException failure(CompletableFuture<?> call) throws Exception {
        return (FabricException) call.handle((answer, failure) -> failure).get(40, TimeUnit.SECONDS);
    }

    /** They are not left to wait: a node that is closed closes its services, and is there until all have heard. */
    @ParameterizedTest
    @MethodSource("providers")
    void theNodeTellsTheCallersOfItsServices(Providers.Choice choice) throws Exception {
        for (int round = 0; round < 5; round++) {
            closeUnderCallers(choice, 30, round % 2 == 0);
        }
    }

    private static void closeUnderCallers(Providers.Choice choice, int count, boolean serviceFirst)
            throws Exception {
        CountDownLatch begun = new CountDownLatch(count);
        CountDownLatch never = new CountDownLatch(1);
        try (Nodes nodes = Nodes.open(choice)) {
            Service service = Service.open(nodes.b, 5, call -> {
                begun.countDown();
                never.await();
            });
            List<Caller> callers = new ArrayList<>();
            List<CompletableFuture<byte[]>> calls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                callers.add(Caller.open(nodes.toB, 5));
                calls.add(callers.get(i).call(new byte[9], LONG));
            }
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            long start = System.nanoTime();
            if (serviceFirst) {
                service.close();
            }
            nodes.b.close();
            for (CompletableFuture<byte[]> call : calls) {
                assertThat(failure(call).error()).isEqualTo(FabricError.ECONNRESET);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(service.isOpen()).isFalse();
            never.countDown();
            callers.forEach(Caller::close);
        }
    }

    /** Also if the node is closed at once. */
    @ParameterizedTest
    @MethodSource("providers")
    void whatHasBegunIsAnswered(Providers.Choice choice) throws Exception {
        int each = 10;
        int all = 3 * each * SIZES.length;
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        try (Nodes nodes = Nodes.open(choice)) {
            Service service = Service.open(nodes.b, 5, call -> {
                begun.incrementAndGet();
                go.await();
                call.answer(call.bytes());
            });
            List<Caller> callers = new ArrayList<>();
            List<CompletableFuture<byte[]>> calls = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                callers.add(Caller.open(nodes.toB, 5));
            }
            for (int i = 0; i < all; i++) {
                calls.add(callers.get(i % 3).call(new byte[SIZES[i % SIZES.length]], LONG));
            }
            Waits.until("all handlers have begun", () -> begun.get() == all);
            FutureTask<Boolean> closing = start(() -> {
                boolean inOrder = service.drain(LONG);
                nodes.b.close();
                return inOrder;
            });
            Waits.until("it takes no calls", () -> !service.isOpen());
            assertThat(failure(callers.get(0).call(new byte[1], LONG))).isInstanceOf(OverloadException.class)
                    .hasMessageContaining("about to be closed")
                    .satisfies(e -> assertThat(e.error()).isEqualTo(FabricError.EBUSY));
            assertThat(failure(callers.get(1).call(new byte[100_000], LONG))).isInstanceOf(OverloadException.class);
            assertThat(closing).isNotDone();
            assertThat(service.underWay()).isEqualTo(all);
            go.countDown();
            assertThat(closing.get(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < all; i++) {
                assertThat(calls.get(i).get(60, TimeUnit.SECONDS)).hasSize(SIZES[i % SIZES.length]);
            }
            assertThat(begun).as("refused ones are not handled").hasValue(all);
            assertThat(service.answered()).isEqualTo(all);
            assertThat(service.refused()).isEqualTo(2);
            assertThat(service.drain(Duration.ZERO)).as("it was in order").isTrue();
            callers.forEach(Caller::close);
        }
    }

    /** However many go on calling: a call that has been handled is answered, also if the node is closed at once. */
    @ParameterizedTest
    @MethodSource("providers")
    void nothingThatIsHandledIsLost(Providers.Choice choice) throws Exception {
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        try (Nodes nodes = Nodes.open(choice)) {
            Service service = Service.open(nodes.b, 5, call -> {
                handled.incrementAndGet();
                call.answer(call.bytes());
            });
            List<FutureTask<Boolean>> calling = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int size = i == 0 ? 20_000 : 200;
                calling.add(start(() -> {
                    List<CompletableFuture<?>> calls = new ArrayList<>();
                    try (Caller caller = Caller.open(nodes.toB, 5)) {
                        while (!over.get()) {
                            calls.add(caller.call(new byte[size], LONG).handle((answer, failure) ->
                                    (failure == null ? answered : refused).incrementAndGet()));
                            if (caller.underWay() + caller.waiting() > 50) {
                                Thread.sleep(1);
                            }
                        }
                        Waits.until("those are over that were sent", () -> caller.underWay() == 0);
                    }
                    CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
                    return true;
                }));
            }
            Waits.until("there are calls", () -> answered.get() > 1000);
            assertThat(service.drain(LONG)).isTrue();
            nodes.b.close();
            over.set(true);
            for (FutureTask<Boolean> one : calling) {
                assertThat(one.get(90, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(answered.get()).as("of the calls that were handled").isEqualTo(handled.get());
            assertThat(service.answered()).isEqualTo(handled.get());
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatTakesTooLongIsCutOff(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            for (Duration timeout : List.of(Duration.ofMillis(100), Duration.ZERO)) {
                BlockingQueue<Call> taken = new LinkedBlockingQueue<>();
                Service service = Service.open(nodes.b, 5, taken::add);
                try (Caller caller = Caller.open(nodes.toB, 5)) {
                    CompletableFuture<byte[]> call = caller.call(new byte[1], LONG);
                    Call open = taken.poll(40, TimeUnit.SECONDS);
                    assertThat(service.drain(timeout)).isFalse();
                    assertThat(failure(call).error()).isEqualTo(FabricError.ECONNRESET);
                    assertThat(service.drain(timeout)).as("it was not in order").isFalse();
                    open.answer(new byte[1]);
                    assertThat(service.answered()).isZero();
                    assertThat(service.underWay()).isZero();
                }
            }
            assertThat(Service.open(nodes.b, 6, call -> { }).drain(Duration.ZERO)).as("nothing to wait for").isTrue();
        }
    }

    /** Another thread's close, and the node's, end the wait; so does an interrupt. */
    @ParameterizedTest
    @MethodSource("providers")
    void theWaitEnds(Providers.Choice choice) throws Exception {
        for (int way = 0; way < 3; way++) {
            try (Nodes nodes = Nodes.open(choice)) {
                BlockingQueue<Call> taken = new LinkedBlockingQueue<>();
                Service service = Service.open(nodes.b, 5, taken::add);
                try (Caller caller = Caller.open(nodes.toB, 5)) {
                    CompletableFuture<byte[]> call = caller.call(new byte[1], Duration.ofSeconds(20));
                    assertThat(taken.poll(40, TimeUnit.SECONDS)).isNotNull();
                    AtomicReference<Thread> waiter = new AtomicReference<>();
                    FutureTask<Boolean> closing = start(() -> {
                        waiter.set(Thread.currentThread());
                        boolean inOrder = service.drain(LONG);
                        return inOrder || Thread.currentThread().isInterrupted();
                    });
                    FutureTask<Boolean> second = start(() -> service.drain(LONG));
                    Waits.until("it takes no calls", () -> !service.isOpen() && waiter.get() != null);
                    switch (way) {
                        case 0 -> service.close();
                        case 1 -> nodes.b.close();
                        default -> waiter.get().interrupt();
                    }
                    assertThat(closing.get(20, TimeUnit.SECONDS)).isEqualTo(way == 2);
                    assertThat(second.get(20, TimeUnit.SECONDS)).isFalse();
                    if (way != 1) {
                        assertThat(failure(call).error()).isEqualTo(FabricError.ECONNRESET);
                    }
                }
            }
        }
    }

    /** A handler does not wait for its own call; not even in the thread that all answers need. */
    @ParameterizedTest
    @MethodSource("providers")
    void aHandlerAnswersFirst(Providers.Choice choice) throws Exception {
        for (ServiceOptions options : List.of(ServiceOptions.DEFAULT,
                ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT))) {
            try (Nodes nodes = Nodes.open(choice)) {
                CompletableFuture<Service> itself = new CompletableFuture<>();
                CompletableFuture<Boolean> closed = new CompletableFuture<>();
                Service service = Service.open(nodes.b, 5, call -> {
                    boolean answersFirst = call.bytes().length == 1;
                    if (answersFirst) {
                        call.answer(new byte[50_000]);
                    }
                    boolean inOrder = itself.join().drain(LONG);
                    closed.complete(inOrder);
                }, options);
                itself.complete(service);
                try (Caller caller = Caller.open(nodes.toB, 5)) {
                    assertThat(failure(caller.call(new byte[2], LONG))).isInstanceOf(CallException.class)
                            .hasMessageContaining("answer that first");
                    assertThat(service.isOpen()).isTrue();
                    assertThat(caller.call(new byte[1], LONG).get(40, TimeUnit.SECONDS)).hasSize(50_000);
                    assertThat(closed.get(40, TimeUnit.SECONDS)).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void callsThatWaitForTheExecutorAreHandled(Providers.Choice choice) throws Exception {
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        try (Nodes nodes = Nodes.open(choice); Caller caller = Caller.open(nodes.toB, 5)) {
            Service service = Service.open(nodes.b, 5, call -> call.answer(call.bytes()),
                    ServiceOptions.DEFAULT.withExecutor(tasks::add));
            CompletableFuture<byte[]> call = caller.call(new byte[7], LONG);
            Runnable task = tasks.poll(40, TimeUnit.SECONDS);
            FutureTask<Boolean> closing = start(() -> service.drain(LONG));
            Waits.until("it takes no calls", () -> !service.isOpen());
            task.run();
            assertThat(closing.get(40, TimeUnit.SECONDS)).isTrue();
            assertThat(call.get(40, TimeUnit.SECONDS)).hasSize(7);
        }
    }

    /** Nobody else makes the progress of the service's node. */
    @ParameterizedTest
    @MethodSource("providers")
    void whoClosesItMakesTheProgress(Providers.Choice choice) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        try (Nodes nodes = Nodes.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED),
                NodeOptions.DEFAULT.withCallerProgress())) {
            Service service = Service.open(nodes.b, 5, call -> {
                begun.incrementAndGet();
                go.await();
                call.answer(new byte[50_000]);
            });
            try (Caller caller = Caller.open(nodes.toB, 5)) {
                CompletableFuture<byte[]> call = caller.call(new byte[1], LONG);
                nodes.drive("the handler has begun", () -> begun.get() == 1);
                FutureTask<byte[]> asking = start(() -> call.get(40, TimeUnit.SECONDS));
                FutureTask<Boolean> closing = start(() -> service.drain(LONG));
                Waits.until("it takes no calls", () -> !service.isOpen());
                go.countDown();
                assertThat(asking.get(40, TimeUnit.SECONDS)).hasSize(50_000);
                assertThat(closing.get(40, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aNegativeTimeoutIsRefused(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice); Service service = Service.open(nodes.b, 5, call -> { })) {
            assertThatThrownBy(() -> service.drain(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("negative");
            assertThat(service.isOpen()).isTrue();
        }
    }
}
