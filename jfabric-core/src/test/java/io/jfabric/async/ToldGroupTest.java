// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testing.Meeting;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An operation that fails at a member which lives on fails at all others at once, although they have no deadline. */
@Timeout(120)
class ToldGroupTest {
    private static final int SIZE = 4;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    private static Company open(Providers.Choice choice) {
        return Company.open(choice, SIZE, NodeOptions.DEFAULT.withDeadline(NodeOptions.NO_DEADLINE));
    }

    /** The two in the middle wait for all, of whom two have not come. */
    private static List<CompletableFuture<Void>> waiting(Company company) {
        return List.of(company.groups.get(1).barrier(), company.groups.get(2).barrier());
    }

    private static void isTold(CompletableFuture<Void> barrier, FabricError error, String reason) {
        isTold("barrier", barrier, error, reason);
    }

    private static void isTold(String name, CompletableFuture<Void> operation, FabricError error, String reason) {
        assertThatThrownBy(() -> operation.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .cause().isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.error()).isEqualTo(error))
                .hasMessageStartingWith(name + ": ").hasMessageContaining(reason);
    }

    /** What all had begun is complete, if their messages are there before the word is. */
    private static void isToldInTime(Group group, String reason) throws Exception {
        group.barrier().handle((done, why) -> done).get(30, TimeUnit.SECONDS);
        assertThatThrownBy(() -> group.barrier().get(30, TimeUnit.SECONDS)).hasStackTraceContaining(reason);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void thatIsCancelled(Providers.Choice choice) throws Exception {
        try (Company company = open(choice)) {
            company.all("barrier", Group::barrier);
            List<CompletableFuture<Void>> others = waiting(company);
            company.groups.getFirst().barrier().cancel(false);
            others.forEach(barrier -> isTold(barrier, FabricError.ECANCELED,
                    "operation 2 of the group has failed at rank 0: barrier: cancelled"));
            Group last = company.groups.getLast();
            isToldInTime(last, "at rank 0: barrier: cancelled");
            isToldInTime(last, "has failed before");
        }
    }

    /** The program of a member has failed; what it has started before is done by all. */
    @ParameterizedTest
    @MethodSource("providers")
    void thatAMemberWillNotStart(Providers.Choice choice) throws Exception {
        try (Company company = open(choice)) {
            Group first = company.groups.getFirst();
            List<CompletableFuture<Void>> broadcasts = new ArrayList<>();
            for (int i = 0; i < SIZE; i++) {
                broadcasts.add(company.groups.get(i).broadcast(company.nodes.get(i).allocate(100_000), 0));
            }
            List<CompletableFuture<Void>> others = waiting(company);
            first.abort("its disk is full").get(30, TimeUnit.SECONDS);
            others.forEach(barrier -> isTold(barrier, FabricError.ECANCELED,
                    "operation 2 of the group has failed at rank 0: abort: its disk is full"));
            for (CompletableFuture<Void> broadcast : broadcasts) {
                broadcast.get(30, TimeUnit.SECONDS);
            }
            isTold(first.barrier(), FabricError.ECANCELED, "the group has failed before: its disk is full");
            first.abort("again").get(30, TimeUnit.SECONDS);
            first.close();
            first.abort("when it is closed").get(30, TimeUnit.SECONDS);
            assertThatThrownBy(() -> company.groups.get(1).abort(null)).isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("Group.abort");
        }
    }

    /** Two bytes each; the last one would be cut into halves. */
    @Test
    void thatHasALongReason() throws Exception {
        try (Company company = open(Providers.TCP_RDM)) {
            List<CompletableFuture<Void>> others = waiting(company);
            company.groups.getFirst().abort("\u00e4".repeat(300)).get(30, TimeUnit.SECONDS);
            others.forEach(barrier -> isTold(barrier, FabricError.ECANCELED, "abort: " + "\u00e4".repeat(240)));
            assertThat(others.getFirst().exceptionNow().getMessage()).doesNotContain("\ufffd");
        }
    }

    /**
     * The others are told once the future is done, although they had never heard of that member. They send it nothing,
     * which would fail, too.
     */
    @ParameterizedTest
    @MethodSource("providers")
    void thatAMemberWillNotStartWhoseNodeIsClosed(Providers.Choice choice) throws Exception {
        try (Company company = open(choice)) {
            List<CompletableFuture<Void>> others = IntStream.of(1, 2).mapToObj(rank -> company.groups.get(rank)
                    .broadcast(company.nodes.get(rank).allocate(8), SIZE - 1)).toList();
            company.groups.getFirst().abort("its disk is full").get(30, TimeUnit.SECONDS);
            company.nodes.getFirst().close();
            others.forEach(one -> isTold("broadcast", one, FabricError.ECANCELED, "abort: its disk is full"));
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void thatIsEndedByClosing(Providers.Choice choice) {
        try (Company company = open(choice)) {
            List<CompletableFuture<Void>> others = waiting(company);
            company.groups.getLast().barrier();
            company.groups.getLast().close();
            others.forEach(barrier -> isTold(barrier, FabricError.ECANCELED, "rank 3: barrier: the group was closed"));
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void functionsMayWaitForWhatEndsWithIt(Providers.Choice choice) throws Exception {
        try (Company company = open(choice)) {
            Group group = company.groups.getLast();
            CompletableFuture<Void> first = group.barrier();
            CompletableFuture<Void> second = group.barrier();
            CompletableFuture<Boolean> ofSecond = second.handle((done, why) -> first.handle((d, w) -> true).join());
            CompletableFuture<Boolean> ofFirst = first.handle((done, why) -> second.handle((d, w) -> true).join());
            CompletableFuture.runAsync(group::close).get(10, TimeUnit.SECONDS);
            assertThat(ofFirst.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(ofSecond.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void thatGetsAnotherSize(Providers.Choice choice) {
        try (Company company = open(choice)) {
            List<CompletableFuture<Void>> later = new ArrayList<>();
            for (int rank : new int[] {0, 2, 3}) {
                company.groups.get(rank).broadcast(company.nodes.get(rank).allocate(100), 0);
                later.add(company.groups.get(rank).barrier());
            }
            company.groups.get(1).broadcast(company.nodes.get(1).allocate(101), 0);
            later.forEach(barrier -> isTold(barrier, FabricError.ECANCELED,
                    "at rank 1: broadcast: rank 0 sent 100 bytes where 101 were expected"));
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void beforeTheOthersMakeTheirGroup(Providers.Choice choice) {
        try (Company company = open(choice)) {
            List<Node> nodes = company.nodes;
            Group.ofAddresses(nodes.getFirst(), "late", company.addresses()).barrier().cancel(false);
            // by then they have heard
            company.all("barrier", Group::barrier);
            nodes.stream().skip(1).forEach(node -> isTold(Group.ofAddresses(node, "late", company.addresses())
                    .barrier(), FabricError.ECANCELED, "operation 1 of the group has failed at rank 0"));
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void onlyInItsOwnGroup(Providers.Choice choice) throws Exception {
        try (Company company = open(choice)) {
            List<Group> some = Stream.of(3, 1).map(rank -> company.groups.get(rank).subgroup(3, 1)).toList();
            some.getFirst().barrier().cancel(false);
            isToldInTime(some.getLast(), "operation 1 of the group has failed at rank 0");
            company.all("barrier", Group::barrier);
        }
    }

    /** A member that is done has made the next of the name, and cannot go on; another still does its part. */
    @ParameterizedTest
    @MethodSource("providers")
    void butNotThatOfTheNameBefore(Providers.Choice choice) throws Exception {
        try (Company company = open(choice)) {
            List<Node> nodes = company.nodes.subList(0, 2);
            List<byte[]> two = company.addresses().subList(0, 2);
            Group behind = Group.ofAddresses(nodes.getFirst(), "again", two);
            Group ahead = Group.ofAddresses(nodes.getLast(), "again", two);
            CompletableFuture<Void> sent = ahead.broadcast(nodes.getLast().allocate(8), 1);
            company.await("broadcast", List.of(sent));
            ahead.close();
            Group.ofAddresses(nodes.getLast(), "again", two).abort("its disk is full").get(30, TimeUnit.SECONDS);
            // by then it has heard
            company.all("barrier", Group::barrier);
            company.await("broadcast", List.of(behind.broadcast(nodes.getFirst().allocate(8), 1)));
            behind.close();
            isTold(Group.ofAddresses(nodes.getFirst(), "again", two).barrier(), FabricError.ECANCELED,
                    "operation 1 of the group has failed at rank 1: abort: its disk is full");
        }
    }

    /** What is closed once it is done at one member may be under way at the others. */
    @ParameterizedTest
    @MethodSource("providers")
    void butNotOneThatIsClosedWhenItIsDone(Providers.Choice choice) {
        try (Company company = open(choice)) {
            for (int i = 0; i < 20; i++) {
                List<CompletableFuture<Void>> closed = new ArrayList<>();
                for (Node node : company.nodes) {
                    Group group = Group.ofAddresses(node, "again", company.addresses());
                    closed.add(CompletableFuture.allOf(group.broadcast(node.allocate(100_000), 0), group.barrier())
                            .thenRun(group::close));
                }
                company.await("barriers", closed);
            }
        }
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void inAnotherProcess(Providers.Choice choice) {
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < SIZE; i++) {
                children.add(ChildJvm.of(ToldMember.class, choice.provider(), "" + SIZE)
                        .flags("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC").start());
            }
            Meeting.of(children);
            children.stream().skip(1).forEach(child -> assertThat(child.awaitLine(line -> line.startsWith("FAILED ")))
                    .contains("barrier: FI_ECANCELED")
                    .contains(" of the group has failed at rank 0: barrier: cancelled"));
            children.forEach(child -> child.tell("end"));
            children.forEach(child -> assertThat(child.await().exitCode()).as(child.output()).isZero());
        } finally {
            children.forEach(ChildJvm::close);
        }
    }
}
