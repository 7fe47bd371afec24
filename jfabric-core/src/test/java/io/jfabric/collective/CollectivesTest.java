// SPDX-License-Identifier: Apache-2.0
package io.jfabric.collective;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricEvent;
import io.jfabric.FabricException;
import io.jfabric.info.Flags;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Collectives among three endpoints of one process, on tcp;ofi_rxm: the only provider here that has them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CollectivesTest {
    private static final int SIZE = 3;

    private final List<Member> members = new ArrayList<>();
    private final Arena arena = Arena.ofConfined();
    private long context = 100;

    @BeforeAll
    void join() {
        Providers.RXM.assumeOffered();
        for (int i = 0; i < SIZE; i++) {
            members.add(new Member(Providers.RXM));
        }
        Member.meetAll(members);
        for (Member member : members) {
            member.group = Collectives.of(member.endpoint).join(member.set(0, SIZE - 1, 1), 7);
            assertThat(member.group.size()).isEqualTo(SIZE);
        }
        CollectiveGroup early = members.getFirst().group;
        assertThatThrownBy(() -> Collectives.of(members.getFirst().endpoint).barrier(early, 1))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("not joined");
        assertThatThrownBy(early::close).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("JoinComplete");
        Member.until(members, "join", () -> members.stream().allMatch(m -> m.group.isJoined()));
        for (Member member : members) {
            assertThat(member.seen).singleElement().isEqualTo(new FabricEvent.JoinComplete(member.group, 7));
        }
        assertThat(members.stream().map(m -> m.group.rank())).containsExactly(0, 1, 2);
    }

    @AfterAll
    void close() {
        members.forEach(Member::close);
        arena.close();
    }

    /** What each member starts. */
    private interface Start {
        boolean start(Member member, Collectives collectives, long context);
    }

    private void all(String what, Start start) {
        long c = context++;
        for (Member member : members) {
            Member.until(members, what + " starts", () -> start.start(member, Collectives.of(member.endpoint), c));
        }
        for (Member member : members) {
            Member.until(members, what, () -> member.has(c));
        }
    }

    private MemorySegment longs(long... values) {
        return arena.allocateFrom(JAVA_LONG, values);
    }

    private static int rank(Member member) {
        return member.group.rank();
    }

    @Test
    void barrier() {
        all("barrier", (m, c, context) -> c.barrier(m.group, context));
        all("barrier2", (m, c, context) -> c.barrier(m.group, Flags.ofBits(OperationFlag.class, 0), context));
    }

    @Test
    void barrierIsNotOverBeforeTheLastMemberCame() {
        long c = context++;
        Collectives.of(members.get(0).endpoint).barrier(members.get(0).group, c);
        Collectives.of(members.get(1).endpoint).barrier(members.get(1).group, c);
        for (int i = 0; i < 2000; i++) {
            members.forEach(Member::progress);
        }
        assertThat(members.stream().anyMatch(m -> m.done.contains(c))).isFalse();
        Collectives.of(members.get(2).endpoint).barrier(members.get(2).group, c);
        members.forEach(m -> Member.until(members, "barrier", () -> m.has(c)));
    }

    @Test
    void barrierWithFlagsWhereTheProviderHasIt() {
        Flags<OperationFlag> flags = Flags.of(OperationFlag.COMPLETION);
        if (Fabric.version().atLeast(new Version(1, 18))) {
            all("barrier2", (m, c, context) -> c.barrier(m.group, flags, context));
            return;
        }
        Member m = members.getFirst();
        assertThatThrownBy(() -> Collectives.of(m.endpoint).barrier(m.group, flags, 1))
                .isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.errno()).isEqualTo(38));
    }

    /** libfabric 2 crashed when the barrier was complete. */
    @Test
    void barrierRefusesTheFlagOfCallsBetweenProviders() {
        Member m = members.getFirst();
        Flags<OperationFlag> flags = Flags.of(OperationFlag.PEER_TRANSFER, OperationFlag.DELIVERY_COMPLETE);
        assertThatThrownBy(() -> Collectives.of(m.endpoint).barrier(m.group, flags, 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("FI_PEER_TRANSFER");
    }

    @Test
    void allReduceCombinesTheNumbersOfAll() {
        MemorySegment[] results = {longs(0, 0), longs(0, 0), longs(0, 0)};
        all("sum", (m, c, context) -> c.allReduce(m.group, longs(rank(m) + 1, 10L * rank(m)), results[rank(m)],
                Datatype.INT64, AtomicOp.SUM, context));
        for (MemorySegment result : results) {
            assertThat(result.toArray(JAVA_LONG)).containsExactly(6, 30);
        }
        all("max", (m, c, context) -> c.allReduce(m.group, longs(-rank(m), rank(m)), results[rank(m)],
                Datatype.INT64, AtomicOp.MAX, context));
        assertThat(results[1].toArray(JAVA_LONG)).containsExactly(0, 2);
    }

    @Test
    void allReduceOfDoublesByAndIsRefused() {
        Member m = members.getFirst();
        MemorySegment eight = arena.allocate(8);
        assertThatThrownBy(() -> Collectives.of(m.endpoint).allReduce(m.group, eight, eight, Datatype.DOUBLE,
                AtomicOp.BAND, 1)).isInstanceOfSatisfying(FabricException.class, e ->
                assertThat(e.error()).isEqualTo(FabricError.ENOSYS)).hasMessageContaining("DOUBLE");
        assertThatThrownBy(() -> Collectives.of(m.endpoint).allReduce(m.group, eight, eight, Datatype.INT64,
                AtomicOp.CSWAP, 1)).isInstanceOf(FabricException.class);
    }

    /** Reductions are atomics on the result, and those of 16 bytes crash at other places. */
    @Test
    void aResultOutOfPlaceIsRefused() {
        Member m = members.getFirst();
        Collectives c = Collectives.of(m.endpoint);
        MemorySegment buffer = arena.allocate(48, 16);
        MemorySegment result = arena.allocate(64, 16).asSlice(8, 48);
        for (Runnable call : List.<Runnable>of(
                () -> c.allReduce(m.group, buffer, result, Datatype.INT128, AtomicOp.SUM, 1),
                () -> c.reduce(m.group, buffer, result, 0, Datatype.INT128, AtomicOp.SUM, 1),
                () -> c.reduceScatter(m.group, buffer, result, Datatype.INT128, AtomicOp.SUM, 1))) {
            assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("INT128 must be at multiples of 16 bytes");
        }
    }

    @Test
    void allGatherCollectsInTheOrderOfTheSet() {
        MemorySegment[] results = {arena.allocate(24), arena.allocate(24), arena.allocate(24)};
        all("allgather", (m, c, context) -> c.allGather(m.group, arena.allocateFrom(JAVA_INT, rank(m), -rank(m)),
                results[rank(m)], Datatype.INT32, context));
        for (MemorySegment result : results) {
            assertThat(result.toArray(JAVA_INT)).containsExactly(0, 0, 1, -1, 2, -2);
        }
    }

    @Test
    void scatterGivesEachItsPart() {
        for (int root = 0; root < SIZE; root++) {
            int from = root;
            MemorySegment[] results = {longs(0), longs(0), longs(0)};
            MemorySegment data = longs(10, 11, 12);
            all("scatter from " + root, (m, c, context) -> c.scatter(m.group, rank(m) == from ? data : null,
                    results[rank(m)], from, Datatype.INT64, context));
            for (int i = 0; i < SIZE; i++) {
                assertThat(results[i].get(JAVA_LONG, 0)).isEqualTo(10 + i);
            }
        }
    }

    @Test
    void broadcastReachesAll() {
        MemorySegment[] buffers = {longs(1, 2, 3), longs(0, 0, 0), longs(0, 0, 0)};
        all("broadcast", (m, c, context) -> c.broadcast(m.group, buffers[rank(m)], 0, Datatype.INT64, context));
        for (MemorySegment buffer : buffers) {
            assertThat(buffer.toArray(JAVA_LONG)).containsExactly(1, 2, 3);
        }
    }

    @Test
    void broadcastWritesNothingBehindTheBuffer() {
        // 4 elements for 3 members: libfabric itself would write 6
        MemorySegment[] rooms = {longs(5, 6, 7, 8, -1, -1), longs(0, 0, 0, 0, -1, -1), longs(0, 0, 0, 0, -1, -1)};
        all("broadcast", (m, c, context) -> c.broadcast(m.group, rooms[rank(m)].asSlice(0, 32), 0, Datatype.INT64,
                context));
        for (MemorySegment room : rooms) {
            assertThat(room.toArray(JAVA_LONG)).containsExactly(5, 6, 7, 8, -1, -1);
        }
    }

    /** libfabric's own collectives know no size of the newer types, and moved nothing. */
    @ParameterizedTest
    @EnumSource(value = Datatype.class, mode = EnumSource.Mode.EXCLUDE, names = "VOID")
    void elementsOfEveryTypeAreMoved(Datatype type) {
        MemorySegment data = arena.allocate(3 * type.byteSize(), 16).fill((byte) 5);
        MemorySegment[] results = {data, arena.allocate(data.byteSize(), 16), arena.allocate(data.byteSize(), 16)};
        all("broadcast", (m, c, context) -> c.broadcast(m.group, results[rank(m)], 0, type, context));
        assertThat(results).allSatisfy(result -> assertThat(result.mismatch(data)).isEqualTo(-1));
        List<MemorySegment> gathered = members.stream().map(m -> arena.allocate(data.byteSize(), 16)).toList();
        all("allgather", (m, c, context) -> c.allGather(m.group, data.asSlice(0, type.byteSize()),
                gathered.get(rank(m)), type, context));
        assertThat(gathered).allSatisfy(result -> assertThat(result.mismatch(data)).isEqualTo(-1));
        List<MemorySegment> parts = members.stream().map(m -> arena.allocate(type.byteSize(), 16)).toList();
        all("scatter", (m, c, context) -> c.scatter(m.group, data, parts.get(rank(m)), 1, type, context));
        assertThat(parts).allSatisfy(part -> assertThat(part.mismatch(data.asSlice(0, type.byteSize()))).isEqualTo(-1));
    }

    /** Its part is copied back by whoever polls. */
    @Test
    void broadcastIntoMemoryOfAnotherThread() throws Exception {
        MemorySegment[] buffers = {longs(5, 6, 7, 8), longs(0, 0, 0, 0), null};
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<Boolean> started = new CompletableFuture<>();
        long c = context++;
        Thread other = Thread.ofPlatform().start(() -> {
            try (Arena own = Arena.ofConfined()) {
                buffers[2] = own.allocate(32, 8);
                Member last = members.get(2);
                started.complete(Collectives.of(last.endpoint).broadcast(last.group, buffers[2], 0, Datatype.INT64, c));
                over.await();
                started.obtrudeValue(Arrays.equals(buffers[2].toArray(JAVA_LONG), new long[] {5, 6, 7, 8}));
            } catch (InterruptedException | RuntimeException e) {
                started.obtrudeException(e);
            }
        });
        assertThat(started.get(10, TimeUnit.SECONDS)).isTrue();
        for (Member member : members.subList(0, 2)) {
            Member.until(members, "broadcast starts", () -> Collectives.of(member.endpoint).broadcast(member.group,
                    buffers[rank(member)], 0, Datatype.INT64, c));
        }
        members.forEach(member -> Member.until(members, "broadcast", () -> member.has(c)));
        over.countDown();
        other.join();
        assertThat(started.get()).as("the bytes have come").isTrue();
    }

    @Test
    void whatTheProviderLacksIsSaidSo() {
        Member m = members.getFirst();
        Collectives c = Collectives.of(m.endpoint);
        MemorySegment b = longs(1, 2, 3);
        MemorySegment r = longs(0, 0, 0, 0, 0, 0, 0, 0, 0);
        for (Runnable call : List.<Runnable>of(
                () -> c.allToAll(m.group, b, r, Datatype.INT64, 1),
                () -> c.reduceScatter(m.group, b, r, Datatype.INT64, AtomicOp.SUM, 1),
                () -> c.reduce(m.group, b, r, 0, Datatype.INT64, AtomicOp.SUM, 1),
                () -> c.gather(m.group, b, r, 0, Datatype.INT64, 1))) {
            assertThatThrownBy(call::run).isInstanceOfSatisfying(FabricException.class, e ->
                    assertThat(e.error()).isEqualTo(FabricError.ENOSYS));
        }
        for (CollectiveOperation lacks : List.of(CollectiveOperation.ALLTOALL, CollectiveOperation.REDUCE,
                CollectiveOperation.REDUCE_SCATTER, CollectiveOperation.GATHER)) {
            assertThat(Collectives.query(m.domain, lacks)).isEmpty();
        }
        for (CollectiveOperation has : List.of(CollectiveOperation.BARRIER, CollectiveOperation.BROADCAST,
                CollectiveOperation.ALLGATHER, CollectiveOperation.SCATTER)) {
            assertThat(Collectives.query(m.domain, has)).isPresent();
        }
        assertThat(Collectives.query(m.domain, CollectiveOperation.ALLREDUCE, Datatype.INT64, AtomicOp.SUM))
                .isPresent();
        assertThat(Collectives.query(m.domain, CollectiveOperation.ALLREDUCE, Datatype.INT64, AtomicOp.CSWAP))
                .isEmpty();
    }

    @Test
    void buffersOfTheWrongSizeAreRefused() {
        Member m = members.getFirst();
        Collectives c = Collectives.of(m.endpoint);
        MemorySegment eight = longs(1);
        assertThatThrownBy(() -> c.allReduce(m.group, longs(1, 2), eight, Datatype.INT64, AtomicOp.SUM, 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("fi_allreduce");
        assertThatThrownBy(() -> c.allGather(m.group, eight, eight, Datatype.INT64, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> c.broadcast(m.group, eight.asSlice(0, 5), 0, Datatype.INT64, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> c.scatter(m.group, null, eight, 0, Datatype.INT64, 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("root");
        assertThatThrownBy(() -> c.broadcast(m.group, eight, 3, Datatype.INT64, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> c.barrier(members.get(1).group, 1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another endpoint");
    }

    @Test
    void whatIsNullIsNamed() {
        Member m = members.getFirst();
        Collectives c = Collectives.of(m.endpoint);
        MemorySegment one = longs(1);
        assertThatThrownBy(() -> c.allReduce(m.group, one, one, null, AtomicOp.SUM, 1))
                .isInstanceOf(NullPointerException.class).hasMessageContaining("fi_allreduce: the datatype");
        assertThatThrownBy(() -> c.allReduce(m.group, one, one, Datatype.INT64, null, 1))
                .isInstanceOf(NullPointerException.class).hasMessageContaining("fi_allreduce: the reduction");
    }

    /** Once their product was more than there are numbers, which ArithmeticException said and no more. */
    @Test
    void absurdSizesAreRefusedWithTheirOperation() {
        Member member = members.getFirst();
        Collectives collectives = Collectives.of(member.endpoint);
        MemorySegment small = longs(0);
        MemorySegment absurd = small.reinterpret(1L << 62);
        String text = " for each of 3 members do not fit into the ";
        assertThatThrownBy(() -> collectives.allGather(member.group, absurd, small, Datatype.INT64, 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll("fi_allgather", text + "result");
        assertThatThrownBy(() -> collectives.gather(member.group, absurd, small, 0, Datatype.INT64, 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll("fi_gather", text + "result");
        assertThatThrownBy(() -> collectives.scatter(member.group, small, absurd, 0, Datatype.INT64, 1))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll("fi_scatter", text + "buffer");
    }

    /** The provider would go on asking the set how many they are. */
    @Test
    void aSetStaysAsItIsWhileAGroupIsOpen() {
        List<CollectiveGroup> groups = new ArrayList<>();
        List<AddressVectorSet> sets = new ArrayList<>();
        for (Member member : members) {
            AddressVectorSet set = member.set(0, SIZE - 1, 1);
            sets.add(set);
            groups.add(Collectives.of(member.endpoint).join(set, member.group, 9));
        }
        AddressVectorSet set = sets.getFirst();
        for (Runnable change : List.<Runnable>of(() -> set.remove(0), () -> set.insert(0),
                () -> set.union(sets.getFirst()), () -> set.intersect(set), () -> set.difference(set))) {
            assertThatThrownBy(change::run).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("make another set");
        }
        assertThat(set.members()).hasSize(SIZE);
        Member.until(members, "join", () -> groups.stream().allMatch(CollectiveGroup::isJoined));
        groups.forEach(CollectiveGroup::close);
        set.remove(0);
        assertThat(set.members()).hasSize(SIZE - 1);
    }

    @Test
    void someOfTheMembersFormAGroupOfTheirOwn() {
        List<Member> two = List.of(members.get(0), members.get(2));
        List<CollectiveGroup> groups = new ArrayList<>();
        for (Member member : two) {
            groups.add(Collectives.of(member.endpoint).join(member.set(0, 2, 2), member.group, 9));
        }
        // the join runs in the parent group, so its third member takes part by joining a group of its own
        groups.add(Collectives.of(members.get(1).endpoint).join(members.get(1).set(1, 1, 1), members.get(1).group, 9));
        Member.until(members, "join", () -> groups.stream().allMatch(CollectiveGroup::isJoined));
        assertThat(groups.stream().map(CollectiveGroup::size)).containsExactly(2, 2, 1);
        MemorySegment[] results = {longs(0), longs(0)};
        for (int i = 0; i < 2; i++) {
            Collectives.of(two.get(i).endpoint).allReduce(groups.get(i), longs(5 + i), results[i], Datatype.INT64,
                    AtomicOp.PROD, 999);
        }
        two.forEach(m -> Member.until(members, "product", () -> m.has(999)));
        assertThat(results[0].get(JAVA_LONG, 0)).isEqualTo(30);
        assertThat(results[1].get(JAVA_LONG, 0)).isEqualTo(30);
        groups.forEach(CollectiveGroup::close);
    }
}
