// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.jfabric.testing.Threads;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Short calls and answers that follow one another at once, which share messages. */
@Timeout(60)
class BundledCallsTest {
    private static final NodeOptions BY_HAND = NodeOptions.DEFAULT.withCallerProgress();
    // around what goes along with others, and what goes behind a header; with and without a place for the answer
    private static final int[] SIZES = {0, 1, 7, 8, 9, 100, 500, 1023, 1024, 1025, 1039, 1040, 1041, 4031, 4032, 16_399,
        16_400, 100_000};

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    private static Nodes pair(Providers.Choice choice, NodeOptions options) {
        return Nodes.open(choice, hints -> { }, options);
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] out = new byte[bytes.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = bytes[bytes.length - 1 - i];
        }
        return out;
    }

    /** Each with its number. */
    private static List<CompletableFuture<byte[]>> makeCalls(Caller caller, int number) {
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            answers.add(caller.call(new byte[] {(byte) i}));
        }
        return answers;
    }

    /** The first of them, each with the number of its call. */
    private static void checkAnswers(List<CompletableFuture<byte[]>> answers, int number, int seconds)
            throws Exception {
        for (int i = 0; i < number; i++) {
            assertThat(answers.get(i).get(seconds, TimeUnit.SECONDS)).containsExactly(i);
        }
    }

    private static long posted(Nodes nodes) {
        return Stream.of(nodes.a, nodes.b).mapToLong(node -> node.statistics().domain().operations().posted()).sum();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void fewMessages(Providers.Choice choice) throws Exception {
        int calls = 100;
        try (Nodes nodes = pair(choice, BY_HAND);
                Service _ = Service.open(nodes.b, 5, call -> call.answer(call.request()),
                        ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(calls))) {
            nodes.drive(caller.call(new byte[1]));
            // what takes its time, as the first calls of a JVM do, is not kept for others
            long fewest = Long.MAX_VALUE;
            for (int round = 0; round < 100 && fewest >= calls; round++) {
                long before = posted(nodes);
                List<CompletableFuture<byte[]>> answers = makeCalls(caller, calls);
                for (int i = 0; i < calls; i++) {
                    nodes.drive(answers.get(i));
                    assertThat(answers.get(i).join()).containsExactly(i);
                }
                fewest = Math.min(fewest, posted(nodes) - before);
            }
            // by both sides for both ways, receives included
            assertThat(fewest).isLessThan(calls);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void allSizes(Providers.Choice choice) throws Exception {
        Random random = new Random(7);
        try (Nodes nodes = pair(choice, BY_HAND);
                Service _ = Service.open(nodes.b, 5, call -> call.answer(reversed(call.bytes())),
                        ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, 5)) {
            for (int round = 0; round < 20; round++) {
                List<byte[]> requests = new ArrayList<>();
                List<CompletableFuture<byte[]>> answers = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    byte[] request = new byte[SIZES[random.nextInt(SIZES.length)]];
                    random.nextBytes(request);
                    requests.add(request);
                    answers.add(caller.call(request));
                }
                for (int i = 0; i < 60; i++) {
                    nodes.drive(answers.get(i));
                    assertThat(answers.get(i).join()).isEqualTo(reversed(requests.get(i)));
                }
            }
        }
    }

    /** Who makes progress by hand may do something else when all calls are answered. */
    @ParameterizedTest
    @MethodSource("providers")
    void nobodyPollsAfterTheAnswers(Providers.Choice choice) throws Exception {
        int calls = 40;
        AtomicInteger answered = new AtomicInteger();
        try (Nodes clients = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT);
                Nodes servers = pair(choice, BY_HAND);
                Service _ = Service.open(servers.b, 5, call -> {
                    call.answer(call.request());
                    answered.incrementAndGet();
                }, ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(clients.a.peer(servers.b.address()), 5)) {
            List<CompletableFuture<byte[]>> answers = makeCalls(caller, calls);
            Waits.spin("all are answered", () -> {
                servers.b.progress();
                return answered.get() == calls;
            });
            checkAnswers(answers, calls, 20);
        }
    }

    /** What a service says before its goodbye comes before it. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void answersBeforeTheService(Providers.Choice choice) throws Exception {
        int calls = 64;
        for (int round = 0; round < 20; round++) {
            CountDownLatch answered = new CountDownLatch(calls);
            try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT);
                    Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(calls))) {
                List<CompletableFuture<byte[]>> answers;
                try (Service _ = Service.open(nodes.b, 5, call -> {
                    call.answer(call.request());
                    answered.countDown();
                }, ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT))) {
                    answers = makeCalls(caller, calls);
                    assertThat(answered.await(20, TimeUnit.SECONDS)).isTrue();
                }
                checkAnswers(answers, calls, 20);
            }
        }
    }

    /** The goodbye is polled by one thread while what came before it is in the hands of another. */
    @ParameterizedTest
    @MethodSource("providers")
    void answersInOtherHandsBeforeTheGoodbye(Providers.Choice choice) throws Exception {
        for (int round = 0; round < 20; round++) {
            long nanos = goodbyeWhileAnswersAreHandedOut(choice, 16);
            if (nanos < 40_000_000) {
                return;
            }
        }
        abort("the machine is too busy to tell");
    }

    /** Returns how long the goodbye had to wait for the answers. */
    private static long goodbyeWhileAnswersAreHandedOut(Providers.Choice choice, int calls) throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        AtomicInteger over = new AtomicInteger();
        long nanos;
        try (Nodes nodes = pair(choice, NodeOptions.DEFAULT.withCallerProgress());
                Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(calls))) {
            Thread other;
            try (Service _ = Service.open(nodes.b, 5, call -> {
                call.answer(call.request());
                answered.incrementAndGet();
            }, ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT))) {
                nodes.drive(caller.call(new byte[1]));
                answered.set(0);
                List<CompletableFuture<byte[]>> answers = makeCalls(caller, calls);
                for (CompletableFuture<byte[]> answer : answers) {
                    answer.whenComplete((bytes, failure) -> {
                        if (failure != null) {
                            failed.incrementAndGet();
                        } else if (first.getCount() > 0) {
                            first.countDown();
                            hold(goOn);
                        }
                        over.incrementAndGet();
                    });
                }
                Waits.spin("all are answered", () -> {
                    // the clock sends the calls: nobody is to see the answers yet
                    nodes.b.progress();
                    return answered.get() == calls;
                });
                other = Thread.ofPlatform().start(() -> {
                    Waits.spin("all are over", () -> {
                        nodes.a.progress();
                        return over.get() == calls;
                    });
                });
                assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();
            }
            nanos = System.nanoTime();
            while (System.nanoTime() - nanos < 10_000_000) {
                nodes.a.progress();
            }
            goOn.countDown();
            nanos = System.nanoTime() - nanos;
            assertThat(other.join(Duration.ofSeconds(20))).as("%s of %s calls are over", over, calls).isTrue();
            assertThat(over).hasValue(calls);
        }
        if (nanos < 40_000_000) {
            assertThat(failed).hasValue(0);
        }
        return nanos;
    }

    /** Calls that wait for a place go to the service that is opened anew at once. */
    @ParameterizedTest
    @MethodSource("providers")
    void waitingCallsGoToTheNextService(Providers.Choice choice) throws Exception {
        try (Nodes nodes = pair(choice, NodeOptions.DEFAULT);
                Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(2))) {
            List<CompletableFuture<byte[]>> answers;
            try (Service _ = Service.open(nodes.b, 5, call -> { })) {
                answers = makeCalls(caller, 10);
                Waits.until("two are under way", () -> caller.underWay() == 2);
            }
            try (Service _ = Service.open(nodes.b, 5, call -> call.answer(call.request()))) {
                for (int i = 0; i < answers.size(); i++) {
                    CompletableFuture<byte[]> answer = answers.get(i);
                    if (i < 2) {
                        assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS)).hasMessageContaining("closed");
                    } else {
                        assertThat(answer.get(20, TimeUnit.SECONDS)).containsExactly(i);
                    }
                }
            }
        }
    }

    private static void hold(CountDownLatch until) {
        try {
            until.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls in what follows on others, by several threads; where each is made while others' wait. */
    @ParameterizedTest
    @MethodSource("providers")
    void chainsOfCalls(Providers.Choice choice) throws Exception {
        int chains = 200;
        int length = 50;
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT);
                Service _ = Service.open(nodes.b, 5, call -> call.answer(call.request()));
                Caller caller = Caller.open(nodes.toB, 5)) {
            List<CompletableFuture<Integer>> ends = new ArrayList<>();
            for (int i = 0; i < chains; i++) {
                CompletableFuture<Integer> chain = CompletableFuture.completedFuture(0);
                byte mark = (byte) i;
                for (int n = 0; n < length; n++) {
                    chain = chain.thenCompose(sum -> caller.call(new byte[] {mark}).thenApply(answer -> sum
                            + (answer.length == 1 && answer[0] == mark ? 1 : 0)));
                }
                ends.add(chain);
            }
            for (CompletableFuture<Integer> end : ends) {
                assertThat(end.get(50, TimeUnit.SECONDS)).isEqualTo(length);
            }
            assertThat(caller.underWay() + caller.waiting()).isZero();
        }
    }

    /** What is queued before there is a session: each long call sends what waits before it. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void shortAndLongCallsInTurn(Providers.Choice choice) throws Exception {
        int calls = 9000;
        byte[] longer = new byte[2000];
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT);
                Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(8192))) {
            List<CompletableFuture<byte[]>> answers = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                answers.add(caller.call(i % 2 == 0 ? new byte[0] : longer));
            }
            try (Service _ = Service.open(nodes.b, 5, call -> call.answer(call.request()),
                    ServiceOptions.DEFAULT.withLimit(8192).withExecutor(NodeOptions.DIRECT))) {
                for (int i = 0; i < calls; i++) {
                    assertThat(answers.get(i).get(30, TimeUnit.SECONDS)).hasSize(i % 2 == 0 ? 0 : longer.length);
                }
            }
        }
    }

    /** A handler that stands still does not keep the answers before its own. */
    @ParameterizedTest
    @MethodSource("providers")
    void answersBeforeASlowHandler(Providers.Choice choice) throws Exception {
        int calls = 20;
        CountDownLatch release = new CountDownLatch(1);
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT);
                Service _ = Service.open(nodes.b, 5, call -> {
                    if (call.request().get(ValueLayout.JAVA_BYTE, 0) == calls - 1) {
                        Threads.await(release);
                    }
                    call.answer(call.request());
                }, ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, 5)) {
            caller.call(new byte[1]).get(20, TimeUnit.SECONDS);
            List<CompletableFuture<byte[]>> answers = makeCalls(caller, calls);
            checkAnswers(answers, calls - 1, 10);
            assertThat(answers.get(calls - 1)).isNotDone();
            release.countDown();
            assertThat(answers.get(calls - 1).get(10, TimeUnit.SECONDS)).containsExactly(calls - 1);
        }
    }
}
