// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of three one is lost, and another process comes in its place, as in Getting started. */
@Timeout(60)
class JoinedGroupTest {
    private static final long SIZE = 100_000;
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void hasTheStateOfTheOthers(Providers.Choice choice) {
        try (Crew crew = Crew.open(choice, 3);
                FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
                Node fresh = Node.open(infos.first()); KeepAlive freshAlive = KeepAlive.open(fresh, INTERVAL, 4)) {
            List<Member> members = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                members.add(new Member(crew.nodes.get(i), KeepAlive.open(crew.nodes.get(i), INTERVAL, 4), i));
            }
            crew.seeTheEnd(2, 0, 1);
            List<Group> left = Crew.shrink(0, crew.groups.subList(0, 2));
            CompletableFuture<List<byte[]>> told = new CompletableFuture<>();
            byte[] newcomer = fresh.address().bytes();
            List<CompletableFuture<Group>> begun = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                Member member = members.get(i);
                Group group = left.get(i);
                begun.add(CompletableFuture.supplyAsync(() -> member.takesIn(group, 1, newcomer, told),
                        task -> Thread.ofVirtual().start(task)));
            }
            Member last = new Member(fresh, freshAlive, 9);
            begun.add(CompletableFuture.supplyAsync(() -> last.joins(1, told.join()),
                    task -> Thread.ofVirtual().start(task)));
            members.add(last);
            List<Group> all = begun.stream().map(Crew::get).toList();
            assertThat(all).extracting(Group::rank).containsExactly(0, 1, 2);
            Crew.meet(all);
            for (Member member : members) {
                assertThat(member.state.mismatch(members.getFirst().state)).isEqualTo(-1);
                assertThat(member.state.get(ValueLayout.JAVA_BYTE, SIZE - 1)).isZero();
            }
            List<CompletableFuture<Void>> sums = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                MemorySegment one = members.get(i).node.allocate(8);
                one.set(ValueLayout.JAVA_LONG, 0, 1);
                sums.add(all.get(i).allReduce(one, members.get(i).state.asSlice(0, 8), Datatype.INT64, AtomicOp.SUM));
            }
            sums.forEach(Crew::get);
            assertThat(last.state.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(3);
        }
    }

    private static final class Member {
        private final Node node;
        private final KeepAlive alive;
        private final MemorySegment state;

        Member(Node node, KeepAlive alive, int filling) {
            this.node = node;
            this.alive = alive;
            this.state = node.allocate(SIZE).fill((byte) filling);
        }

        /** The newcomer is known to rank 0 only. */
        Group takesIn(Group group, int number, byte[] newcomer, CompletableFuture<List<byte[]>> told) {
            MemorySegment word = node.allocate(256);
            if (group.rank() == 0) {
                word.asByteBuffer().putInt(newcomer.length).put(newcomer);
            }
            group.broadcast(word, 0).join();
            byte[] address = new byte[word.asByteBuffer().getInt()];
            word.asByteBuffer().position(4).get(address);
            List<byte[]> everyone = new ArrayList<>();
            group.members().forEach(peer -> everyone.add(peer.address().bytes()));
            everyone.add(address);
            if (group.rank() == 0) {
                told.complete(everyone);
            }
            Group larger = Group.ofAddresses(node, "all " + number, everyone);
            alive.watch(larger);
            larger.broadcast(state, 0).join();
            group.close();
            return larger;
        }

        Group joins(int number, List<byte[]> everyone) {
            Group group = Group.ofAddresses(node, "all " + number, everyone);
            alive.watch(group);
            group.broadcast(state, 0).join();
            return group;
        }
    }
}
