// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.life.FidObject;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** However a call fails, it ends, and takes neither a place nor others with it. */
@Timeout(120)
class FailedCallTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int LONG = 100_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    private static Nodes nodes(Providers.Choice choice, NodeOptions options) {
        return Nodes.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED), options);
    }

    private static FabricError error(CompletableFuture<?> call) {
        assertThatThrownBy(() -> call.get(40, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class);
        return ((FabricException) call.exceptionNow()).error();
    }

    /** The clock ends the second, too, and is no thread of the program's. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatFollowsOnALateCallMayWaitForAnother(boolean hasExecutor) throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool(Thread.ofPlatform().name("mine").factory());
                Nodes nodes = nodes(Providers.RXM, hasExecutor ? NodeOptions.DEFAULT.withExecutor(threads)
                        : NodeOptions.DEFAULT);
                Service _ = Service.open(nodes.b, 5, call -> { });
                Caller caller = Caller.open(nodes.toB, 5)) {
            CompletableFuture<String> thread = new CompletableFuture<>();
            CompletableFuture<byte[]> again = caller.call(new byte[1], Duration.ofMillis(200)).exceptionally(late -> {
                thread.complete(Thread.currentThread().getName());
                return caller.call(new byte[1], Duration.ofMillis(200)).join();
            });
            assertThat(error(again)).isEqualTo(FabricError.ETIMEDOUT);
            assertThat(thread.join()).isEqualTo(hasExecutor ? "mine" : "jfabric-aside");
        }
    }

    /** In a process of its own, with a small heap. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void answersThatDoNotFitTheHeap(Providers.Choice choice) {
        ChildJvm.Result result = ChildJvm.of(FailedCallTest.class, choice.provider()).flags("-Xmx64m").run();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).contains("OutOfMemoryError", "under way: 0", "then: 1");
    }

    public static void main(String[] args) throws Exception {
        Providers.Choice choice = Stream.of(Providers.SHM, Providers.RXM)
                .filter(one -> one.provider().equals(args[0])).findFirst().orElseThrow();
        try (Nodes nodes = nodes(choice, NodeOptions.DEFAULT)) {
            MemorySegment big = nodes.b.allocate(128 << 20);
            try (Service _ = Service.open(nodes.b, 5, call -> call.answer(call.request().byteSize() == 1 ? big
                    : MemorySegment.ofArray(new byte[1]))); Caller caller = Caller.open(nodes.toB, 5)) {
                try {
                    caller.call(new byte[1], DEADLINE).get(20, TimeUnit.SECONDS);
                } catch (ExecutionException e) {
                    System.out.println(e.getCause());
                }
                System.out.println("under way: " + caller.underWay());
                System.out.println("then: " + caller.call(new byte[2], DEADLINE).get(20, TimeUnit.SECONDS).length);
            }
        }
    }

    /** Where the answer before was long, this one is to be received before it is asked for. */
    @ParameterizedTest
    @MethodSource("providers")
    void roomForALongAnswerThatIsFreedWhileTheCallWaits(Providers.Choice choice) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (Nodes nodes = nodes(choice, NodeOptions.DEFAULT);
                Service _ = Service.open(nodes.b, 5, call -> {
                    if (call.request().byteSize() == 2) {
                        go.await();
                    }
                    call.answer(new byte[LONG]);
                });
                Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(1))) {
            MemorySegment room = nodes.a.allocate(LONG);
            caller.call(nodes.a.allocate(1), room, DEADLINE).get(40, TimeUnit.SECONDS);
            CompletableFuture<MemorySegment> slow = caller.call(nodes.a.allocate(2), room, DEADLINE);
            Arena arena = Arena.ofShared();
            CompletableFuture<MemorySegment> freed = caller.call(nodes.a.allocate(1), arena.allocate(LONG), DEADLINE);
            arena.close();
            go.countDown();
            assertThat(slow.get(40, TimeUnit.SECONDS).byteSize()).isEqualTo(LONG);
            assertThatThrownBy(() -> freed.get(40, TimeUnit.SECONDS)).hasCauseInstanceOf(IllegalStateException.class);
            caller.call(nodes.a.allocate(1), room, DEADLINE).get(40, TimeUnit.SECONDS);
        }
    }

    /** The node of the service has room for two that wait. */
    @ParameterizedTest
    @MethodSource("providers")
    void answersForWhichTheNodeHasNoRoomYet(Providers.Choice choice) throws Exception {
        answerAtOnce(choice, 15_000);
        answerAtOnce(choice, LONG);
    }

    private static void answerAtOnce(Providers.Choice choice, int size) throws Exception {
        int count = 32;
        Queue<Call> ready = new ConcurrentLinkedQueue<>();
        try (Nodes many = nodes(choice, NodeOptions.DEFAULT.withTransmitLimit(16).withReceiveLimit(1000)
                        .withPeerLimit(1).withBacklog(2));
                Service _ = Service.open(many.b, 5, ready::add);
                Nodes nodes = nodes(choice, NodeOptions.DEFAULT);
                Caller caller = Caller.open(nodes.a.peer(many.b.address().bytes()), 5)) {
            List<CompletableFuture<byte[]>> calls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                calls.add(caller.call(new byte[1], DEADLINE));
            }
            Waits.until("all have come", () -> ready.size() == count);
            CountDownLatch go = new CountDownLatch(1);
            ready.forEach(call -> Thread.startVirtualThread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                call.answer(new byte[size]);
            }));
            go.countDown();
            for (CompletableFuture<byte[]> call : calls) {
                assertThat(call.get(40, TimeUnit.SECONDS)).hasSize(size);
            }
        }
    }

    /** Whatever the provider says to that: each answer is over, and its place is free. */
    @ParameterizedTest
    @MethodSource("providers")
    void answersToANodeThatIsClosed(Providers.Choice choice) throws Exception {
        Queue<Call> ready = new ConcurrentLinkedQueue<>();
        try (Nodes nodes = nodes(choice, NodeOptions.DEFAULT.withDeadline(Duration.ofSeconds(10)));
                Service service = Service.open(nodes.b, 5, ready::add)) {
            Caller caller = Caller.open(nodes.toB, 5);
            for (int i = 0; i < 6; i++) {
                caller.call(new byte[1]);
            }
            Waits.until("all have come", () -> ready.size() == 6);
            nodes.a.close();
            for (int i = 0; i < 3; i++) {
                ready.remove().answer(new byte[i]);
                ready.remove().fail(new IllegalStateException("no"));
            }
            Waits.until("each is over", () -> service.underWay() == 0);
        }
    }

    /** Each is of several messages, for which the node of the service has no room at once. */
    @ParameterizedTest
    @MethodSource("providers")
    void answersOfSeveralMessagesForWhichTheNodeHasNoRoomYet(Providers.Choice choice) throws Exception {
        int longest = 1 << 20;
        int count = 4;
        try (FabricInfoList infos = choice.find(hints -> { })) {
            FabricInfo info = infos.first();
            info.endpoint().maxMessageSize(longest);
            try (Node a = Node.open(info, NodeOptions.DEFAULT);
                    Node b = Node.open(info, NodeOptions.DEFAULT.withTransmitLimit(16).withReceiveLimit(1000)
                            .withPeerLimit(1).withBacklog(2))) {
                MemorySegment big = b.allocate(10L * longest + 1).fill((byte) 5);
                Queue<Call> ready = new ConcurrentLinkedQueue<>();
                try (Service _ = Service.open(b, 5, ready::add); Caller caller = Caller.open(a.peer(b.address()), 5)) {
                    List<CompletableFuture<MemorySegment>> calls = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        calls.add(caller.call(a.allocate(1), a.allocate(big.byteSize()), DEADLINE));
                    }
                    Waits.until("all have come", () -> ready.size() == count);
                    List<CompletableFuture<Void>> answers = ready.stream().map(call -> call.answer(big)).toList();
                    for (int i = 0; i < count; i++) {
                        assertThat(calls.get(i).get(40, TimeUnit.SECONDS).mismatch(big)).isEqualTo(-1);
                        answers.get(i).get(40, TimeUnit.SECONDS);
                    }
                }
            }
        }
    }

    /** The endpoint is closed under the node: there is no service then, and nothing of it stays. */
    @ParameterizedTest
    @MethodSource("providers")
    void aServiceThatCannotReceive(Providers.Choice choice) {
        try (Nodes nodes = nodes(choice, NodeOptions.DEFAULT)) {
            ((FidObject) nodes.b.endpoint()).entry().keep(null);
            nodes.b.endpoint().close();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> Service.open(nodes.b, 5, call -> { }))
                        .isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
                assertThatThrownBy(() -> Caller.open(nodes.toA, 5)).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    /** A handler that never answers takes a place, but not for ever. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void callsThatAreNeverAnswered(Providers.Choice choice) throws Exception {
        Queue<Call> forgotten = new ConcurrentLinkedQueue<>();
        try (Nodes nodes = nodes(choice, NodeOptions.DEFAULT);
                Service _ = Service.open(nodes.b, 5, call -> {
                    if (call.request().byteSize() == 1) {
                        forgotten.add(call);
                    } else {
                        call.answer(call.request());
                    }
                });
                Caller caller = Caller.open(nodes.toB, 5, CallerOptions.DEFAULT.withWindow(2))) {
            for (int i = 0; i < 2; i++) {
                assertThat(error(caller.call(new byte[1], Duration.ofMillis(300)))).isEqualTo(FabricError.ETIMEDOUT);
            }
            byte[] answer = caller.call(new byte[] {1, 2, 3}, DEADLINE).get(40, TimeUnit.SECONDS);
            assertThat(answer).containsExactly(1, 2, 3);
            // answers to calls whose places others have now
            List<CompletableFuture<byte[]>> others = new ArrayList<>();
            for (byte i = 0; i < 100; i++) {
                others.add(caller.call(new byte[] {i, i}, DEADLINE));
                Call late = forgotten.poll();
                if (late != null) {
                    late.answer(i == 0 ? new byte[] {99, 99} : new byte[LONG]);
                }
            }
            for (byte i = 0; i < 100; i++) {
                assertThat(others.get(i).get(40, TimeUnit.SECONDS)).containsExactly(i, i);
            }
        }
    }

    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final boolean isNull;

        private Unspeakable(boolean isNull) {
            this.isNull = isNull;
        }

        @Override
        public String toString() {
            if (isNull) {
                return null;
            }
            throw new IllegalStateException("toString failed");
        }
    }

    /** Neither what cannot say what it is, nor an error in the thread that makes progress. */
    @ParameterizedTest
    @MethodSource("providers")
    void anyThrowableOfAHandler(Providers.Choice choice) throws Exception {
        CallHandler handler = call -> {
            switch (call.request().get(ValueLayout.JAVA_BYTE, 0)) {
                case 1 -> throw new Unspeakable(true);
                case 2 -> throw new Unspeakable(false);
                case 3 -> throw new StackOverflowError("as in a recursion");
                case 4 -> throw new OutOfMemoryError("as of native memory");
                default -> call.answer(call.request());
            }
        };
        String[] texts = {"", "Unspeakable", "Unspeakable", "as in a recursion", "as of native memory"};
        for (ServiceOptions options : List.of(ServiceOptions.DEFAULT.withLimit(2),
                ServiceOptions.DEFAULT.withLimit(2).withExecutor(NodeOptions.DIRECT))) {
            try (Nodes nodes = nodes(choice, NodeOptions.DEFAULT);
                    Service service = Service.open(nodes.b, 5, handler, options);
                    Caller caller = Caller.open(nodes.toB, 5)) {
                for (byte i = 1; i <= 4; i++) {
                    byte[] request = {i};
                    String text = texts[i];
                    assertThatThrownBy(() -> caller.call(request, DEADLINE).get(10, TimeUnit.SECONDS))
                            .hasCauseInstanceOf(CallException.class).hasMessageContaining(text);
                }
                assertThat(caller.call(new byte[1], DEADLINE).get(10, TimeUnit.SECONDS)).hasSize(1);
                assertThat(service.underWay()).isZero();
            }
        }
    }

    /** Such as one that starts a thread for each call, where the system has no more threads. */
    @ParameterizedTest
    @MethodSource("providers")
    void anExecutorThatFailsRefusesTheCall(Providers.Choice choice) throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        ServiceOptions options = ServiceOptions.DEFAULT.withLimit(2).withExecutor(task -> {
            if (fails.get()) {
                throw new OutOfMemoryError("no thread");
            }
            task.run();
        });
        try (Nodes nodes = nodes(choice, NodeOptions.DEFAULT);
                Service service = Service.open(nodes.b, 5, call -> call.answer(call.request()), options);
                Caller caller = Caller.open(nodes.toB, 5)) {
            for (int length : new int[] {1, 100_000, 1}) {
                assertThatThrownBy(() -> caller.call(new byte[length], DEADLINE).get(10, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class);
            }
            assertThat(service.underWay()).isZero();
            fails.set(false);
            assertThat(caller.call(new byte[1], DEADLINE).get(10, TimeUnit.SECONDS)).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aServiceThatIsRefusedLeavesNothing(Providers.Choice choice) {
        try (Nodes nodes = nodes(choice, NodeOptions.DEFAULT); Service _ = Service.open(nodes.b, 5, call -> { })) {
            int before = Fabric.openObjects().size();
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> Service.open(nodes.b, 5, call -> { })).hasMessageContaining("already");
            }
            assertThat(Fabric.openObjects()).hasSize(before);
        }
    }
}
