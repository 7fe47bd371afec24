// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory of calls that is a thread's own, or freed too early: that call fails, and nothing else does. */
@Timeout(120)
class CallMemoryTest {
    private static final int SERVICE = 5;
    private static final int LONG = 100_000;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS);
    }

    private static void works(Nodes nodes, Caller caller) throws Exception {
        MemorySegment request = nodes.a.allocate(LONG).fill((byte) 3);
        MemorySegment answer = caller.call(request, nodes.a.allocate(LONG), DEADLINE).get(40, TimeUnit.SECONDS);
        assertThat(answer.mismatch(request)).isEqualTo(-1);
    }

    private static Throwable failure(CompletableFuture<?> call) {
        assertThatThrownBy(() -> call.get(40, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        return call.exceptionNow();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void anAnswerMayBeTheThreadsOwn(Providers.Choice choice) throws Exception {
        CallHandler copies = call -> {
            try (Arena arena = Arena.ofConfined()) {
                // gone before the caller has made room for it
                call.answer(arena.allocate(call.request().byteSize()).copyFrom(call.request()));
            }
        };
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, SERVICE, copies);
                Caller caller = Caller.open(nodes.toB, SERVICE)) {
            works(nodes, caller);
            works(nodes, caller);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void anAnswerThatIsFreedTooEarlyDoesNotCome(Providers.Choice choice) throws Exception {
        CallHandler frees = call -> {
            boolean early = call.request().get(ValueLayout.JAVA_BYTE, 0) == 0;
            Arena arena = Arena.ofShared();
            CompletableFuture<Void> sent = call.answer(arena.allocate(call.request().byteSize())
                    .copyFrom(call.request()));
            if (early) {
                // before the caller can have made room for it
                arena.close();
            } else {
                sent.whenComplete((done, failure) -> arena.close());
            }
        };
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withCallerProgress());
                Service _ = Service.open(nodes.b, SERVICE, frees,
                        ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, SERVICE)) {
            CompletableFuture<MemorySegment> early = caller.call(nodes.a.allocate(LONG), nodes.a.allocate(LONG),
                    DEADLINE);
            MemorySegment request = nodes.a.allocate(LONG).fill((byte) 3);
            CompletableFuture<MemorySegment> late = caller.call(request, nodes.a.allocate(LONG), DEADLINE);
            nodes.drive(early, late);
            assertThat(failure(early)).isInstanceOf(FabricException.class).hasMessageContaining("gave up");
            assertThat(late.get().mismatch(request)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void requestsAndRoomThatAreFreedWhileTheyWait(Providers.Choice choice) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CallHandler waits = call -> {
            go.await();
            call.answer(call.request());
        };
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, SERVICE, waits);
                Caller caller = Caller.open(nodes.toB, SERVICE, CallerOptions.DEFAULT.withWindow(1))) {
            MemorySegment request = nodes.a.allocate(8);
            CompletableFuture<MemorySegment> first = caller.call(request, nodes.a.allocate(8), DEADLINE);
            Arena arena = Arena.ofShared();
            CompletableFuture<MemorySegment> shortOne = caller.call(arena.allocate(8), nodes.a.allocate(8), DEADLINE);
            CompletableFuture<MemorySegment> longOne = caller.call(arena.allocate(LONG), nodes.a.allocate(LONG),
                    DEADLINE);
            CompletableFuture<MemorySegment> noRoom = caller.call(request, arena.allocate(8), DEADLINE);
            arena.close();
            go.countDown();
            assertThat(first.get(40, TimeUnit.SECONDS).byteSize()).isEqualTo(8);
            assertThat(failure(shortOne)).isInstanceOf(IllegalStateException.class);
            assertThat(failure(longOne)).isInstanceOf(IllegalStateException.class).hasMessageContaining("arena");
            assertThat(failure(noRoom)).isInstanceOf(IllegalStateException.class);
            works(nodes, caller);
            assertThat(caller.underWay()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void confinedMemoryIsForWhoMakesProgress(Providers.Choice choice) throws Exception {
        try (Arena arena = Arena.ofConfined(); Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, SERVICE, call -> call.answer(call.request()));
                Caller caller = Caller.open(nodes.toB, SERVICE)) {
            MemorySegment own = arena.allocate(8);
            MemorySegment anybodys = nodes.a.allocate(8);
            assertThatThrownBy(() -> caller.call(own, anybodys, DEADLINE)).isInstanceOf(WrongThreadException.class)
                    .hasMessageContaining("Caller.call").hasMessageContaining("Node.allocate");
            assertThatThrownBy(() -> caller.call(anybodys, own, DEADLINE)).isInstanceOf(WrongThreadException.class);
            works(nodes, caller);
        }
        try (Arena arena = Arena.ofConfined();
                Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withCallerProgress());
                Service _ = Service.open(nodes.b, SERVICE, call -> call.answer(call.request()),
                        ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, SERVICE)) {
            for (int size : new int[] {8, LONG, LONG}) {
                MemorySegment own = arena.allocate(size, 8).fill((byte) 9);
                CompletableFuture<MemorySegment> call = caller.call(own, arena.allocate(size, 8), DEADLINE);
                nodes.drive(call);
                assertThat(call.get().toArray(ValueLayout.JAVA_BYTE)).hasSize(size).containsOnly(9);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void memoryMayBeOnTheHeap(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, SERVICE, call -> call.answer(call.request()));
                Caller caller = Caller.open(nodes.toB, SERVICE)) {
            for (int size : new int[] {0, 8, LONG}) {
                MemorySegment request = MemorySegment.ofArray(new byte[size]).fill((byte) 4);
                byte[] room = new byte[LONG + 1];
                for (MemorySegment answer : List.of(MemorySegment.ofArray(room), nodes.a.allocate(LONG + 1))) {
                    MemorySegment filled = caller.call(request, answer).get(40, TimeUnit.SECONDS);
                    assertThat(filled.mismatch(request)).isEqualTo(-1);
                    assertThat(answer.mismatch(filled)).isEqualTo(size);
                }
                assertThat(room[LONG]).isZero();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aCallWithMemoryHasTheDeadlineOfTheOptions(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, SERVICE, call -> { });
                Caller caller = Caller.open(nodes.toB, SERVICE,
                        CallerOptions.DEFAULT.withDeadline(Duration.ofMillis(300)))) {
            assertThat(failure(caller.call(nodes.a.allocate(8), nodes.a.allocate(8)))).isInstanceOfSatisfying(
                    FabricException.class, late -> assertThat(late.error()).isEqualTo(FabricError.ETIMEDOUT));
        }
    }

    /** Whether it came alone or with others, with room for an answer or without, at once or in a second message. */
    @ParameterizedTest
    @MethodSource("providers")
    void numbersCanBeReadFromARequest(Providers.Choice choice) throws Exception {
        CallHandler first = call -> call.answer(ByteBuffer.allocate(Long.BYTES)
                .putLong(call.request().get(ValueLayout.JAVA_LONG, 0)).array());
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, SERVICE, first);
                Caller caller = Caller.open(nodes.toB, SERVICE)) {
            List<CompletableFuture<byte[]>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                byte[] request = new byte[Long.BYTES + i % 13 + (i % 40 == 0 ? LONG : 0)];
                ByteBuffer.wrap(request).order(ByteOrder.nativeOrder()).putLong(i);
                calls.add(i % 3 > 0 ? caller.call(request) : caller.call(MemorySegment.ofArray(request),
                        nodes.a.allocate(LONG)).thenApply(answer -> answer.toArray(ValueLayout.JAVA_BYTE)));
            }
            for (int i = 0; i < calls.size(); i++) {
                assertThat(ByteBuffer.wrap(calls.get(i).get(40, TimeUnit.SECONDS)).getLong()).isEqualTo(i);
            }
        }
    }
}
