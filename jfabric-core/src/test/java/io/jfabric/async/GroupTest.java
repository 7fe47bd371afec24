// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.internal.combine.Combiner;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Collective operations of groups of 1 to 9 nodes against a plain reference. All sizes and combinations, some minutes:
 *
 * <pre>scripts/test -Dtest=GroupTest -Djfabric.collectives=all -Djunit.jupiter.execution.timeout.default=14m</pre>
 */
class GroupTest {
    private static final boolean ALL = "all".equals(System.getProperty("jfabric.collectives"));
    private static final int MOST = 9;
    private static final long[] BLOCKS = ALL ? new long[] {0, 1, 3, 8, 255, 256, 1000, 4095, 4097, 20_000, 70_001,
        140_000, 1_000_003} : new long[] {0, 257, 4_097, 50_001};
    /** Elements for each member, of at least a million in all. */
    private static final long[] COUNTS = ALL ? new long[] {0, 1, 2, 100, 1_023, 2_049, 33_333} : new long[] {1, 5_003};
    private static final long MILLION = 1_000_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    private static List<Integer> roots(int size, long salt) {
        return ALL ? List.copyOf(new TreeSet<>(List.of(0, size / 2, size - 1))) : List.of((int) (salt % size));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void everyOperationIsRight(Providers.Choice choice) {
        for (int size = 1; size <= MOST; size++) {
            try (Company company = Company.open(choice, size)) {
                for (long block : BLOCKS) {
                    for (int root : roots(size, block)) {
                        company.move(block, root);
                    }
                    company.exchangeOfSizes(block);
                }
                for (long count : COUNTS) {
                    for (int root : roots(size, count)) {
                        company.combine(count, root, Datatype.INT64, AtomicOp.SUM);
                    }
                }
                if (ALL) {
                    company.combine(MILLION / size + 1, 0, Datatype.INT32, AtomicOp.SUM);
                    company.combine(MILLION / size + 1, 0, Datatype.DOUBLE, AtomicOp.MIN);
                }
            }
        }
    }

    @Test
    void aMillionElementsAreRight() {
        try (Company company = Company.open(providers().findFirst().orElseThrow(), 3)) {
            company.combine(MILLION / 3 + 1, 1, Datatype.INT64, AtomicOp.MAX);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void everyTypeIsCombinedInEveryWay(Providers.Choice choice) {
        for (int size : ALL ? IntStream.rangeClosed(1, MOST).toArray() : new int[] {4, 5}) {
            try (Company company = Company.open(choice, size)) {
                for (Datatype type : Datatype.values()) {
                    for (AtomicOp op : AtomicOp.values()) {
                        if (Combiner.isDefined(type, op)) {
                            company.combine(13, size / 2, type, op);
                            if (ALL || size == 4) {
                                // longer than the loops' blocks
                                company.combine(1_031, 0, type, op);
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void whatCannotBeCombinedIsRefusedByName() {
        long defined = Stream.of(Datatype.values()).flatMap(type -> Stream.of(AtomicOp.values())
                .filter(op -> Combiner.isDefined(type, op))).count();
        // ten for integers, seven for real numbers, five for complex ones
        assertThat(defined).isEqualTo(10 * 10 + 4 * 7 + 2 * 5);
        try (Company company = Company.open(Providers.SHM, 1); Arena arena = Arena.ofConfined()) {
            Group group = company.groups.getFirst();
            MemorySegment memory = arena.allocate(64, 16);
            for (Datatype type : Datatype.values()) {
                for (AtomicOp op : AtomicOp.values()) {
                    if (!Combiner.isDefined(type, op)) {
                        assertThatThrownBy(() -> group.allReduce(memory, memory, type, op))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("allReduce").hasMessageContaining(type + " ")
                                .hasMessageContaining("by " + op);
                    }
                }
            }
            company.all("barrier", Group::barrier);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void manyAtOnceAreKeptApart(Providers.Choice choice) {
        int size = 5;
        try (Company company = Company.open(choice, size); Arena arena = Arena.ofConfined()) {
            List<Group> even = Stream.of(0, 2, 4).map(r -> company.groups.get(r).subgroup(4, 0, 2)).toList();
            assertThat(even.stream().map(Group::rank)).containsExactly(1, 2, 0);
            List<Group> other = Stream.of(0, 2, 4).map(r -> company.groups.get(r).subgroup("other", 4, 0, 2)).toList();
            List<Group> two = Stream.of(0, 1).map(r -> even.get(r).subgroup(2, 1)).toList();
            List<Group> every = new ArrayList<>(company.groups);
            every.addAll(even);
            every.addAll(other);
            every.addAll(two);
            List<CompletableFuture<Void>> futures = new ArrayList<>();
            List<MemorySegment> results = new ArrayList<>();
            List<Long> expected = new ArrayList<>();
            for (int round = 1; round <= 40; round++) {
                // not all members start theirs at the same time
                every.sort(Comparator.comparing(System::identityHashCode));
                for (Group group : every) {
                    long count = 1 + 97 * round;
                    MemorySegment numbers = arena.allocate(JAVA_LONG, count);
                    for (long i = 0; i < count; i++) {
                        numbers.setAtIndex(JAVA_LONG, i, round * 1000L + i);
                    }
                    futures.add(group.allReduce(numbers, numbers, Datatype.INT64, AtomicOp.SUM));
                    results.add(numbers.asSlice(8 * (count - 1)));
                    expected.add(group.size() * (round * 1000L + count - 1));
                }
            }
            company.await("sums", futures);
            for (int i = 0; i < results.size(); i++) {
                assertThat(results.get(i).get(JAVA_LONG, 0)).isEqualTo(expected.get(i));
            }
            every.forEach(Group::close);
        }
    }

    @Test
    void severalGroupsOfTheSameAddressesHaveNames() {
        try (Company company = Company.open(Providers.SHM, 3)) {
            List<Group> named = company.nodes.stream().map(n -> Group.ofAddresses(n, "other", company.addresses()))
                    .toList();
            assertThat(named.stream().map(Group::rank)).containsExactly(0, 1, 2);
            List<CompletableFuture<Void>> both = new ArrayList<>(company.groups.stream().map(Group::barrier).toList());
            named.reversed().forEach(group -> both.add(group.barrier()));
            company.await("barriers", both);
            assertThatThrownBy(() -> Group.ofAddresses(company.nodes.getFirst(), "other", company.addresses()))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("another name");
            assertThatThrownBy(() -> Group.ofAddresses(company.nodes.getFirst(), "mine",
                    company.addresses().subList(1, 3)))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("own address");
            assertThatThrownBy(() -> Group.ofAddresses(company.nodes.getFirst(), null, company.addresses()))
                    .isInstanceOf(NullPointerException.class).hasMessageContaining("name");
        }
    }

    @Test
    void engineThreadsRunThemWhileAllMembersWait() throws InterruptedException {
        int size = 4;
        try (Company company = Company.open(Providers.SHM, size, NodeOptions.DEFAULT);
             Arena arena = Arena.ofShared()) {
            MemorySegment[] numbers = new MemorySegment[size];
            List<Thread> threads = new ArrayList<>();
            for (Group group : company.groups) {
                MemorySegment mine = arena.allocate(JAVA_LONG, 50_000).fill((byte) 1);
                numbers[group.rank()] = mine;
                threads.add(Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < 5; i++) {
                        group.allReduce(mine, mine, Datatype.INT64, AtomicOp.SUM).join();
                        group.barrier().join();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            for (MemorySegment mine : numbers) {
                assertThat(mine.getAtIndex(JAVA_LONG, 49_999)).isEqualTo(0x0101010101010101L * 1024);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whoDoesNotComeFailsTheOthersWithinTheDeadline(Providers.Choice choice) {
        try (Company company = Company.open(choice, 3); Arena arena = Arena.ofConfined()) {
            company.all("barrier", Group::barrier);
            MemorySegment memory = arena.allocate(300_000);
            MemorySegment result = arena.allocate(300_000);
            long begin = System.nanoTime();
            List<CompletableFuture<Void>> futures = Stream.of(0, 2).map(r -> company.groups.get(r)
                    .within(Duration.ofMillis(300)).allReduce(r == 0 ? memory : result, r == 0 ? memory : result,
                    Datatype.INT8, AtomicOp.SUM)).toList();
            assertThatThrownBy(() -> company.await("allreduce", futures)).isInstanceOf(CompletionException.class)
                    .cause().isInstanceOfSatisfying(FabricException.class, e ->
                            assertThat(e.error()).isEqualTo(FabricError.ETIMEDOUT))
                    .hasMessageContaining("allReduce").hasMessageContaining("rank ");
            assertThat(System.nanoTime() - begin).isBetween(250_000_000L, 15_000_000_000L);
            assertThat(futures).allMatch(CompletableFuture::isCompletedExceptionally);
            assertThat(futures.stream().anyMatch(one -> one.exceptionNow().getMessage().contains("has no room")))
                    .isEqualTo(Quirks.of(choice.provider()).has(Quirk.RECEIVES_FILL_UP));
            Group broken = company.groups.getFirst();
            assertThatThrownBy(() -> broken.barrier().join()).cause().isInstanceOf(FabricException.class)
                    .hasMessageContaining("has failed before").hasCauseInstanceOf(FabricException.class);
            // those who are left go on
            List<Group> left = Stream.of(0, 2).map(r -> company.groups.get(r).subgroup(0, 2)).toList();
            company.await("barrier", left.stream().map(Group::barrier).toList());
            broken.close();
            assertThatThrownBy(() -> Group.ofAddresses(company.nodes.getFirst(), company.addresses()))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("another name");
        }
    }

    /** On rxm they wait for their receivers before they are sent. */
    @ParameterizedTest
    @MethodSource("providers")
    void anOperationEndsWhenSeveralOfItsMessagesAreLate(Providers.Choice choice) {
        try (Company company = Company.open(choice, 3)) {
            MemorySegment memory = company.nodes.getFirst().allocate(100_000);
            CompletableFuture<Void> broadcast = company.groups.getFirst().within(Duration.ofMillis(100))
                    .broadcast(memory, 0);
            // tcp may have taken all of it
            company.await("broadcast", List.of(broadcast.exceptionally(late -> null)));
            assertThat(choice.equals(Providers.TCP_RDM) || isLate(broadcast)).isTrue();
        }
    }

    private static boolean isLate(CompletableFuture<Void> operation) {
        return operation.isCompletedExceptionally() && operation.exceptionNow() instanceof FabricException failure
                && failure.error() == FabricError.ETIMEDOUT;
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatIsLateIsNotEndedByTheClock(Providers.Choice choice) throws Exception {
        try (Company company = Company.open(choice, 3, NodeOptions.DEFAULT)) {
            MemorySegment memory = company.nodes.getFirst().allocate(100_000);
            CompletableFuture<String> thread = new CompletableFuture<>();
            CompletableFuture<Void> broadcast = company.groups.getFirst().within(Duration.ofMillis(100))
                    .broadcast(memory, 0);
            broadcast.whenComplete((done, late) -> thread.complete(Thread.currentThread().getName()));
            assertThat(thread.get(30, TimeUnit.SECONDS)).isNotEqualTo("jfabric-clock");
            assertThat(choice.equals(Providers.TCP_RDM) || isLate(broadcast)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aNodeIsClosedWhileSeveralMessagesOfAnOperationWait(Providers.Choice choice) throws Exception {
        try (Company company = Company.open(choice, 3)) {
            Node node = company.nodes.getFirst();
            CompletableFuture<Void> broadcast = company.groups.getFirst().broadcast(node.allocate(100_000), 0);
            Group other = company.groups.getFirst().subgroup("other", 0, 1);
            CompletableFuture.runAsync(node::close).get(30, TimeUnit.SECONDS);
            assertThat(broadcast).isDone();
            assertThatThrownBy(other::barrier).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("node is closed");
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void oneMessageAtATimeIsEnough(Providers.Choice choice) {
        try (Company company = Company.open(choice, 4, NodeOptions.DEFAULT.withCallerProgress()
                .withTransmitLimit(1).withReceiveLimit(1).withPeerLimit(1))) {
            company.move(50_001, 2);
            company.combine(9_001, 1, Datatype.INT64, AtomicOp.SUM);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void whatIsCancelledOrClosedEnds(Providers.Choice choice) {
        try (Company company = Company.open(choice, 2); Arena arena = Arena.ofConfined()) {
            CompletableFuture<Void> first = company.groups.get(0).broadcast(arena.allocate(100_000), 0);
            CompletableFuture<Void> second = company.groups.get(0).broadcast(arena.allocate(100_000), 0);
            second.cancel(true);
            assertThat(second).isCancelled();
            assertThatThrownBy(() -> company.groups.get(0).barrier().join()).hasMessageContaining("has failed before");
            company.groups.get(0).close();
            assertThatThrownBy(() -> company.await("broadcast", List.of(first))).hasMessageContaining("closed");
            assertThatThrownBy(() -> company.groups.get(0).barrier()).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void membersThatGiveOtherSizesAreTold(Providers.Choice choice) {
        try (Company company = Company.open(choice, 2); Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> company.all("broadcast", g -> g.broadcast(arena.allocate(100 + g.rank()), 0)))
                    .hasMessageContaining("rank 0 sent 100 bytes where 101 were expected");
        }
        try (Company company = Company.open(choice, 2); Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> company.all("broadcast", g -> g.broadcast(arena.allocate(100 - g.rank()), 0)))
                    .hasMessageContaining("rank 0 sent more bytes than were expected");
        }
        try (Company company = Company.open(choice, 2); Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> company.all("allToAll", g -> g.allToAll(arena.allocate(10),
                    new long[] {0, g.rank() == 0 ? 10 : 0}, arena.allocate(10),
                    new long[] {g.rank() == 0 ? 0 : 9, 0})))
                    .hasMessageContaining("rank 0 sent more bytes than were expected");
        }
    }

    @Test
    void wrongArgumentsFailNothing() {
        try (Company company = Company.open(Providers.SHM, 2); Arena arena = Arena.ofConfined()) {
            Group group = company.groups.getFirst();
            MemorySegment a = arena.allocate(64, 16);
            MemorySegment b = arena.allocate(128, 16);
            for (Runnable wrong : List.<Runnable>of(
                    () -> group.broadcast(a, 2), () -> group.broadcast(a, -1),
                    () -> group.broadcast(MemorySegment.ofArray(new byte[8]), 0),
                    () -> group.allReduce(b, a, Datatype.INT8, AtomicOp.SUM),
                    () -> group.allReduce(b.asSlice(0, 64), b.asSlice(8), Datatype.INT8, AtomicOp.SUM),
                    () -> group.allReduce(a.asSlice(0, 9), b, Datatype.INT64, AtomicOp.SUM),
                    () -> group.reduceScatter(a.asSlice(0, 24), b, Datatype.INT64, AtomicOp.SUM),
                    () -> group.gather(a, a, 0), () -> group.allGather(b, a),
                    () -> group.allGather(b.asSlice(64), b), () -> group.scatter(a, b, 0),
                    () -> group.allToAll(a.asSlice(0, 7), b), () -> group.allToAll(b.asSlice(0, 64), b.asSlice(32)),
                    () -> group.allToAll(b, new long[1], a, new long[2]),
                    () -> group.allToAll(b, new long[2], a, new long[3]),
                    () -> group.allToAll(b, new long[] {0, -1}, a, new long[] {0, 1}),
                    () -> group.allToAll(b, new long[] {0, 1}, a, new long[] {Long.MAX_VALUE, 1}),
                    () -> group.allToAll(b, new long[] {1, 1}, a, new long[] {2, 1}),
                    () -> group.allToAll(a, new long[] {60, 5}, b, new long[] {60, 5}),
                    () -> group.allToAll(b, new long[] {60, 5}, a, new long[] {60, 5}),
                    () -> group.allToAll(b, new long[] {0, 64}, b.asSlice(63), new long[] {0, 64}),
                    () -> group.subgroup(1), () -> group.subgroup(0, 0), () -> group.subgroup(0, 2),
                    () -> group.within(Duration.ZERO),
                    () -> Group.ofAddresses(company.nodes.getFirst(), List.of(company.addresses().getLast())),
                    () -> Group.ofAddresses(company.nodes.getFirst(), List.of(company.addresses().getFirst(),
                            company.addresses().getLast(), company.addresses().getFirst())))) {
                assertThatThrownBy(wrong::run).isInstanceOf(IllegalArgumentException.class);
            }
            for (Runnable wrong : List.<Runnable>of(
                    () -> group.reduce(b.asSlice(0, 64), b.asSlice(8, 64), Datatype.INT8, AtomicOp.SUM, 0),
                    () -> group.allReduce(b.asSlice(0, 64), b.asSlice(63, 64), Datatype.INT8, AtomicOp.SUM),
                    () -> group.reduceScatter(b.asSlice(0, 64), b.asSlice(8, 32), Datatype.INT8, AtomicOp.SUM),
                    () -> group.gather(b.asSlice(0, 32), b.asSlice(16, 64), 0),
                    () -> group.scatter(b.asSlice(0, 64), b.asSlice(16, 32), 0))) {
                assertThatThrownBy(wrong::run).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("overlap");
            }
            MemorySegment huge = MemorySegment.ofAddress(4096).reinterpret(1L << 62);
            for (Runnable wrong : List.<Runnable>of(() -> group.gather(huge, a, 0), () -> group.allGather(huge, a),
                    () -> group.scatter(a, huge, 0))) {
                assertThatThrownBy(wrong::run).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("more than there is memory");
            }
            assertThatThrownBy(() -> group.broadcast(null, 0)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> Group.ofAddresses(company.nodes.getFirst(), company.addresses()))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("another name");
            company.all("barrier", Group::barrier);
        }
    }

    @Test
    void memoryOfAThreadsOwnIsRefusedWhereAnotherGoesOnWithIt() {
        try (Company company = Company.open(Providers.SHM, 2, NodeOptions.DEFAULT); Arena arena = Arena.ofConfined()) {
            MemorySegment confined = arena.allocate(64, 16);
            MemorySegment open = company.nodes.getFirst().allocate(64);
            Group group = company.groups.getFirst();
            for (Runnable wrong : List.<Runnable>of(() -> group.broadcast(confined, 0),
                    () -> group.reduce(confined, open, Datatype.INT8, AtomicOp.SUM, 0),
                    () -> group.reduce(open, confined, Datatype.INT8, AtomicOp.SUM, 0),
                    () -> group.gather(confined.asSlice(0, 8), open, 0),
                    () -> group.scatter(confined, open.asSlice(0, 32), 0), () -> group.allToAll(open, confined),
                    () -> group.subgroup("two", 1, 0).allGather(open.asSlice(0, 8), confined))) {
                assertThatThrownBy(wrong::run).isInstanceOf(WrongThreadException.class)
                        .hasMessageContaining("confined to one thread");
            }
            company.all("barrier", Group::barrier);
        }
    }

    @Test
    void memoryThatIsFreedUnderAnOperationFailsItByName() {
        try (Company company = Company.open(Providers.SHM, 2); Arena arena = Arena.ofConfined()) {
            // from then on small messages are copied at once
            company.all("barrier", Group::barrier);
            List<CompletableFuture<Void>> sums = new ArrayList<>();
            try (Arena early = Arena.ofShared()) {
                MemorySegment number = early.allocate(JAVA_LONG);
                sums.add(company.groups.getFirst().allReduce(number, number, Datatype.INT64, AtomicOp.SUM));
            }
            MemorySegment number = arena.allocate(JAVA_LONG);
            sums.add(company.groups.getLast().allReduce(number, number, Datatype.INT64, AtomicOp.SUM));
            assertThatThrownBy(() -> company.await("sum", sums)).cause().isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("allReduce: the memory of a buffer was freed");
        }
    }

    @Test
    void theRootOfABroadcastWritesNothing() {
        for (int size = 2; size <= 5; size++) {
            for (long bytes : new long[] {100, 200_001}) {
                try (Company company = Company.open(Providers.SHM, size); Arena arena = Arena.ofConfined()) {
                    MemorySegment data = arena.allocate(bytes).fill((byte) 7);
                    List<MemorySegment> rooms = company.groups.stream().map(g -> arena.allocate(bytes)).toList();
                    company.all("broadcast", g -> g.broadcast(g.rank() == 1 ? data.asReadOnly() : rooms.get(g.rank()),
                            1));
                    assertThat(rooms).filteredOn(room -> room != rooms.get(1))
                            .allMatch(room -> room.mismatch(data) == -1);
                }
            }
        }
    }

    @Test
    void tooManyAtOnceAreRefused() {
        try (Company company = Company.open(Providers.SHM, 2)) {
            List<CompletableFuture<Void>> futures = new ArrayList<>();
            for (int i = 0; i < Group.LIMIT; i++) {
                futures.add(company.groups.getFirst().barrier());
            }
            assertThatThrownBy(() -> company.groups.getFirst().barrier()).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("1024 operations").hasMessageContaining("barrier: wait for that");
            for (int i = 0; i < Group.LIMIT; i++) {
                futures.add(company.groups.getLast().barrier());
            }
            company.await("barriers", futures);
            company.all("barrier", Group::barrier);
        }
    }
}
