// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricArena;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The service's node stops in the middle of a long answer: nobody makes progress for it any more. */
@Timeout(120)
class StoppedPeerTest {
    private static final int SIZE = 64 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM, Providers.TCP_RDM);
    }

    private interface Stopped {
        void look(Nodes nodes, CompletableFuture<MemorySegment> call, MemorySegment room) throws Exception;
    }

    /** Calls with this room, and looks when a part of the answer is there. */
    private static void stop(Providers.Choice choice, MemorySegment given, Stopped then) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withCallerProgress())) {
            MemorySegment big = nodes.b.allocate(SIZE).fill((byte) 7);
            MemorySegment room = given != null ? given : nodes.a.allocate(SIZE);
            try (Service _ = Service.open(nodes.b, 5, call -> call.answer(big),
                    ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                    Caller caller = Caller.open(nodes.toB, 5)) {
                CompletableFuture<MemorySegment> call = caller.call(nodes.a.allocate(1), room, DEADLINE);
                begin(nodes, call, room);
                then.look(nodes, call, room);
            }
        }
    }

    /** Until a part of the answer is in the room. */
    private static void begin(Nodes nodes, CompletableFuture<?> call, MemorySegment room) {
        nodes.drive("a part is there", () -> room.get(ValueLayout.JAVA_BYTE, 0) != 0 || call.isDone());
    }

    private static void progress(Nodes nodes, CompletableFuture<?> until, Duration longest) {
        long end = System.nanoTime() + longest.toNanos();
        while (!until.isDone() && System.nanoTime() - end < 0) {
            nodes.a.progress();
        }
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void memoryThatCannotBeFreedKeepsNoCall(Providers.Choice choice) throws Exception {
        stop(choice, null, (nodes, call, room) -> {
            progress(nodes, call, Duration.ofSeconds(60));
            assertThatThrownBy(() -> call.get(1, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class)
                    .hasMessageContaining("ETIMEDOUT").hasMessageContaining("Node.released");
            assertThat(call.cancel(true)).isFalse();
            assertThat(call.complete(room)).isFalse();
            CompletableFuture<Void> released = nodes.a.released(call);
            assertThat(released).isNotDone();
            nodes.drive(released);
            assertThat(call).isCompletedExceptionally();
        });
    }

    @ParameterizedTest
    @MethodSource("providers")
    void anArenaOfItsOwnStaysOpen(Providers.Choice choice) throws Exception {
        try (Nodes other = Nodes.open(choice)) {
            FabricArena arena = other.a.domain().openArena();
            stop(choice, arena.allocate(SIZE), (nodes, call, room) -> {
                call.cancel(true);
                progress(nodes, call, Duration.ofSeconds(60));
                assertThat(call).isCancelled();
                assertThat(arena.tryClose()).isFalse();
                nodes.drive(nodes.a.released(call));
            });
            assertThat(arena.tryClose(DEADLINE)).isTrue();
        }
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void memoryThatCouldBeFreedKeepsTheCall(Providers.Choice choice) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            stop(choice, arena.allocate(SIZE), (nodes, call, room) -> {
                progress(nodes, call, DEADLINE.plusSeconds(4));
                assertThat(call).isNotDone();
                nodes.drive(call);
                assertThat(call).isCompletedExceptionally();
            });
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    @Timeout(40)
    void whoAwaitsItHasADeadline(Providers.Choice choice) throws Exception {
        try (Arena arena = Arena.ofShared()) {
            stop(choice, arena.allocate(SIZE), (nodes, call, room) -> {
                assertThatThrownBy(() -> nodes.a.await(call, Duration.ofMillis(100)))
                        .isInstanceOf(FabricException.class).hasMessageContaining("not done within 0.1 s");
                assertThat(call).isNotDone();
                nodes.drive(call);
            });
        }
    }

    /** The service's node stops; what was sent to it meanwhile, and given up, is still the provider's to send. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("all")
    void noCallComesTwice(Providers.Choice choice) throws Exception {
        NodeOptions options = NodeOptions.DEFAULT.withCallerProgress().withDeadline(Duration.ofMillis(200));
        List<Byte> seen = new ArrayList<>();
        try (Nodes nodes = Nodes.open(choice, hints -> { }, options);
                Service _ = Service.open(nodes.b, 5, call -> {
                    seen.add(call.request().get(ValueLayout.JAVA_BYTE, 0));
                    call.answer(new byte[1]);
                }, ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, 5)) {
            nodes.drive(caller.call(request(0), DEADLINE));
            List<CompletableFuture<byte[]>> calls = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                CompletableFuture<byte[]> call = caller.call(request(i), Duration.ofSeconds(60));
                calls.add(call);
                progress(nodes, call, Duration.ofMillis(400));
            }
            for (CompletableFuture<byte[]> call : calls) {
                nodes.drive(call);
            }
            CompletableFuture<byte[]> last = caller.call(request(4), Duration.ofSeconds(60));
            nodes.drive(last);
            assertThat(last).isCompleted();
            assertThat(seen).doesNotHaveDuplicates().contains((byte) 0, (byte) 4);
        }
    }

    static Stream<Providers.Choice> all() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM, Providers.SOCKETS);
    }

    private static byte[] request(int number) {
        byte[] request = new byte[8192];
        Arrays.fill(request, (byte) number);
        return request;
    }

    /** The caller's node stops, and is found dead: what the service answers from is still being read. */
    @ParameterizedTest
    @MethodSource("providers")
    void anAnswerIsKeptUntilNobodyReadsIt(Providers.Choice choice) throws Exception {
        try (Arena arena = Arena.ofShared();
                Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withCallerProgress());
                KeepAlive alive = KeepAlive.open(nodes.b, Duration.ofMillis(200), 4)) {
            MemorySegment big = arena.allocate(SIZE).fill((byte) 7);
            MemorySegment room = nodes.a.allocate(SIZE);
            CompletableFuture<CompletableFuture<Void>> answered = new CompletableFuture<>();
            try (Service _ = Service.open(nodes.b, 5, call -> answered.complete(call.answer(big)),
                    ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                    Caller caller = Caller.open(nodes.toB, 5)) {
                CompletableFuture<MemorySegment> call = caller.call(nodes.a.allocate(1), room, DEADLINE);
                begin(nodes, call, room);
                CompletableFuture<Void> ended = alive.watch(nodes.toA);
                Waits.spin("the end is noticed", () -> {
                    nodes.b.progress();
                    return ended.isDone();
                });
                CompletableFuture<Void> sent = answered.get();
                for (int i = 0; i < 1000; i++) {
                    nodes.b.progress();
                }
                assertThat(sent).isNotDone();
                nodes.drive(sent);
                assertThat(sent).isCompletedExceptionally();
            }
        }
    }

    /** Whatever a program ends it with. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void noWayOutIsShorter(Providers.Choice choice) throws Exception {
        MemorySegment instead = MemorySegment.ofArray(new byte[1]);
        List<Consumer<CompletableFuture<MemorySegment>>> ways = List.of(
                call -> call.completeAsync(() -> instead, Runnable::run),
                call -> call.obtrudeValue(instead),
                call -> call.completeOnTimeout(instead, 1, TimeUnit.MILLISECONDS),
                call -> call.complete(instead));
        for (Consumer<CompletableFuture<MemorySegment>> way : ways) {
            try (Arena arena = Arena.ofShared()) {
                stop(choice, arena.allocate(SIZE), (nodes, call, room) -> {
                    way.accept(call);
                    progress(nodes, call, Duration.ofSeconds(3));
                    assertThat(call).isNotDone();
                    nodes.drive(call);
                    assertThat(call.get()).isSameAs(instead);
                });
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void theMemoryOfACallThatHasSucceeded(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                Service _ = Service.open(nodes.b, 5, call -> call.answer(call.request()));
                Caller caller = Caller.open(nodes.toB, 5)) {
            for (int size : new int[] {1, 100_000, 100_000, 10_000_000}) {
                MemorySegment room = nodes.a.allocate(size);
                CompletableFuture<MemorySegment> call = caller.call(nodes.a.allocate(size), room,
                        Duration.ofSeconds(30));
                CompletableFuture<Void> released = nodes.a.released(call);
                call.get(40, TimeUnit.SECONDS);
                released.get(40, TimeUnit.SECONDS);
                nodes.a.released(call).get(40, TimeUnit.SECONDS);
                CompletableFuture<byte[]> bytes = caller.call(new byte[size]);
                bytes.get(40, TimeUnit.SECONDS);
                nodes.a.released(bytes).get(40, TimeUnit.SECONDS);
            }
        }
    }
}
