// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static io.jfabric.async.CallPartsTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricArena;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The memory of requests in several parts: wrong ones are named, and what is under way is the provider's. */
@Timeout(60)
class CallPartsMemoryTest {
    private static final int SERVICE = 5;
    private static final int LONG = 100_000;
    private static final int HUGE = 32 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final NodeOptions BY_HAND = NodeOptions.DEFAULT.withCallerProgress();

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.TCP_RDM, Providers.RXM, Providers.SHM);
    }

    /** Those that send several buffers from the memory itself, however long, and do nothing while nobody polls. */
    static Stream<Providers.Choice> direct() {
        return Providers.offered(Providers.TCP_RDM, Providers.SHM);
    }

    private static Service echo(Nodes nodes) {
        return Service.open(nodes.b, SERVICE, call -> call.answer(call.request()),
                ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT).withLargestRequest(HUGE + LONG));
    }

    private static void works(Nodes nodes, Caller caller) throws Exception {
        for (int size : new int[] {8, LONG}) {
            List<MemorySegment> parts = List.of(Bytes.pattern(nodes.a.memory(), 8, 1),
                    Bytes.pattern(nodes.a.memory(), size, 2));
            CompletableFuture<MemorySegment> call = caller.call(parts, nodes.a.allocate(LONG + 8), DEADLINE);
            nodes.drive(call);
            assertThat(get(call).mismatch(CallPartsTest.joined(parts))).isEqualTo(-1);
        }
        nodes.drive("nothing is under way", () -> caller.underWay() + caller.waiting() == 0);
    }

    private static Throwable failure(CompletableFuture<?> call) {
        assertThatThrownBy(() -> get(call)).isInstanceOf(ExecutionException.class);
        return call.exceptionNow();
    }

    private static void isRefused(Caller caller, List<MemorySegment> parts, MemorySegment answer,
            Class<? extends Exception> type, String text) {
        for (Runnable wrong : List.<Runnable>of(() -> caller.call(parts, answer),
                () -> caller.call(parts, answer, DEADLINE))) {
            assertThatThrownBy(wrong::run).isInstanceOf(type).hasMessageStartingWith("Caller.call: ")
                    .hasMessageContaining(text);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void wrongPartsAreNamed(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice); Arena confined = Arena.ofConfined(); Service _ = echo(nodes);
                Caller caller = Caller.open(nodes.toB, SERVICE)) {
            MemorySegment good = nodes.a.allocate(8);
            Arena closed = Arena.ofShared();
            MemorySegment freed = closed.allocate(8);
            closed.close();
            String second = "the part at index 1 of 2";
            isRefused(caller, null, good, NullPointerException.class, "the list of the parts of the request is null");
            isRefused(caller, Arrays.asList(good, null), good, NullPointerException.class, second + " is null");
            isRefused(caller, List.of(good, freed), good, IllegalStateException.class, second);
            isRefused(caller, List.of(good, freed.asSlice(0, 0)), good, IllegalStateException.class, "is closed");
            isRefused(caller, List.of(good, confined.allocate(8)), good, WrongThreadException.class,
                    second + " is confined to one thread");
            isRefused(caller, List.of(good, good), null, NullPointerException.class, "the memory of the answer");
            isRefused(caller, List.of(good, good), good.asReadOnly(), IllegalArgumentException.class, "read-only");
            isRefused(caller, List.of(good, good), freed, IllegalStateException.class, "is closed");
            isRefused(caller, List.of(good, good), confined.allocate(8), WrongThreadException.class, "confined");
            assertThatThrownBy(() -> caller.call(List.of(good, good), good, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("must be more than 0");
            MemorySegment half = MemorySegment.NULL.reinterpret(1L << 62);
            isRefused(caller, List.of(good, half, half), good, IllegalArgumentException.class,
                    "the parts of the request have more than " + Long.MAX_VALUE + " bytes together");
            assertThat(failure(caller.call(List.of(good, half), good))).isInstanceOf(NotHandledException.class)
                    .hasMessageContaining("FI_EMSGSIZE").hasMessageContaining((1L << 62) + 8 + " bytes");
            works(nodes, caller);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void withTheDeadlineOfTheOptions(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice); Service _ = Service.open(nodes.b, SERVICE, call -> { });
                Caller caller = Caller.open(nodes.toB, SERVICE,
                        CallerOptions.DEFAULT.withDeadline(Duration.ofMillis(300)))) {
            MemorySegment memory = nodes.a.allocate(8);
            assertThat(failure(caller.call(List.of(memory, memory), memory))).isInstanceOfSatisfying(
                    FabricException.class, late -> assertThat(late.error()).isEqualTo(FabricError.ETIMEDOUT));
        }
    }

    /** Their list is changed, and some of their memory freed, while they wait for the first. */
    @ParameterizedTest
    @MethodSource("providers")
    void changedAndFreedWhileTheyWait(Providers.Choice choice) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, SERVICE, call -> {
                    go.await();
                    call.answer(call.request());
                });
                Caller caller = Caller.open(nodes.toB, SERVICE, CallerOptions.DEFAULT.withWindow(1))) {
            MemorySegment header = Bytes.pattern(nodes.a.memory(), 8, 1);
            CompletableFuture<MemorySegment> first = caller.call(header, nodes.a.allocate(8), DEADLINE);
            List<MemorySegment> list = new ArrayList<>(List.of(header, Bytes.pattern(nodes.a.memory(), LONG, 2)));
            MemorySegment expected = CallPartsTest.joined(list);
            CompletableFuture<MemorySegment> changed = caller.call(list, nodes.a.allocate(LONG + 8), DEADLINE);
            list.clear();
            list.add(null);
            Arena arena = Arena.ofShared();
            // too many for one message: these would be copied
            List<MemorySegment> many = new ArrayList<>(Collections.nCopies((int) nodes.a.info().tx().iovLimit(),
                    header));
            many.add(arena.allocate(LONG));
            List<CompletableFuture<MemorySegment>> freed = new ArrayList<>();
            for (List<MemorySegment> parts : List.of(List.of(header, arena.allocate(8)),
                    List.of(header, arena.allocate(LONG)), many)) {
                freed.add(caller.call(parts, nodes.a.allocate(2 * LONG), DEADLINE));
            }
            arena.close();
            go.countDown();
            get(first);
            assertThat(get(changed).mismatch(expected)).isEqualTo(-1);
            for (CompletableFuture<MemorySegment> call : freed) {
                assertThat(failure(call)).isInstanceOf(IllegalStateException.class);
            }
            works(nodes, caller);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void onTheHeapOrConfined(Providers.Choice choice) throws Exception {
        try (Arena own = Arena.ofConfined(); Nodes nodes = Nodes.open(choice, hints -> { }, BY_HAND);
                Service _ = echo(nodes); Caller caller = Caller.open(nodes.toB, SERVICE)) {
            for (int size : new int[] {8, LONG}) {
                MemorySegment heap = MemorySegment.ofArray(new byte[9]).fill((byte) 3);
                MemorySegment confined = Bytes.pattern(own, size, 4);
                for (List<MemorySegment> parts : List.of(List.of(heap, confined), List.of(confined, heap),
                        List.of(own.allocateFrom("header"), confined), List.of(heap, heap),
                        List.of(heap, MemorySegment.ofArray(confined.toArray(ValueLayout.JAVA_BYTE))))) {
                    CompletableFuture<MemorySegment> call = caller.call(parts, own.allocate(LONG + 9), DEADLINE);
                    nodes.drive(call);
                    assertThat(get(call).mismatch(CallPartsTest.joined(parts))).isEqualTo(-1);
                }
            }
            works(nodes, caller);
        }
    }

    /** So it is not copied. */
    @ParameterizedTest
    @MethodSource("direct")
    void underWayCannotBeFreed(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, BY_HAND); Service _ = echo(nodes);
                Caller caller = Caller.open(nodes.toB, SERVICE);
                FabricArena head = nodes.a.domain().openArena(); FabricArena body = nodes.a.domain().openArena()) {
            works(nodes, caller);
            List<MemorySegment> parts = List.of(Bytes.pattern(head, 8, 1), Bytes.pattern(body, HUGE, 2));
            MemorySegment expected = CallPartsTest.joined(parts);
            CompletableFuture<MemorySegment> call = caller.call(parts, nodes.a.allocate(HUGE + 8), DEADLINE);
            driveUntilItIsSent(nodes);
            assertThat(head.tryClose()).isFalse();
            assertThat(body.tryClose()).isFalse();
            nodes.drive(call, nodes.a.released(call));
            assertThat(get(call).mismatch(expected)).isEqualTo(-1);
            assertThat(head.tryClose(DEADLINE)).isTrue();
            assertThat(body.tryClose(DEADLINE)).isTrue();
            works(nodes, caller);
        }
    }

    /** What lies beside a header on the heap is not copied, either. The header is. */
    @ParameterizedTest
    @MethodSource("direct")
    void besideAHeaderOnTheHeap(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, BY_HAND); Service _ = echo(nodes);
                Caller caller = Caller.open(nodes.toB, SERVICE);
                FabricArena body = nodes.a.domain().openArena()) {
            works(nodes, caller);
            MemorySegment header = MemorySegment.ofArray(new byte[] {1, 2, 3, 4});
            List<MemorySegment> parts = List.of(header.asSlice(0, 1), Bytes.pattern(body, HUGE, 2),
                    header.asSlice(1));
            MemorySegment expected = CallPartsTest.joined(parts);
            CompletableFuture<MemorySegment> call = caller.call(parts, nodes.a.allocate(HUGE + 4), DEADLINE);
            driveUntilItIsSent(nodes);
            assertThat(body.tryClose()).isFalse();
            header.fill((byte) 0);
            nodes.drive(call, nodes.a.released(call));
            assertThat(get(call).mismatch(expected)).isEqualTo(-1);
            assertThat(body.tryClose(DEADLINE)).isTrue();
            works(nodes, caller);
        }
    }

    /** It is announced, and sent as soon as the service has made room for it. */
    private static void driveUntilItIsSent(Nodes nodes) {
        Waits.spin("it is announced", () -> nodes.a.progress() >= 0 && nodes.toB.underWay() == 0);
        nodes.drive("it is being sent", () -> nodes.toB.underWay() > 0);
    }

    /** The future ends at once; the memory follows when the provider lets go. */
    @ParameterizedTest
    @MethodSource("direct")
    void givenUpUnderWay(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, BY_HAND); Service _ = echo(nodes);
                Caller caller = Caller.open(nodes.toB, SERVICE);
                FabricArena arena = nodes.a.domain().openArena()) {
            works(nodes, caller);
            CompletableFuture<MemorySegment> call = caller.call(List.of(arena.allocate(8), arena.allocate(HUGE)),
                    nodes.a.allocate(8), DEADLINE);
            driveUntilItIsSent(nodes);
            call.cancel(true);
            Waits.until("it is over", call::isDone);
            CompletableFuture<Void> released = nodes.a.released(call);
            assertThat(arena.tryClose()).isEqualTo(released.isDone());
            nodes.drive(released);
            assertThat(arena.tryClose(DEADLINE)).isTrue();
            works(nodes, caller);
        }
    }
}
