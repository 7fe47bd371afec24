// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.quirk.Fault;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests and answers between two nodes of one process. */
@Timeout(120)
class CallTest {
    // around what fits a slot's own memory, and what follows its header at once: with rxm, registered memory, others
    private static final int[] SIZES = {0, 1, 100, 4031, 4032, 4033, 4039, 4040, 4041, 5000, 16_327, 16_328, 16_329,
        16_384, 16_399, 16_400, 16_401, 65_536, 1 << 20, (8 << 20) + 3};

    private static Nodes pair(Providers.Choice choice) {
        return Nodes.open(choice);
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static byte[] get(CompletableFuture<byte[]> answer) throws Exception {
        return answer.get(50, TimeUnit.SECONDS);
    }

    private static FabricException failure(CompletableFuture<?> call) {
        try {
            call.get(50, TimeUnit.SECONDS);
        } catch (Exception e) {
            if (e.getCause() instanceof FabricException failure) {
                return failure;
            }
            throw new AssertionError("not a FabricException", e);
        }
        throw new AssertionError("the call was expected to fail");
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] out = new byte[bytes.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = bytes[bytes.length - 1 - i];
        }
        return out;
    }

    static Stream<Providers.Choice> reliable() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** Where the provider is busy, an answer may be here before the thread that called knows that it has sent. */
    @ParameterizedTest
    @MethodSource("reliable")
    void noCallIsLostUnderLoad(Providers.Choice choice) throws Exception {
        int threads = 8;
        int each = 2000;
        try (Nodes nodes = pair(choice); ExecutorService all = Executors.newFixedThreadPool(threads);
                Service service = Service.open(nodes.b, 5, call -> call.answer(call.request()),
                        ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(64))) {
            get(caller.call(new byte[1]));
            AtomicInteger answered = new AtomicInteger();
            CountDownLatch ended = new CountDownLatch(threads * each);
            for (int t = 0; t < threads; t++) {
                byte[] request = new byte[1 + 500 * t];
                all.execute(() -> {
                    for (int i = 0; i < each; i++) {
                        caller.call(request).whenComplete((answer, failure) -> {
                            if (failure == null && answer.length == request.length) {
                                answered.incrementAndGet();
                            }
                            ended.countDown();
                        });
                    }
                });
            }
            assertThat(ended.await(40, TimeUnit.SECONDS)).as("%s are not answered", ended.getCount()).isTrue();
            assertThat(answered).hasValue(threads * each);
            assertThat(service.answered()).isEqualTo(threads * each + 1);
            assertThat(caller.underWay() + caller.waiting()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void everySize(Providers.Choice choice) throws Exception {
        try (Nodes nodes = pair(choice);
                Service service = Service.open(nodes.b, 5, CallHandler.of(CallTest::reversed));
                Caller caller = Caller.open(nodes.toB, 5)) {
            for (int size : SIZES) {
                assertThat(get(caller.call(random(size)))).as("%s bytes", size).isEqualTo(reversed(random(size)));
            }
            assertThat(caller.underWay()).isZero();
            assertThat(service.answered()).isEqualTo(SIZES.length);
            assertThat(service.callers()).isEqualTo(1);
            // a long answer is with its caller before the service knows
            Waits.until("the service has ended them", () -> service.underWay() == 0);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void memoryInAndOut(Providers.Choice choice) throws Exception {
        CallHandler echo = call -> call.answer(call.request());
        try (Nodes nodes = pair(choice);
                Service service = Service.open(nodes.b, 5, echo,
                        ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, 5)) {
            for (int size : SIZES) {
                MemorySegment request = nodes.a.allocate(Math.max(1, size)).asSlice(0, size);
                request.copyFrom(MemorySegment.ofArray(random(size)));
                MemorySegment answer = nodes.a.allocate(size + 8);
                MemorySegment filled = caller.call(request, answer, Duration.ofSeconds(50)).get(50, TimeUnit.SECONDS);
                assertThat(filled.address()).isEqualTo(answer.address());
                assertThat(filled.toArray(ValueLayout.JAVA_BYTE)).as("%s bytes", size).isEqualTo(random(size));
            }
            MemorySegment small = nodes.a.allocate(10);
            for (int size : new int[] {11, 100_000}) {
                assertThat(failure(caller.call(nodes.a.allocate(size), small, Duration.ofSeconds(20))).error())
                        .isEqualTo(FabricError.ETRUNC);
            }
            assertThat(service.invalid()).isZero();
        }
    }

    @Test
    void whatTheHandlerThrowsReachesTheCaller() throws Exception {
        CompletableFuture<List<Throwable>> refused = new CompletableFuture<>();
        CallHandler failing = call -> {
            switch (call.bytes()[0]) {
                case 1 -> throw new IllegalStateException("not today");
                case 2 -> call.fail(new IllegalArgumentException("x".repeat(10_000)));
                case 3 -> CallHandler.later(bytes -> CompletableFuture.failedFuture(new Exception("later")))
                        .handle(call);
                case 4 -> CallHandler.of(bytes -> null).handle(call);
                default -> {
                    call.answer(new byte[1]);
                    // what an assertion throws here would only be logged
                    refused.complete(Stream.<ThrowingCallable>of(() -> call.answer(new byte[1]),
                            () -> call.answer(Arena.ofAuto().allocate(1)), () -> call.fail(new Exception()),
                            call::request, call::bytes).map(Assertions::catchThrowable).toList());
                    throw new IllegalStateException("after the answer");
                }
            }
        };
        try (Nodes nodes = pair(Providers.SHM); Service service = Service.open(nodes.b, 5, failing);
                Caller caller = Caller.open(nodes.toB, 5)) {
            CallException first = (CallException) failure(caller.call(new byte[] {1}));
            assertThat(first.remoteText()).isEqualTo("java.lang.IllegalStateException: not today");
            assertThat(first).hasMessageContaining("call of service 5").hasMessageContaining("not today");
            assertThat(((CallException) failure(caller.call(new byte[] {2}))).remoteText()).contains("xxx")
                    .hasSizeLessThan(5000);
            assertThat(failure(caller.call(new byte[] {3}))).hasMessageContaining("later");
            assertThat(failure(caller.call(new byte[] {4}))).hasMessageContaining("NullPointer");
            assertThat(caller.call(new byte[] {5}).join()).hasSize(1);
            assertThat(refused.get(50, TimeUnit.SECONDS)).hasSize(5)
                    .allSatisfy(why -> assertThat(why).isInstanceOf(IllegalStateException.class));
            assertThat(service.underWay()).isZero();
        }
    }

    /** Without rxd, which loses messages while hundreds of them are under way, and sockets, which stands still then. */
    static Stream<Providers.Choice> thatLoseNothing() {
        return Providers.rdm().filter(choice -> !Fault.LOSES_MESSAGES.isOf(choice.provider())
                && !Fault.STALLS_UNDER_LOAD.isOf(choice.provider()));
    }

    @ParameterizedTest
    @MethodSource("thatLoseNothing")
    void thousandsUnderWay(Providers.Choice choice) throws Exception {
        int count = 8_000;
        try (Nodes nodes = pair(choice);
                Service service = Service.open(nodes.b, 5, call -> call.answer(call.request()));
                Caller caller = Caller.open(nodes.toB, 5)) {
            List<CompletableFuture<byte[]>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(caller.call(random(i % 200 == 0 ? 20_000 : i % 50)));
            }
            for (int i = 0; i < count; i++) {
                assertThat(get(all.get(i))).isEqualTo(random(i % 200 == 0 ? 20_000 : i % 50));
            }
            assertThat(service.answered()).isEqualTo(count);
            assertThat(caller.waiting()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void virtualThreads(Providers.Choice choice) throws Exception {
        assumeFalse(Fault.LOSES_MESSAGES.isOf(choice.provider()), "udp;ofi_rxd loses messages");
        int count = 5_000;
        AtomicInteger right = new AtomicInteger();
        try (Nodes nodes = pair(choice);
                Service service = Service.open(nodes.b, 5, call -> call.answer(call.request()),
                        ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, 5);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                byte[] request = random(i % 64);
                threads.submit(() -> {
                    if (Arrays.equals(caller.call(request).join(), request)) {
                        right.incrementAndGet();
                    }
                });
            }
            threads.shutdown();
            assertThat(threads.awaitTermination(40, TimeUnit.SECONDS)).isTrue();
            assertThat(right.get()).isEqualTo(count);
            assertThat(service.isOpen()).isTrue();
        }
    }

    @Test
    void deadlinesTravel() throws Exception {
        Duration soon = Duration.ofSeconds(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<Duration> left = new ArrayList<>();
        ExecutorService one = Executors.newSingleThreadExecutor();
        CallHandler slow = call -> {
            left.add(call.timeLeft());
            begun.countDown();
            go.await();
            call.answer(new byte[0]);
        };
        try (Nodes nodes = pair(Providers.SHM);
                Service service = Service.open(nodes.b, 5, slow, ServiceOptions.DEFAULT.withExecutor(one));
                Caller caller = Caller.open(nodes.toB, 5)) {
            CompletableFuture<byte[]> first = caller.call(new byte[1], Duration.ofSeconds(30));
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<byte[]> second = caller.call(new byte[1], soon);
            CompletableFuture<byte[]> third = caller.call(new byte[20_000], soon);
            long start = System.nanoTime();
            while (service.underWay() < 3 && System.nanoTime() - start < soon.toNanos()) {
                Thread.sleep(1);
            }
            assertThat(failure(second).error()).isEqualTo(FabricError.ETIMEDOUT);
            assertThat(failure(third).error()).isEqualTo(FabricError.ETIMEDOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
            // the service counts from when a call comes in
            Thread.sleep(soon.plusMillis(50));
            go.countDown();
            assertThat(get(first)).isEmpty();
            assertThat(get(caller.call(new byte[1]))).isEmpty();
            assertThat(left).as("calls begun").hasSize(2);
            assertThat(left.getFirst()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
            assertThat(service.late()).isEqualTo(2);
            // another thread may have been told of the late ones, and not have come to it
            for (int i = 0; i < 1000 && caller.underWay() > 0; i++) {
                Thread.sleep(1);
            }
            assertThat(caller.underWay()).isZero();
        } finally {
            one.shutdownNow();
        }
    }

    @Test
    void refusesWhatIsTooMuch() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CallHandler blocked = call -> {
            go.await();
            call.answer(call.bytes());
        };
        ServiceOptions tight = ServiceOptions.DEFAULT.withLimit(3).withLargestRequest(1 << 20).withLargeBytes(3 << 20);
        try (Nodes nodes = pair(Providers.SHM); Service service = Service.open(nodes.b, 5, blocked, tight);
                Caller a = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withBacklog(2));
                Caller b = Caller.open(nodes.toB, 5)) {
            CompletableFuture<byte[]> tooLong = b.call(new byte[(1 << 20) + 1]);
            assertThat(failure(tooLong).error()).isEqualTo(FabricError.EMSGSIZE);
            List<CompletableFuture<byte[]>> taken = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                taken.add(b.call(new byte[] {(byte) i}));
            }
            Waits.until("the service has three", () -> service.underWay() == 3);
            FabricException busy = failure(a.call(new byte[1]));
            assertThat(busy.error()).isEqualTo(FabricError.EBUSY);
            assertThat(busy).isInstanceOf(OverloadException.class);
            assertThat(busy.getStackTrace()).isEmpty();
            assertThat(busy).hasMessageContaining("overloaded");
            assertThat(failure(a.call(new byte[100_000])).error()).isEqualTo(FabricError.EBUSY);
            assertThat(service.refused()).isEqualTo(2);
            go.countDown();
            for (int i = 0; i < 3; i++) {
                assertThat(get(taken.get(i))).containsExactly(i);
            }
        }
    }

    @Test
    void theBacklogIsBounded() {
        CountDownLatch go = new CountDownLatch(1);
        try (Nodes nodes = pair(Providers.SHM); Service service = Service.open(nodes.b, 5, call -> {
            go.await();
            call.answer(new byte[0]);
        }); Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(2).withBacklog(3))) {
            List<CompletableFuture<byte[]>> calls = new ArrayList<>();
            // the first waits until the service has said hello
            calls.add(caller.call(new byte[1]));
            Waits.until("the service has it", () -> service.underWay() > 0);
            for (int i = 0; i < 6; i++) {
                calls.add(caller.call(new byte[1]));
            }
            assertThat(failure(calls.getLast()).error()).isEqualTo(FabricError.EAGAIN);
            assertThat(failure(calls.getLast())).isInstanceOf(OverloadException.class).hasNoCause();
            assertThat(failure(calls.getLast()).getStackTrace()).as("to refuse is cheap").isEmpty();
            assertThat(failure(calls.get(5))).isNotNull().hasMessageContaining("backlog");
            assertThat(caller.underWay()).isEqualTo(2);
            go.countDown();
            calls.subList(0, 5).forEach(CompletableFuture::join);
        }
    }

    /** What is late when its turn comes is not sent; thousands of them, each of which calls again, fill no stack. */
    @Test
    void whatIsLateIsNotSent() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger again = new AtomicInteger();
        AtomicInteger arrived = new AtomicInteger();
        try (Nodes nodes = pair(Providers.SHM); Service service = Service.open(nodes.b, 5, call -> {
            go.await();
            if (call.request().byteSize() == 2) {
                arrived.incrementAndGet();
            }
            call.answer(new byte[0]);
        }); Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(1))) {
            CompletableFuture<byte[]> first = caller.call(new byte[1]);
            Waits.until("the service has it", () -> service.underWay() > 0);
            List<CompletableFuture<byte[]>> late = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                late.add(caller.call(new byte[2], Duration.ofMillis(1)).whenComplete((answer, failure) -> {
                    again.incrementAndGet();
                    caller.call(new byte[1], Duration.ofNanos(1));
                }));
            }
            Thread.sleep(5);
            go.countDown();
            get(first);
            for (CompletableFuture<byte[]> one : late) {
                assertThat(failure(one).error()).isEqualTo(FabricError.ETIMEDOUT);
            }
            assertThat(again).hasValue(10_000);
            assertThat(get(caller.call(new byte[1]))).isEmpty();
            assertThat(arrived).as("of the late ones").hasValue(0);
        }
    }

    @Test
    void aServiceThatComesAndGoes() throws Exception {
        try (Nodes nodes = pair(Providers.SHM); Caller caller = Caller.open(nodes.toB, 5)) {
            assertThat(failure(caller.call(new byte[1], Duration.ofMillis(300)))).hasMessageContaining("is it open");
            for (int round = 0; round < 3; round++) {
                CountDownLatch never = new CountDownLatch(1);
                Service service = Service.open(nodes.b, 5, call -> {
                    if (call.bytes().length == 2) {
                        never.await();
                    }
                    call.answer(call.bytes());
                });
                assertThatThrownBy(() -> Service.open(nodes.b, 5, call -> { }))
                        .isInstanceOf(IllegalStateException.class);
                CompletableFuture<byte[]> first = caller.call(new byte[] {7});
                if (first.handle((answer, failure) -> failure != null).get(20, TimeUnit.SECONDS)) {
                    // it went to the service before this one, of whose end the caller had not heard yet; or it waited
                    // when the caller was told that there is none, which was true between the two
                    assertThat(round).isPositive();
                    assertThat(failure(first).error()).isIn(FabricError.ECONNRESET, FabricError.ECONNREFUSED,
                            FabricError.EBUSY);
                    first = caller.call(new byte[] {7});
                }
                assertThat(get(first)).containsExactly(7);
                CompletableFuture<byte[]> lost = caller.call(new byte[2]);
                Waits.until("the service has it", () -> service.underWay() > 0);
                service.close();
                assertThat(failure(lost).error()).isEqualTo(FabricError.ECONNRESET);
                never.countDown();
            }
        }
    }

    @Test
    void closingEndsEverything() {
        Nodes nodes = pair(Providers.SHM);
        Service service = Service.open(nodes.b, 5, call -> { });
        Caller caller = Caller.open(nodes.toB, 5);
        Caller other = Caller.open(nodes.toB, 5);
        CompletableFuture<byte[]> first = caller.call("never answered".getBytes(StandardCharsets.UTF_8));
        caller.close();
        assertThat(failure(first).error()).isEqualTo(FabricError.ECANCELED);
        assertThat(failure(caller.call(new byte[1])).error()).isEqualTo(FabricError.ECANCELED);
        CompletableFuture<byte[]> second = other.call(new byte[1]);
        nodes.close();
        assertThatThrownBy(second::join).isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(FabricException.class);
        assertThat(service.isOpen()).isFalse();
        assertThat(other.isOpen()).isFalse();
        service.close();
        other.close();
    }

    @Test
    void refusesWhatCannotBe() {
        try (Nodes nodes = pair(Providers.SHM); Caller caller = Caller.open(nodes.toB, 5);
                Arena arena = Arena.ofShared()) {
            assertThatThrownBy(() -> Caller.open(nodes.toB, -1)).hasMessageContaining("-1");
            assertThatThrownBy(() -> Service.open(nodes.b, 65_536, call -> { })).hasMessageContaining("65536");
            assertThatThrownBy(() -> caller.call(null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> caller.call(new byte[1], Duration.ZERO)).hasMessageContaining("deadline");
            assertThatThrownBy(() -> caller.call(arena.allocate(1), arena.allocate(1).asReadOnly(),
                    Duration.ofSeconds(1))).hasMessageContaining("read-only");
        }
    }
}
