// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever waits for something else than a group's operations learns of the group's end by its future. */
@Timeout(60)
class EndedGroupTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.TCP_RDM, Providers.RXM);
    }

    private static Company open(Providers.Choice choice) {
        return Company.open(choice, 3, NodeOptions.DEFAULT.withDeadline(NodeOptions.NO_DEADLINE));
    }

    private static void hasFailed(CompletableFuture<?> ended, FabricError error, String... reasons) {
        assertThatThrownBy(() -> ended.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .cause().isInstanceOfSatisfying(FabricException.class, e -> assertThat(e.error()).isEqualTo(error))
                .hasMessageStartingWith("group: ").hasMessageContainingAll(reasons);
    }

    /** The message that it waits for will never come from a member that lives. */
    @ParameterizedTest
    @MethodSource("providers")
    void byAMemberThatGivesUp(Providers.Choice choice) throws Exception {
        try (Company company = open(choice)) {
            MemorySegment room = company.nodes.get(2).allocate(8);
            CompletableFuture<Received> message = company.nodes.get(2).receive(room, 7);
            CompletableFuture<?> either = CompletableFuture.anyOf(message, company.groups.get(2).ended());
            company.all("barrier", Group::barrier);
            assertThat(either).isNotDone();

            company.groups.get(0).abort("its disk is full").get(30, TimeUnit.SECONDS);
            for (Group group : company.groups) {
                hasFailed(group.ended(), FabricError.ECANCELED, "operation 2", "rank 0", "abort: its disk is full");
            }
            hasFailed(either, FabricError.ECANCELED, "its disk is full");
            message.cancel(false);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void byAnOperation(Providers.Choice choice) {
        try (Company company = open(choice)) {
            List<CompletableFuture<Void>> ends = company.groups.stream().map(Group::ended).toList();
            company.groups.get(1).barrier().cancel(false);
            ends.forEach(end -> hasFailed(end, FabricError.ECANCELED, "rank 1", "barrier: cancelled"));
        }
    }

    /** While nothing is under way; the view with a deadline is the same group, one of others is not. */
    @ParameterizedTest
    @MethodSource("providers")
    void byTheEndOfAMember(Providers.Choice choice) {
        try (Company company = open(choice)) {
            Group all = company.groups.get(0);
            try (Group left = all.subgroup("left", 0, 1)) {
                all.members().get(2).close();
                hasFailed(all.ended(), FabricError.ECANCELED, "rank 2 is gone");
                assertThat(all.within(NodeOptions.NO_DEADLINE).ended()).isSameAs(all.ended());
                assertThat(left.ended()).isNotDone();
                all.members().get(1).close();
                hasFailed(left.ended(), FabricError.ECANCELED, "rank 1 is gone");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void byClosing(Providers.Choice choice) throws Exception {
        try (Company company = open(choice)) {
            company.groups.get(0).close();
            company.groups.get(0).ended().get(30, TimeUnit.SECONDS);

            // the others are told, here it is no failure
            Group second = company.groups.get(1);
            CompletableFuture<Void> underWay = second.barrier();
            CompletableFuture<Boolean> waits = second.ended().handle((done, why) -> underWay.handle((d, w) -> true)
                    .join());
            second.close();
            second.ended().get(30, TimeUnit.SECONDS);
            assertThat(waits.get(30, TimeUnit.SECONDS)).isTrue();
            hasFailed(company.groups.get(2).ended(), FabricError.ECANCELED, "rank 1", "the group was closed");
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void withItsNode(Providers.Choice choice) throws Exception {
        try (Company company = open(choice)) {
            CompletableFuture<Void> ended = company.groups.get(0).ended();
            company.nodes.get(0).close();
            ended.get(30, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void isEverybodysFuture(Providers.Choice choice) {
        try (Company company = open(choice)) {
            CompletableFuture<Void> ended = company.groups.get(0).ended();
            assertThat(ended.complete(null)).isFalse();
            assertThat(ended.cancel(true)).isFalse();
            assertThatThrownBy(() -> ended.obtrudeValue(null)).isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Group.ended");
            assertThat(ended).isNotDone().isSameAs(company.groups.get(0).ended());
            assertThat(ended.copy().complete(null)).isTrue();
        }
    }
}
