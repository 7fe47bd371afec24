// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A shrink of a group that comes to nothing, or is not waited for in the usual way: nobody waits for it forever. */
@Timeout(60)
class GivenUpShrinkTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    /** And again, once one has ended. */
    @ParameterizedTest
    @MethodSource("providers")
    void asNobodyHasEnded(Providers.Choice choice) {
        try (Crew crew = Crew.open(choice, 2)) {
            Group all = crew.groups.getFirst();
            Crew.get(crew.groups.get(1).abort("its disk is full"));
            assertThat(Crew.failure(all.barrier())).hasStackTraceContaining("its disk is full");
            assertThat(Crew.failure(all.shrink(1, Crew.SHORT), FabricError.ETIMEDOUT))
                    .hasMessageContaining("no member has ended within 0.1 s").hasMessageContaining("KeepAlive")
                    .hasStackTraceContaining("its disk is full");
            crew.seesTheEnd(0, 1);
            Crew.shrunk(1, List.of(all.shrink(1, Crew.DEADLINE)));
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void asNotAllCome(Providers.Choice choice) {
        try (Crew crew = Crew.open(choice, 4)) {
            crew.seeTheEnd(1, 0, 2, 3);
            CompletableFuture<Group.Shrunk> second = crew.groups.get(2).shrink(1, Duration.ofMillis(2500));
            assertThat(Crew.failure(crew.groups.getFirst().shrink(1, Duration.ofMillis(500)), FabricError.ETIMEDOUT))
                    .hasMessageContaining("ranks [0, 2, 3] of the group are left").hasMessageContaining("within 0.5 s")
                    .hasMessageContaining("waits for ranks [2]");
            // it has heard that the first does not wait any more
            assertThat(Crew.failure(second, FabricError.ETIMEDOUT)).hasMessageContaining("have not agreed")
                    .hasStackTraceContaining("at rank 0: shrink: FI_ETIMEDOUT");
            CompletableFuture<Group.Shrunk> last = crew.groups.get(3).shrink(1, Crew.DEADLINE);
            crew.seesTheEnd(3, 0);
            crew.seesTheEnd(3, 2);
            Crew.shrunk(1, List.of(last));
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void asItIsCancelled(Providers.Choice choice) {
        try (Crew crew = Crew.open(choice, 4)) {
            Group all = crew.groups.getFirst();
            assertThat(all.shrink(1, NodeOptions.NO_DEADLINE).cancel(true)).isTrue();
            assertThat(Crew.failure(all.shrink(1, NodeOptions.NO_DEADLINE).orTimeout(1, TimeUnit.MILLISECONDS)))
                    .isInstanceOf(TimeoutException.class);
            crew.seeTheEnd(2, 0, 1);
            CompletableFuture<Group.Shrunk> own = all.shrink(1, NodeOptions.NO_DEADLINE);
            assertThat(own.complete(null)).isTrue();
            CompletableFuture<Group.Shrunk> other = crew.groups.get(1).shrink(7, NodeOptions.NO_DEADLINE);
            // there is no second try among the same
            assertThat(Crew.failure(all.shrink(1, Crew.SHORT), FabricError.ETIMEDOUT))
                    .hasMessageContaining("no member has ended");
            assertThat(other).isNotDone();
            crew.seesTheEnd(1, 0);
            crew.seesTheEnd(1, 3);
            Crew.shrunk(7, List.of(other));
        }
    }

    /** While nobody has ended, or one of those who are left does not come. */
    @ParameterizedTest
    @MethodSource("providers")
    void asSomethingIsClosed(Providers.Choice choice) {
        for (boolean agrees : new boolean[] {false, true}) {
            try (Crew crew = Crew.open(choice, 5)) {
                if (agrees) {
                    crew.seeTheEnd(4, 0, 1, 2);
                }
                KeepAlive alive = KeepAlive.open(crew.nodes.get(1), Crew.DEADLINE, 1);
                List<CompletableFuture<Group.Shrunk>> all = crew.groups.subList(0, 3).stream()
                        .map(group -> group.shrink(1, NodeOptions.NO_DEADLINE)).toList();
                assertThat(all).noneMatch(CompletableFuture::isDone);
                crew.groups.getFirst().close();
                assertThat(Crew.failure(all.getFirst())).isInstanceOf(IllegalStateException.class)
                        .hasMessage("shrink: the group was closed");
                assertThat(all.get(1)).isNotDone();
                alive.close();
                assertThat(Crew.failure(all.get(1), FabricError.ECANCELED)).hasMessageContaining("KeepAlive");
                assertThat(all.get(2)).isNotDone();
                crew.nodes.get(2).close();
                assertThat(Crew.failure(all.get(2), FabricError.ECANCELED)).hasMessageContaining("node was closed");
            }
        }
    }

    /** By threads that make all progress. */
    @ParameterizedTest
    @MethodSource("providers")
    void notByThoseWhoWait(Providers.Choice choice) {
        try (Crew crew = Crew.open(choice, 3, NodeOptions.DEFAULT.withCallerProgress())) {
            CompletableFuture<Group.Shrunk> first = crew.groups.getFirst().shrink(1, Crew.DEADLINE);
            CompletableFuture<Group.Shrunk> joined = CompletableFuture.supplyAsync(first::join);
            crew.seeTheEnd(1, 0, 2);
            Group.Shrunk second = crew.nodes.get(2).await(crew.groups.get(2).shrink(2, Crew.DEADLINE), Crew.DEADLINE);
            assertThat(second.least()).isEqualTo(1);
            Crew.shrunk(1, List.of(joined, first));
            // nobody comes to the end of that
            assertThat(Crew.failure(second.group().shrink(1, Crew.SHORT), FabricError.ETIMEDOUT)).isNotNull();
        }
    }

    /** Where what follows on the failure is run, and the only thread there, which waits. */
    @ParameterizedTest
    @MethodSource("providers")
    void inWhatFollowsOnAFailure(Providers.Choice choice) {
        try (ExecutorService one = Executors.newSingleThreadExecutor()) {
            for (NodeOptions options : List.of(NodeOptions.DEFAULT, NodeOptions.DEFAULT.withExecutor(one))) {
                try (Crew crew = Crew.open(choice, 2, options)) {
                    Group all = crew.groups.getFirst();
                    CompletableFuture<Group.Shrunk> after = all.barrier().handle((done, why) ->
                            all.shrink(3, Crew.DEADLINE).join());
                    crew.seesTheEnd(0, 1);
                    Crew.shrunk(3, List.of(after));
                }
            }
        }
    }
}
