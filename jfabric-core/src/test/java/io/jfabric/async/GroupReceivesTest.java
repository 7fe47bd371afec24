// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The receives of a group that wait for another member do not keep the node's other messages from being read. */
@Timeout(60)
@Tag("long")
class GroupReceivesTest {
    private static final int LIMIT = 16;
    private static final int AHEAD = 100;
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int LETTERS = 50;
    /** More letters than there are places, and time enough to miss them. */
    private static final long SECONDS = 4;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void aMemberThatIsFarAheadIsNotTakenForDead(Providers.Choice choice) throws Exception {
        NodeOptions options = NodeOptions.DEFAULT.withTransmitLimit(LIMIT).withReceiveLimit(LIMIT).withPeerLimit(LIMIT);
        try (Company company = Company.open(choice, 2, options);
                KeepAlive watcher = KeepAlive.open(company.nodes.get(1), INTERVAL, LETTERS)) {
            // closes with its node
            KeepAlive.open(company.nodes.get(0), INTERVAL, LETTERS);
            Peer ahead = company.nodes.get(1).peer(company.nodes.get(0).address());
            CompletableFuture<Void> ended = watcher.watch(ahead);
            List<CompletableFuture<Void>> early = barriers(company.groups.get(0));
            assertThatThrownBy(() -> ended.get(SECONDS, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(early).noneMatch(CompletableFuture::isDone);
            company.await("barriers", Stream.concat(early.stream(), barriers(company.groups.get(1)).stream()).toList());
        }
    }

    private static List<CompletableFuture<Void>> barriers(Group group) {
        return IntStream.range(0, AHEAD).mapToObj(i -> group.barrier()).toList();
    }
}
