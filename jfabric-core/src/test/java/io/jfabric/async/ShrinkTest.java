// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Those who are left of a group go on in one of their own, once one of them has learned who has ended. */
@Timeout(60)
class ShrinkTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void withoutTheOneThatHasEnded(Providers.Choice choice) {
        try (Crew crew = Crew.open(choice, 4)) {
            CompletableFuture<Void> waiting = crew.groups.getFirst().barrier();
            crew.seesTheEnd(0, 1);
            assertThat(Crew.failure(waiting)).hasMessageContaining("rank 1");
            CompletableFuture<Group.Shrunk> first = crew.groups.getFirst().shrink(9, Crew.DEADLINE);
            // those who had not heard before are told
            assertThat(Crew.failure(crew.groups.get(2).barrier())).isNotNull();
            CompletableFuture<Group.Shrunk> second = crew.groups.get(2).shrink(-7, Crew.DEADLINE);
            assertThat(second).isNotDone();
            CompletableFuture<Group.Shrunk> third = crew.groups.get(3).shrink(8, Crew.DEADLINE);
            List<Group> groups = Crew.shrunk(-7, List.of(first, second, third));
            assertThat(groups).extracting(Group::rank).containsExactly(0, 1, 2);
            Crew.meet(groups);
            assertThat(Crew.failure(crew.groups.getFirst().barrier())).hasMessageContaining("has failed before")
                    .hasMessageContaining("rank 1");
            List<Peer> members = crew.groups.get(2).members();
            assertThat(groups.get(1).members()).isEqualTo(List.of(members.get(0), members.get(2), members.get(3)));
            assertThat(crew.nodes.getFirst().released(first)).isCompleted();
            assertThat(Crew.failure(crew.groups.get(1).shrink(-8, Crew.DEADLINE), FabricError.ECONNRESET))
                    .hasMessageContaining("given this member up").hasMessageContaining("must not go on alone");
        }
    }

    /** It is told to those who wait for this member in the old one. */
    @ParameterizedTest
    @MethodSource("providers")
    void ofAGroupThatHasNotFailed(Providers.Choice choice) {
        try (Crew crew = Crew.open(choice, 3)) {
            CompletableFuture<Void> waiting = crew.groups.get(2).barrier();
            crew.seesTheEnd(0, 1);
            CompletableFuture<Group.Shrunk> first = crew.groups.getFirst().shrink(2, Crew.DEADLINE);
            assertThat(Crew.failure(waiting)).hasMessageContaining("it is shrunk, as rank 1 is gone");
            Crew.meet(Crew.shrunk(1, List.of(first, crew.groups.get(2).shrink(1, Crew.DEADLINE))));
        }
    }

    /** Each waits first for one whom the other has lost. */
    @ParameterizedTest
    @MethodSource("providers")
    void whoHaveLostOneEach(Providers.Choice choice) {
        try (Crew crew = Crew.open(choice, 4)) {
            crew.seesTheEnd(0, 3);
            crew.seesTheEnd(2, 1);
            CompletableFuture<Group.Shrunk> first = crew.groups.getFirst().shrink(3, Crew.DEADLINE);
            assertThat(first).isNotDone();
            CompletableFuture<Group.Shrunk> second = crew.groups.get(2).shrink(4, Crew.DEADLINE);
            Crew.meet(Crew.shrunk(3, List.of(first, second)));
        }
    }

    /** One of them sees two more ends at once, the other one after the other. */
    @ParameterizedTest
    @MethodSource("providers")
    void whoHaveShrunkBefore(Providers.Choice choice) {
        try (Crew crew = Crew.open(choice, 5)) {
            crew.seeTheEnd(4, 0, 1, 2, 3);
            List<Group> four = Crew.shrink(0, crew.groups.subList(0, 4));
            Crew.meet(four);
            crew.seesTheEnd(0, 2);
            CompletableFuture<Group.Shrunk> first = four.getFirst().shrink(10, Crew.DEADLINE);
            crew.seesTheEnd(1, 3);
            crew.seesTheEnd(1, 2);
            CompletableFuture<Group.Shrunk> second = four.get(1).shrink(11, Crew.DEADLINE);
            crew.seesTheEnd(0, 3);
            List<Group> two = Crew.shrunk(10, List.of(first, second));
            Crew.meet(two);
            assertThat(two.getFirst().members()).isEqualTo(crew.groups.getFirst().members().subList(0, 2));
            assertThatThrownBy(four.get(1)::barrier).isInstanceOf(IllegalStateException.class);
            crew.seesTheEnd(1, 0);
            Group alone = Crew.shrunk(12, List.of(two.get(1).within(Crew.DEADLINE).shrink(12, Crew.DEADLINE)))
                    .getFirst();
            alone.barrier().join();
            assertThatThrownBy(() -> alone.shrink(0, Crew.DEADLINE)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the only member");
            Group part = alone.subgroup("part", 0);
            crew.groups.get(1).close();
            assertThatThrownBy(alone::barrier).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            part.barrier().join();
            part.close();
        }
    }

    @Test
    void whoAreAPartOfOneThatWasShrunk() {
        try (Crew crew = Crew.open(Providers.TCP_RDM, 4)) {
            crew.seeTheEnd(1, 0, 2, 3);
            List<Group> three = Crew.shrink(0, Stream.of(0, 2, 3).map(crew.groups::get).toList());
            List<Group> parts = Stream.of(three.get(2), three.getFirst()).map(group -> group.subgroup(2, 0)).toList();
            Crew.meet(parts);
            assertThat(parts.getFirst().members()).extracting(crew.groups.get(3).members()::indexOf)
                    .containsExactly(3, 0);
            crew.seesTheEnd(0, 3);
            Crew.shrunk(1, List.of(parts.get(1).shrink(1, Crew.DEADLINE))).getFirst().close();
        }
    }

    @Test
    void oneAfterTheOtherInManyGroups() {
        int size = 12;
        try (Crew crew = Crew.open(Providers.TCP_RDM, size)) {
            List<Group> left = crew.groups;
            for (int of = size - 1; of > 0; of--) {
                for (int at = 0; at < of; at++) {
                    crew.seesTheEnd(at, of);
                }
                left = Crew.shrink(of, left.subList(0, of));
                Crew.meet(left);
            }
        }
    }

    /** Each makes many groups that the other never does; nothing of these may stop what comes behind it. */
    @ParameterizedTest
    @MethodSource("providers")
    // 72 nodes take a while on a busy machine
    @Timeout(150)
    void whoSeeManyEndsInAnotherOrder(Providers.Choice choice) {
        int many = 70;
        try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
                Node one = Node.open(infos.first()); Node other = Node.open(infos.first())) {
            List<byte[]> all = new ArrayList<>(List.of(one.address().bytes(), other.address().bytes()));
            List<Node> ended = IntStream.range(0, many).mapToObj(
                    i -> Node.open(infos.first(), NodeOptions.DEFAULT.withCallerProgress())).toList();
            ended.forEach(node -> all.add(node.address().bytes()));
            Group ofOne = Group.ofAddresses(one, all);
            Group ofOther = Group.ofAddresses(other, all);
            ended.forEach(Node::close);
            CompletableFuture<Group.Shrunk> first = ofOne.shrink(7, Crew.DEADLINE);
            CompletableFuture<Group.Shrunk> second = ofOther.shrink(8, Crew.DEADLINE);
            for (int i = 0; i < many; i++) {
                one.peer(all.get(2 + i)).close();
                other.peer(all.get(1 + many - i)).close();
            }
            Crew.meet(Crew.shrunk(7, List.of(first, second)));
            CompletableFuture<Received> received = other.receive(other.allocate(8), 1);
            Crew.get(one.send(one.allocate(8), one.peer(other.address()), 1));
            assertThat(Crew.get(received).length()).isEqualTo(8);
        }
    }

    @Test
    void againAsSoonAsOneIsGivenUp() {
        try (Crew crew = Crew.open(Providers.TCP_RDM, 2)) {
            Group all = crew.groups.getFirst();
            CompletableFuture<Group.Shrunk> first = all.shrink(1, Crew.DEADLINE);
            CompletableFuture<Group.Shrunk> second = new CompletableFuture<>();
            first.whenComplete((shrunk, why) -> second.complete(all.shrink(1, Crew.DEADLINE).join()));
            crew.groups.get(1).close();
            CompletableFuture.runAsync(() -> first.cancel(false));
            Crew.failure(first);
            crew.seesTheEnd(0, 1);
            assertThat(Crew.get(second).group().size()).isEqualTo(1);
        }
    }

    @Test
    void onlyOnceAtATimeAndTheLastOnly() {
        try (Crew crew = Crew.open(Providers.TCP_RDM, 3)) {
            Group all = crew.groups.getFirst();
            CompletableFuture<Group.Shrunk> first = all.shrink(1, Crew.DEADLINE);
            isRefused(all, "is being shrunk");
            crew.seeTheEnd(2, 0, 1);
            List<Group> two = Crew.shrunk(1, List.of(first, crew.groups.get(1).shrink(1, Crew.DEADLINE)));
            isRefused(all, "was shrunk already");
            Crew.meet(two);
            assertThatThrownBy(() -> two.getFirst().shrink(1, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("shrink");
            two.getFirst().close();
            isRefused(two.getFirst(), "the group is closed");
            all.close();
            isRefused(all, "the group is closed");
            crew.nodes.get(1).close();
            isRefused(two.get(1), "node is closed");
        }
    }

    private static void isRefused(Group group, String why) {
        assertThatThrownBy(() -> group.shrink(1, Crew.DEADLINE)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shrink").hasMessageContaining(why);
    }

    @Test
    void whoAreWatched() {
        try (Crew crew = Crew.open(Providers.TCP_RDM, 3); Crew others = Crew.open(Providers.TCP_RDM, 1)) {
            KeepAlive alive = KeepAlive.open(crew.nodes.getFirst());
            assertThatThrownBy(() -> alive.watch(others.groups.getFirst())).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("KeepAlive.watch").hasMessageContaining("another node's");
            alive.watch(crew.groups.getFirst().subgroup(0));
            assertThat(alive.toString()).contains(", 0 peers");
            alive.watch(crew.groups.getFirst());
            alive.watch(crew.groups.getFirst().within(Crew.DEADLINE));
            assertThat(alive.toString()).contains(", 2 peers");
            alive.close();
            assertThatThrownBy(() -> alive.watch(crew.groups.getFirst())).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }
}
