// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.info.Capability;
import io.jfabric.testkit.NodeGroup;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Members of a group that are far behind others, or have not come at all, only keep those waiting who need them. */
@Timeout(60)
class LateMembersTest {
    private static final long SECONDS = 20;
    /** More than {@code tcp} keeps of what nobody has asked for. */
    private static final int MANY = 150;
    /** Of the keep-alive, in milliseconds. */
    private static final long INTERVAL = 700;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.TCP_RDM, Providers.RXM);
    }

    private static NodeGroup open(Providers.Choice choice, int size) {
        return NodeGroup.open(choice, size, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED),
                NodeOptions.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void ofBroadcasts(Providers.Choice choice) throws Exception {
        try (NodeGroup company = open(choice, 2)) {
            watch(company);
            Group root = company.groups.get(1);
            List<CompletableFuture<Void>> sent = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                sent.add(root.broadcast(number(company, 1, i), 1));
            }
            othersAreReached(company);
            for (int i = 0; i < MANY; i++) {
                MemorySegment received = number(company, 0, -1);
                get(company.groups.getFirst().broadcast(received, 1));
                assertThat(received.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(i);
            }
            for (CompletableFuture<Void> each : sent) {
                get(each);
            }
        }
    }

    /** Each of which sends to the one that is late. */
    @ParameterizedTest
    @MethodSource("providers")
    void ofReductionsInTwoGroups(Providers.Choice choice) throws Exception {
        try (NodeGroup company = open(choice, 3)) {
            watch(company);
            List<Group> second = company.nodes.stream()
                    .map(node -> Group.ofAddresses(node, "second", company.addresses())).toList();
            List<CompletableFuture<Void>> sent = new ArrayList<>();
            for (List<Group> groups : List.of(company.groups, second)) {
                for (int i = 0; i < MANY; i++) {
                    for (int rank = 1; rank < 3; rank++) {
                        sent.add(sum(company, groups.get(rank), i, null));
                    }
                }
            }
            othersAreReached(company);
            // not in the order of the others
            for (List<Group> groups : List.of(second, company.groups)) {
                for (int i = 0; i < MANY; i++) {
                    MemorySegment result = number(company, 0, -1);
                    get(sum(company, groups.getFirst(), i, result));
                    assertThat(result.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(3 * i + 3);
                }
            }
            for (CompletableFuture<Void> each : sent) {
                get(each);
            }
        }
    }

    private static CompletableFuture<Void> sum(NodeGroup company, Group group, int i, MemorySegment result) {
        MemorySegment own = number(company, group.rank(), i + group.rank());
        return group.reduce(own, result != null ? result : number(company, group.rank(), 0), Datatype.INT64,
                AtomicOp.SUM, 0);
    }

    private static void watch(NodeGroup company) {
        for (Node node : company.nodes) {
            KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(INTERVAL), 4);
            company.nodes.stream().filter(other -> other != node).forEach(other -> alive.watch(node.peer(
                    other.address())));
        }
    }

    /** And nobody is taken for dead meanwhile. */
    private static void othersAreReached(NodeGroup company) throws Exception {
        Thread.sleep(3 * INTERVAL);
        Node late = company.nodes.getFirst();
        for (Node other : company.nodes.subList(1, company.nodes.size())) {
            CompletableFuture<Received> received = late.receive(late.allocate(8), 7);
            get(other.send(other.allocate(8), other.peer(late.address()), 7));
            get(received);
            assertThat(late.peer(other.address()).isOpen()).isTrue();
            assertThat(other.peer(late.address()).ended()).isNotDone();
            assertThat(late.peer(other.address()).ended()).isNotDone();
        }
    }

    private static MemorySegment number(NodeGroup company, int rank, long value) {
        MemorySegment number = company.nodes.get(rank).allocate(8);
        number.set(ValueLayout.JAVA_LONG, 0, value);
        return number;
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(SECONDS, TimeUnit.SECONDS);
    }
}
