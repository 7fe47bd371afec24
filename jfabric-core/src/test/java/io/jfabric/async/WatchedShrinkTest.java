// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All watch all: one dies, another one only stands still for a while, and must not go on by itself. */
@Timeout(60)
class WatchedShrinkTest {
    private static final Duration INTERVAL = Duration.ofMillis(800);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void twoGoOn(Providers.Choice choice) {
        CountDownLatch goesOn = new CountDownLatch(1);
        try (Crew crew = Crew.open(choice, 4)) {
            List<KeepAlive> alives = crew.nodes.stream().map(node -> KeepAlive.open(node, INTERVAL, 4)).toList();
            Crew.meet(crew.groups);
            for (int i = 0; i < 4; i++) {
                alives.get(i).watch(crew.groups.get(i));
            }
            List<CompletableFuture<Void>> waiting = crew.groups.subList(0, 2).stream().map(Group::barrier).toList();
            CompletableFuture<Void> still = standStill(crew.nodes.getFirst(), crew.nodes.get(2), goesOn);
            crew.nodes.get(3).close();
            waiting.forEach(Crew::failure);
            List<CompletableFuture<Group.Shrunk>> two = List.of(crew.groups.getFirst().shrink(3, Crew.DEADLINE),
                    crew.groups.get(1).shrink(4, Crew.DEADLINE));
            // its keep-alive may still answer, from another thread: one member gives it up, and tells the other one
            crew.seesTheEnd(0, 2);
            Crew.meet(Crew.shrunk(3, two));
            assertThat(still).isNotDone();
            // with what the others sent before they gave it up it may make one group more, of which nothing comes
            CompletableFuture<Group.Shrunk> alone = crew.groups.get(2).shrink(5, Crew.DEADLINE)
                    .thenCompose(large -> large.group().shrink(5, Crew.DEADLINE));
            goesOn.countDown();
            assertThat(Crew.failure(alone, FabricError.ECONNRESET)).hasMessageContaining("given this member up")
                    .hasMessageContaining("must not go on alone");
            Crew.get(still);
        } finally {
            goesOn.countDown();
        }
    }

    /** Its thread is kept by what follows on a message. */
    private static CompletableFuture<Void> standStill(Node from, Node node, CountDownLatch until) {
        MemorySegment room = node.allocate(8);
        CompletableFuture<Void> still = node.receive(room, 1).thenRun(() -> {
            try {
                until.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Crew.get(from.send(from.allocate(8), from.peer(node.address()), 1));
        return still;
    }
}
