// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricArena;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of several buffers that do not go: the node and the memory can be used and closed afterwards. */
@Timeout(60)
class GatheringRefusedTest {
    /** More than any provider takes of a message that nobody receives. */
    private static final long LONG = 32 << 20;

    /** Only who calls makes progress: what nobody has polled for is under way, and the next one to the peer waits. */
    private static final NodeOptions ONE_AT_A_TIME = NodeOptions.DEFAULT.withCallerProgress().withPeerLimit(1);

    /** Those whose peers do nothing while nobody makes progress there. */
    static Stream<Providers.Choice> idle() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    /** Those of them that send several buffers from the memory itself. */
    static Stream<Providers.Choice> direct() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static void next(Nodes nodes) throws Exception {
        List<MemorySegment> buffers = List.of(Bytes.pattern(nodes.a.memory(), 8, 1),
                Bytes.pattern(nodes.a.memory(), 8, 2));
        MemorySegment in = nodes.b.allocate(16);
        CompletableFuture<Received> got = nodes.b.receive(in, 1);
        CompletableFuture<Void> sent = nodes.a.send(buffers, nodes.toB, 1);
        nodes.drive(got, sent);
        get(sent);
        assertThat(get(got).length()).isEqualTo(16);
        assertThat(in.asSlice(8).mismatch(buffers.getLast())).isEqualTo(-1);
        assertThat(nodes.a.underWay() + nodes.a.waiting()).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void wrongBuffersAreNamed(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice); Arena confined = Arena.ofConfined();
             FabricArena arena = nodes.a.domain().openArena()) {
            MemorySegment good = arena.allocate(8);
            Arena closed = Arena.ofShared();
            MemorySegment freed = closed.allocate(8);
            closed.close();
            assertThatThrownBy(() -> nodes.a.send((List<MemorySegment>) null, nodes.toB))
                    .isInstanceOf(NullPointerException.class).hasMessageContaining("the list of buffers is null");
            assertThatThrownBy(() -> nodes.a.send(List.of(good, good), null))
                    .isInstanceOf(NullPointerException.class).hasMessageContaining("the peer is null");
            assertThatThrownBy(() -> nodes.a.send(List.of(good, good), nodes.toB, -1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("bit 61 or 62");
            isRefused(nodes, Arrays.asList(good, null), NullPointerException.class, "null");
            isRefused(nodes, List.of(good, MemorySegment.ofArray(new byte[8])), IllegalArgumentException.class,
                    "on the Java heap");
            isRefused(nodes, List.of(good, freed), IllegalStateException.class, "is closed");
            isRefused(nodes, List.of(good, confined.allocate(8)), WrongThreadException.class, "confined to one thread");
            assertThat(arena.tryClose()).as("nothing uses it").isTrue();
            isRefused(nodes, List.of(nodes.a.allocate(8), good), IllegalStateException.class, "is closed");
            next(nodes);
        }
    }

    private static void isRefused(Nodes nodes, List<MemorySegment> buffers, Class<? extends Exception> type,
            String text) {
        for (Runnable wrong : List.<Runnable>of(() -> nodes.a.send(buffers, nodes.toB),
                () -> nodes.a.send(buffers, nodes.toB, 3))) {
            assertThatThrownBy(wrong::run).isInstanceOf(type).hasMessageContaining("index 1 of 2")
                    .hasMessageContaining(text);
        }
    }

    /** The messages after the first wait for it. */
    @ParameterizedTest
    @MethodSource("idle")
    void whatWaitsCanBeCancelledAndItsListChanged(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, ONE_AT_A_TIME);
             FabricArena arena = nodes.a.domain().openArena()) {
            next(nodes);
            CompletableFuture<Void> first = nodes.a.send(nodes.a.allocate(LONG), nodes.toB, 1);
            CompletableFuture<Void> cancelled = nodes.a.send(List.of(arena.allocate(8), arena.allocate(9)), nodes.toB,
                    2);
            List<MemorySegment> list = new ArrayList<>(List.of(Bytes.pattern(nodes.a.memory(), 8, 1),
                    Bytes.pattern(nodes.a.memory(), 9, 2)));
            MemorySegment last = list.getLast();
            CompletableFuture<Void> changed = nodes.a.send(list, nodes.toB, 2);
            list.clear();
            list.add(null);
            assertThat(nodes.toB.waiting()).isEqualTo(2);
            assertThat(cancelled.cancel(true)).isTrue();
            assertThat(cancelled).isCancelled();
            assertThat(nodes.toB.waiting()).isEqualTo(1);
            assertThat(arena.tryClose()).as("nothing uses it").isTrue();
            MemorySegment in = nodes.b.allocate(64);
            CompletableFuture<Received> second = nodes.b.receive(in, 2);
            nodes.drive(nodes.b.receive(nodes.b.allocate(LONG), 1), first, second, changed);
            get(first);
            get(changed);
            assertThat(get(second).length()).isEqualTo(17);
            assertThat(in.asSlice(8, 9).mismatch(last)).isEqualTo(-1);
            next(nodes);
        }
    }

    @ParameterizedTest
    @MethodSource("idle")
    void deadlinesAreTheirs(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, ONE_AT_A_TIME)) {
            next(nodes);
            CompletableFuture<Void> first = nodes.a.send(nodes.a.allocate(LONG), nodes.toB, 1);
            CompletableFuture<Void> late = nodes.a.within(Duration.ofMillis(50))
                    .send(List.of(nodes.a.allocate(8), nodes.a.allocate(9)), nodes.toB, 2);
            assertThatThrownBy(() -> get(late)).hasMessageContaining("FI_ETIMEDOUT")
                    .hasMessageContaining("send of 17 bytes in 2 buffers with tag 2");
            nodes.drive(nodes.b.receive(nodes.b.allocate(LONG), 1), first);
            get(first);
            next(nodes);
        }
    }

    @ParameterizedTest
    @MethodSource("direct")
    void memoryUnderWayCannotBeFreed(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, ONE_AT_A_TIME);
             FabricArena head = nodes.a.domain().openArena(); FabricArena body = nodes.a.domain().openArena()) {
            next(nodes);
            CompletableFuture<Void> sent = nodes.a.send(List.of(head.allocate(16), body.allocate(LONG)), nodes.toB, 1);
            for (FabricArena arena : List.of(head, body)) {
                assertThat(arena.tryClose()).isFalse();
                assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("operation");
            }
            CompletableFuture<Received> got = nodes.b.receive(nodes.b.allocate(LONG + 16), 1);
            nodes.drive(got, sent, nodes.a.released(sent));
            get(sent);
            assertThat(get(got).length()).isEqualTo(LONG + 16);
            assertThat(head.tryClose(Duration.ofSeconds(10))).isTrue();
            assertThat(body.tryClose(Duration.ofSeconds(10))).isTrue();
            next(nodes);
        }
    }

    /** Its future ends at once; the memory follows when the provider lets go. */
    @ParameterizedTest
    @MethodSource("direct")
    void givenUpUnderWay(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, ONE_AT_A_TIME);
             FabricArena arena = nodes.a.domain().openArena()) {
            next(nodes);
            CompletableFuture<Void> sent = nodes.a.send(List.of(arena.allocate(16), arena.allocate(LONG)), nodes.toB,
                    1);
            assertThat(sent.cancel(true)).isTrue();
            // it cannot be taken back; and one that nobody receives may crash tcp when the nodes are closed
            CompletableFuture<Received> got = nodes.b.receive(nodes.b.allocate(LONG + 16), 1);
            nodes.drive(got, nodes.a.released(sent));
            assertThat(get(got).length()).isEqualTo(LONG + 16);
            assertThat(arena.tryClose(Duration.ofSeconds(10))).isTrue();
            next(nodes);
        }
    }
}
