// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Group;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.info.Capability;
import io.jfabric.testkit.NodeGroup;
import io.jfabric.testkit.Providers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Members that have had other groups than each other, or many, hear at once of what fails. */
@Timeout(120)
class AlikeGroupsTest {
    private static final int MANY = 300;
    /** Their tags are the same. */
    private static final List<String> NAMES = AlikeTest.names();

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    private static NodeGroup open(Providers.Choice choice) {
        return NodeGroup.open(choice, 3, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED),
                NodeOptions.DEFAULT.withDeadline(NodeOptions.NO_DEADLINE));
    }

    /** Of the first and one other, at one of them. */
    private static Group two(NodeGroup nodes, String name, int other, int rank) {
        Node node = nodes.nodes.get(rank == 0 ? 0 : other);
        return Group.ofPeers(node, name, IntStream.of(0, other)
                .mapToObj(member -> node.peer(nodes.addresses().get(member))).toList(), rank);
    }

    private static void get(CompletableFuture<?> one) throws Exception {
        one.get(30, TimeUnit.SECONDS);
    }

    private static void isTold(CompletableFuture<Void> operation, String reason) {
        assertThatThrownBy(() -> get(operation)).isInstanceOf(ExecutionException.class).cause()
                .isInstanceOfSatisfying(FabricException.class,
                        e -> assertThat(e.error()).isEqualTo(FabricError.ECANCELED))
                .hasMessageContaining("operation 1 of the group has failed at rank 0: " + reason);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void thatOneHadAGroupOfTheSameTagsBefore(Providers.Choice choice) throws Exception {
        try (NodeGroup nodes = open(choice)) {
            Group before = two(nodes, NAMES.getFirst(), 1, 0);
            Group also = two(nodes, NAMES.getFirst(), 1, 1);
            get(CompletableFuture.allOf(before.barrier(), also.barrier()));
            before.close();
            CompletableFuture<Void> barrier = two(nodes, NAMES.getLast(), 2, 1).barrier();
            two(nodes, NAMES.getLast(), 2, 0).abort("its disk is full");
            isTold(barrier, "abort: its disk is full");
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void thatOneCannotMakeTheGroup(Providers.Choice choice) throws Exception {
        try (NodeGroup nodes = open(choice)) {
            Group failed = two(nodes, NAMES.getFirst(), 1, 0);
            failed.abort("its disk is full");
            failed.close();
            CompletableFuture<Void> barrier = two(nodes, NAMES.getLast(), 2, 1).barrier();
            assertThatThrownBy(() -> two(nodes, NAMES.getLast(), 2, 0)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("give the new one another name at all members");
            isTold(barrier, "the group cannot be made: ");
            get(CompletableFuture.allOf(two(nodes, "another", 2, 1).barrier(), two(nodes, "another", 2, 0).barrier()));
        }
    }

    /** One is done before the other has begun. */
    @ParameterizedTest
    @MethodSource("providers")
    void thatOneIsManyGroupsAhead(Providers.Choice choice) throws Exception {
        try (NodeGroup nodes = open(choice)) {
            for (int i = 0; i < MANY; i++) {
                Group ahead = two(nodes, "again", 1, 0);
                get(ahead.broadcast(nodes.nodes.getFirst().allocate(8), 0));
                ahead.close();
            }
            two(nodes, "again", 1, 0).abort("its disk is full");
            for (int i = 0; i < MANY; i++) {
                Group behind = two(nodes, "again", 1, 1);
                get(behind.broadcast(nodes.nodes.get(1).allocate(8), 0));
                behind.close();
            }
            isTold(two(nodes, "again", 1, 1).barrier(), "abort: its disk is full");
        }
    }
}
