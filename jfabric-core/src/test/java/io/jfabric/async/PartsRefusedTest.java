// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricArena;
import io.jfabric.RemoteRegion;
import io.jfabric.info.Capability;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Receives, writes and reads of several buffers that are refused or given up: nothing is lent afterwards. */
@Timeout(60)
class PartsRefusedTest {
    private static final long LONG = 32 << 20;
    /** Only who calls makes progress: what nobody has polled for is under way, and the next one to the peer waits. */
    private static final NodeOptions ONE_AT_A_TIME = NodeOptions.DEFAULT.withCallerProgress().withPeerLimit(1);

    static Stream<Providers.Choice> idle() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static Nodes open(Providers.Choice choice, NodeOptions options) {
        return Nodes.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.RMA),
                options);
    }

    private static RemoteRegion region(Nodes nodes, MemorySegment memory) {
        return nodes.b.register(memory, MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE).remote();
    }

    /** What takes the list of buffers. */
    private interface Wrong {
        void start(List<MemorySegment> buffers);
    }

    private static void isRefused(Wrong wrong, String what, List<MemorySegment> buffers, Class<?> type, String text) {
        assertThatThrownBy(() -> wrong.start(buffers)).isInstanceOf(type).hasMessageContaining(what)
                .hasMessageContaining("index " + (buffers.size() - 1) + " of " + buffers.size())
                .hasMessageContaining(text);
    }

    private static List<MemorySegment> with(int count, MemorySegment good, MemorySegment last) {
        List<MemorySegment> all = new ArrayList<>(Collections.nCopies(count - 1, good));
        all.add(last);
        return all;
    }

    private static void allAreRefused(Nodes nodes, Wrong wrong, String what, boolean filled, int count)
            throws Exception {
        try (Arena confined = Arena.ofConfined(); FabricArena arena = nodes.a.domain().openArena()) {
            MemorySegment good = nodes.a.allocate(8);
            MemorySegment freed = arena.allocate(8);
            assertThat(arena.tryClose()).isTrue();
            assertThatThrownBy(() -> wrong.start(null)).isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("the list of buffers is null");
            isRefused(wrong, what, with(count, good, null), NullPointerException.class, "null");
            isRefused(wrong, what, with(count, good, MemorySegment.ofArray(new byte[8])),
                    IllegalArgumentException.class, "on the Java heap");
            isRefused(wrong, what, with(count, good, MemorySegment.ofArray(new byte[0])),
                    IllegalArgumentException.class, "on the Java heap");
            isRefused(wrong, what, with(count, good, freed), IllegalStateException.class, "is closed");
            isRefused(wrong, what, with(count, good, confined.allocate(8)), WrongThreadException.class,
                    "confined to one thread");
            if (filled) {
                isRefused(wrong, what, with(count, good, good.asReadOnly()), IllegalArgumentException.class,
                        "read-only");
            }
            assertThat(nodes.a.underWay() + nodes.a.waiting()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void wrongBuffersAreNamedAndNothingBegins(Providers.Choice choice) throws Exception {
        try (Nodes nodes = open(choice, NodeOptions.DEFAULT)) {
            int limit = (int) nodes.a.info().tx().iovLimit();
            MemorySegment memory = nodes.b.allocate(8L * 3 * limit);
            RemoteRegion region = region(nodes, memory);
            allAreRefused(nodes, nodes.a::receive, "rec", true, 2);
            allAreRefused(nodes, buffers -> nodes.a.receive(buffers, 4), "rec", true, 2);
            for (int count : new int[] {2, 3 * limit}) {
                allAreRefused(nodes, buffers -> nodes.a.write(buffers, nodes.toB, region, 0), "write", false, count);
                allAreRefused(nodes, buffers -> nodes.a.read(buffers, nodes.toB, region, 0), "read", true, count);
            }
            List<MemorySegment> good = with(2, nodes.a.allocate(8), nodes.a.allocate(8));
            assertThatThrownBy(() -> nodes.a.write(good, null, region, 0)).isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("write: the peer is null");
            assertThatThrownBy(() -> nodes.a.read(good, nodes.toB, null, 0)).isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("read: the region is null");
            assertThatThrownBy(() -> nodes.a.receive(good, 1L << 61)).hasMessageContaining("bit 61 or 62");
            // read-only memory can be written to a peer
            MemorySegment fives = nodes.a.allocate(8).fill((byte) 5).asReadOnly();
            get(nodes.a.write(Collections.nCopies(3 * limit, fives), nodes.toB, region, 0));
            MemorySegment expected = Arena.ofAuto().allocate(memory.byteSize()).fill((byte) 5);
            Nodes.eventually(() -> memory.mismatch(expected) == -1);
            assertThat(memory.mismatch(expected)).isEqualTo(-1);
        }
    }

    /** A receive that waits for its message keeps the memory of all its buffers; one that was given up does not. */
    @ParameterizedTest
    @MethodSource("idle")
    void receivesThatAreGivenUp(Providers.Choice choice) throws Exception {
        try (Nodes nodes = open(choice, NodeOptions.DEFAULT);
             FabricArena head = nodes.b.domain().openArena(); FabricArena body = nodes.b.domain().openArena()) {
            CompletableFuture<Received> receive = nodes.b.receive(List.of(head.allocate(8), body.allocate(9)), 5);
            assertThat(head.tryClose()).isFalse();
            assertThat(body.tryClose()).isFalse();
            assertThat(receive.cancel(true)).isTrue();
            get(nodes.b.released(receive));
            assertThat(head.tryClose(Duration.ofSeconds(10))).isTrue();
            assertThat(body.tryClose(Duration.ofSeconds(10))).isTrue();
            MemorySegment late = nodes.b.allocate(17).fill((byte) 1);
            CompletableFuture<Received> missed = nodes.b.within(Duration.ofMillis(50))
                    .receive(List.of(late.asSlice(0, 8), late.asSlice(8)), 5);
            assertThatThrownBy(() -> get(missed)).hasMessageContaining("FI_ETIMEDOUT")
                    .hasMessageContaining("receive of at most 17 bytes in 2 buffers with tag 5");
            get(nodes.b.released(missed));
            // the message is the next one's
            List<MemorySegment> rooms = List.of(nodes.b.allocate(8), nodes.b.allocate(9));
            CompletableFuture<Received> next = nodes.b.receive(rooms, 5);
            MemorySegment message = Bytes.pattern(nodes.a.memory(), 17, 1);
            get(nodes.a.send(message, nodes.toB, 5));
            assertThat(get(next).length()).isEqualTo(17);
            assertThat(rooms.getLast().mismatch(message.asSlice(8))).isEqualTo(-1);
            assertThat(late.mismatch(Arena.ofAuto().allocate(17).fill((byte) 1))).isEqualTo(-1);
        }
    }

    /** One part is with the provider, the others wait. */
    private static CompletableFuture<Void> begun(Nodes nodes, RemoteRegion region, MemorySegment part, int parts,
            Duration deadline) {
        int limit = (int) nodes.a.info().tx().iovLimit();
        CompletableFuture<Void> write = nodes.a.within(deadline).write(Collections.nCopies(parts * limit, part),
                nodes.toB, region, 0);
        assertThat(nodes.toB.waiting()).isEqualTo(parts - 1);
        return write;
    }

    private static void meet(Nodes nodes) throws Exception {
        CompletableFuture<Received> got = nodes.b.receive(nodes.b.allocate(8), 1);
        CompletableFuture<Void> sent = nodes.a.send(nodes.a.allocate(8), nodes.toB, 1);
        nodes.drive(got, sent);
        get(sent);
    }

    @ParameterizedTest
    @MethodSource("idle")
    void writesThatAreGivenUp(Providers.Choice choice) throws Exception {
        try (Nodes nodes = open(choice, ONE_AT_A_TIME); FabricArena arena = nodes.a.domain().openArena()) {
            meet(nodes);
            int limit = (int) nodes.a.info().tx().iovLimit();
            MemorySegment memory = nodes.b.allocate(1000L * limit * 4);
            RemoteRegion region = region(nodes, memory);
            MemorySegment part = arena.allocate(1000).fill((byte) 7);
            CompletableFuture<Void> cancelled = begun(nodes, region, part, 4, Duration.ofSeconds(20));
            assertThat(nodes.a.released(cancelled)).isNotDone();
            assertThat(arena.tryClose()).isFalse();
            assertThat(cancelled.cancel(true)).isTrue();
            assertThat(cancelled).isCancelled();
            assertThat(cancelled.handle((done, why) -> why).join()).hasMessageContaining("write of "
                    + memory.byteSize() + " bytes in " + 4 * limit + " buffers at offset 0");
            assertThat(nodes.toB.waiting()).isZero();
            nodes.drive(nodes.a.released(cancelled));
            CompletableFuture<Void> replaced = begun(nodes, region, part, 4, Duration.ofSeconds(20));
            assertThat(replaced.complete(null)).isTrue();
            assertThat(replaced).isCompletedWithValue(null);
            nodes.drive(nodes.a.released(replaced));
            meet(nodes);
            // only the first part was ever with the provider
            assertThat(memory.asSlice(1000L * limit).mismatch(Arena.ofAuto().allocate(3000L * limit))).isEqualTo(-1);
            CompletableFuture<Void> whole = begun(nodes, region, part, 4, Duration.ofSeconds(20));
            CompletableFuture<Integer> after = nodes.a.thenApply(whole, done -> 42);
            nodes.drive(whole, after, nodes.a.released(whole));
            assertThat(get(after)).isEqualTo(42);
            assertThat(arena.tryClose(Duration.ofSeconds(10))).isTrue();
        }
    }

    /** Those that write to a peer only while that makes progress. */
    static Stream<Providers.Choice> answered() {
        return Providers.offered(Providers.RXM, Providers.TCP_RDM);
    }

    @ParameterizedTest
    @MethodSource("answered")
    void whatTheProviderHasStaysLent(Providers.Choice choice) throws Exception {
        try (Nodes nodes = open(choice, ONE_AT_A_TIME); FabricArena arena = nodes.a.domain().openArena()) {
            meet(nodes);
            int limit = (int) nodes.a.info().tx().iovLimit();
            RemoteRegion region = region(nodes, nodes.b.allocate(2 * LONG));
            CompletableFuture<Void> cancelled = begun(nodes, region, arena.allocate(LONG / limit), 2,
                    Duration.ofSeconds(20));
            assertThat(cancelled.cancel(true)).isTrue();
            assertThat(nodes.a.released(cancelled)).isNotDone();
            assertThat(arena.tryClose()).isFalse();
            nodes.drive(nodes.a.released(cancelled));
            assertThat(arena.tryClose(Duration.ofSeconds(10))).isTrue();
            meet(nodes);
        }
    }

    @ParameterizedTest
    @MethodSource("idle")
    void lateOnesAndThoseThatTheNodeHasNoRoomFor(Providers.Choice choice) throws Exception {
        try (Nodes nodes = open(choice, ONE_AT_A_TIME.withBacklog(6))) {
            meet(nodes);
            int limit = (int) nodes.a.info().tx().iovLimit();
            RemoteRegion region = region(nodes, nodes.b.allocate(8L * limit * 20));
            MemorySegment part = nodes.a.allocate(8);
            CompletableFuture<Void> tooMany = nodes.a.write(Collections.nCopies(20 * limit, part), nodes.toB, region,
                    0);
            assertThat(tooMany).isCompletedExceptionally();
            assertThat(tooMany.exceptionNow()).isInstanceOf(OverloadException.class).hasMessageContaining("write of "
                    + 160 * limit + " bytes in " + 20 * limit + " buffers");
            assertThat(nodes.toB.waiting()).isZero();
            nodes.drive(nodes.a.released(tooMany));
            // whoever waits in the program makes the progress
            CompletableFuture<Void> first = nodes.a.send(nodes.a.allocate(LONG), nodes.toB, 1);
            CompletableFuture<Void> late = nodes.a.within(Duration.ofMillis(50))
                    .read(Collections.nCopies(3 * limit, part), nodes.toB, region, 8);
            assertThatThrownBy(() -> get(late)).hasMessageContaining("FI_ETIMEDOUT").hasMessageContaining("read of "
                    + 24 * limit + " bytes in " + 3 * limit + " buffers at offset 8 from ");
            assertThat(nodes.toB.waiting()).isZero();
            assertThat(nodes.a.released(late)).isDone();
            nodes.drive(nodes.b.receive(nodes.b.allocate(LONG), 1), first);
            meet(nodes);
        }
    }

    @ParameterizedTest
    @MethodSource("idle")
    void thoseOfANodeThatIsClosed(Providers.Choice choice) throws Exception {
        try (Nodes nodes = open(choice, ONE_AT_A_TIME)) {
            meet(nodes);
            int limit = (int) nodes.a.info().tx().iovLimit();
            RemoteRegion region = region(nodes, nodes.b.allocate(8L * limit * 4));
            MemorySegment part = nodes.a.allocate(8);
            CompletableFuture<Void> write = begun(nodes, region, part, 4, Duration.ofSeconds(20));
            nodes.a.close();
            assertThatThrownBy(() -> get(write)).hasMessageContaining("FI_ECANCELED");
            assertThat(nodes.a.released(write)).isDone();
            assertThatThrownBy(() -> nodes.a.write(Collections.nCopies(4 * limit, part), nodes.toB, region, 0))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        }
    }
}
