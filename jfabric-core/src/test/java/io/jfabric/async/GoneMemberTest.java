// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.AtomicOp;
import io.jfabric.Datatype;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A member that does nothing any more, as keep-alive finds out: nobody waits for the deadline. */
@Timeout(120)
class GoneMemberTest {
    private static final Duration INTERVAL = Duration.ofMillis(800);
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    /** Two nodes, and a third that stands still. */
    private static final class Three implements AutoCloseable {
        final List<Node> nodes = new ArrayList<>();
        final List<Group> groups = new ArrayList<>();

        Three(Providers.Choice choice) {
            NodeOptions options = NodeOptions.DEFAULT.withDeadline(DEADLINE);
            try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED))) {
                nodes.add(Node.open(infos.first(), options));
                nodes.add(Node.open(infos.first(), options));
                nodes.add(Node.open(infos.first(), options.withCallerProgress()));
            }
            List<byte[]> addresses = nodes.stream().map(node -> node.address().bytes()).toList();
            nodes.forEach(node -> groups.add(Group.ofAddresses(node, addresses)));
        }

        /** The peer of the third, at another. */
        Peer third(int at) {
            return nodes.get(at).peer(nodes.get(2).address().bytes());
        }

        @Override
        public void close() {
            groups.forEach(Group::close);
            nodes.forEach(Node::close);
        }
    }

    private static void isGone(CompletableFuture<Void> operation) {
        assertThatThrownBy(() -> operation.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class)
                .hasMessageContaining("rank 2");
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void operationsUnderWay(Providers.Choice choice) {
        CompletableFuture<Void> released;
        try (Three three = new Three(choice)) {
            MemorySegment numbers = three.nodes.getFirst().allocate(1 << 20);
            Group first = three.groups.getFirst();
            CompletableFuture<Void> sum = first.allReduce(numbers, numbers, Datatype.INT64, AtomicOp.SUM);
            CompletableFuture<Void> atOther = three.groups.get(1).allReduce(three.nodes.get(1).allocate(1 << 20),
                    three.nodes.get(1).allocate(1 << 20), Datatype.INT64, AtomicOp.SUM);
            // of the first two only
            CompletableFuture<Void> others = first.subgroup(0, 1).barrier();
            for (int i = 0; i < 2; i++) {
                KeepAlive.open(three.nodes.get(i), INTERVAL, 4).watch(three.third(i));
            }
            isGone(sum);
            assertThat(((FabricException) sum.exceptionNow()).error()).isEqualTo(FabricError.EHOSTDOWN);
            isGone(atOther);
            isGone(first.barrier());
            assertThat(others).isNotDone();
            three.groups.get(1).subgroup(0, 1).barrier().join();
            others.join();
            assertThat(three.nodes.getFirst().released(others)).isCompleted();
            released = three.nodes.getFirst().released(sum);
        }
        // the third has never said that it has taken anything
        assertThat(released).isCompleted();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void operationsThatAreStartedAfterwards(Providers.Choice choice) {
        try (Three three = new Three(choice)) {
            three.third(0).close();
            isGone(three.groups.getFirst().barrier());
            three.third(1).close();
            isGone(three.groups.get(1).broadcast(three.nodes.get(1).allocate(8), 2));
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void nothingIsSentToWhoIsGone(Providers.Choice choice) {
        try (Three three = new Three(choice)) {
            three.third(1).close();
            // the first thing that this rank does is to greet the next
            isGone(three.groups.get(1).barrier());
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void anOperationThatTheProgramCompletes(Providers.Choice choice) {
        try (Three three = new Three(choice)) {
            Group first = three.groups.getFirst();
            CompletableFuture<Void> barrier = first.barrier();
            assertThat(barrier.complete(null)).isTrue();
            CompletableFuture<Void> next = first.barrier();
            assertThatThrownBy(next::join).hasMessageContaining("FI_ECANCELED")
                    .hasRootCauseInstanceOf(CancellationException.class);
            assertThat(three.nodes.getFirst().released(next)).isCompleted();
        }
    }
}
