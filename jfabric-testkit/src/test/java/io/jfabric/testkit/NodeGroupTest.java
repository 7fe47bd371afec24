// SPDX-License-Identifier: Apache-2.0
package io.jfabric.testkit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.async.Group;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** That the nodes of a group work together on every provider. */
class NodeGroupTest {
    @FabricTest
    void hasThreeMembersUnlessItSaysHowMany(NodeGroup group) {
        assertThat(group.nodes).hasSize(3);
        everybodyGetsTheBytesAndTheSum(group);
    }

    @FabricTest(members = 5)
    void hasAsManyAsItSays(NodeGroup group) {
        assertThat(group.groups).hasSize(5).extracting(Group::rank).containsExactly(0, 1, 2, 3, 4);
        everybodyGetsTheBytesAndTheSum(group);
    }

    private static void everybodyGetsTheBytesAndTheSum(NodeGroup group) {
        int size = group.nodes.size();
        MemorySegment sent = Bytes.pattern(group.nodes.getLast().memory(), 500, 3);
        MemorySegment[] got = new MemorySegment[size];
        MemorySegment[] sums = new MemorySegment[size];
        for (int i = 0; i < size; i++) {
            got[i] = i == size - 1 ? sent : group.nodes.get(i).allocate(500);
            sums[i] = group.nodes.get(i).allocate(8);
            sums[i].set(JAVA_LONG, 0, i + 1);
        }
        group.all(member -> member.broadcast(got[member.rank()], size - 1));
        group.all(member -> {
            MemorySegment sum = sums[member.rank()];
            return member.allReduce(sum, sum, Datatype.INT64, AtomicOp.SUM);
        });
        for (int i = 0; i < size; i++) {
            assertThat(got[i].mismatch(sent)).as("at member %d", i).isEqualTo(-1);
            assertThat(sums[i].get(JAVA_LONG, 0)).isEqualTo(size * (size + 1) / 2);
        }
    }

    @FabricTest
    void whoNeverEndsIsNamed(NodeGroup group) {
        assertThatThrownBy(() -> group.all(member -> member.rank() == 1 ? new CompletableFuture<Void>()
                : CompletableFuture.<Void>completedFuture(null), Duration.ofMillis(50)))
                .isInstanceOf(AssertionError.class)
                .hasMessage("all members are done, where ranks [1] are not: not after PT0.05S");
    }

    @Test
    void nobodyIsNoGroup() {
        assertThatIllegalArgumentException().isThrownBy(() -> NodeGroup.open(Providers.SHM, 0))
                .withMessageContaining("size 0: a group needs at least one node");
    }
}
