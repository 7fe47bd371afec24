// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whom nobody watches any more may be silent. */
class KeepAliveForgetTest {
    private static final Duration INTERVAL = Duration.ofMillis(300);

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whoIsForgottenDoesNotEnd(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice); FabricInfoList infos = choice.find(hints -> { });
                Node third = Node.open(infos.first())) {
            // closed with their nodes at the latest
            KeepAlive alive = KeepAlive.open(nodes.a, INTERVAL, 4);
            KeepAlive answers = KeepAlive.open(nodes.b);
            KeepAlive alsoAnswers = KeepAlive.open(third);
            Peer toThird = nodes.a.peer(third.address().bytes());
            CompletableFuture<Void> forgotten = alive.watch(nodes.toB);
            CompletableFuture<Void> watched = alive.watch(toThird);
            Waits.until("both have answered",
                    () -> alive.sinceLastAnswer(nodes.toB).isPresent()
                            && alive.sinceLastAnswer(toThird).isPresent());
            assertThat(alive.watched()).isEqualTo(2);
            alive.forget(nodes.toB);
            assertThat(alive.sinceLastAnswer(nodes.toB)).isEmpty();
            assertThat(alive.watched()).isEqualTo(1);
            assertThat(alive.ended()).isZero();
            // the one that is watched is silent later than the one that is not
            answers.close();
            alsoAnswers.close();
            assertThatThrownBy(() -> watched.get(30, TimeUnit.SECONDS)).cause().isInstanceOfSatisfying(
                    FabricException.class, why -> assertThat(why.error()).isEqualTo(FabricError.EHOSTDOWN));
            assertThat(alive.ended()).isEqualTo(1);
            assertThat(alive.watched()).isZero();
            assertThat(forgotten).isNotDone();
            assertThat(nodes.toB.isOpen()).isTrue();
            assertThat(alive.sinceLastAnswer(nodes.toB)).isEmpty();
            alive.forget(nodes.toB);
            alive.close();
            assertThatThrownBy(() -> alive.watch(nodes.toB)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("KeepAlive.watch").hasMessageContaining("closed");
        }
    }

    /** What the program closes is not watched any more, and has not ended by itself. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatTheProgramClosesIsNotCounted(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice)) {
            KeepAlive alive = KeepAlive.open(nodes.a, INTERVAL, 4);
            alive.watch(nodes.toB);
            nodes.toB.close();
            assertThat(alive.watched()).isZero();
            alive.watch(nodes.a.peer(nodes.b.address().bytes()));
            assertThat(alive.watched()).isEqualTo(1);
            assertThat(alive.isOpen()).isTrue();
            alive.close();
            assertThat(alive.isOpen()).isFalse();
            assertThat(alive.watched()).isZero();
            assertThat(alive.ended()).isZero();
        }
    }

    /** Watched again, it is asked again. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whoWasForgottenMayBeWatchedAgain(Providers.Choice choice) {
        try (Nodes nodes = Nodes.open(choice); KeepAlive alive = KeepAlive.open(nodes.a, INTERVAL, 4);
                KeepAlive _ = KeepAlive.open(nodes.b)) {
            for (int i = 0; i < 3; i++) {
                CompletableFuture<Void> ended = alive.watch(nodes.toB);
                Waits.until("it answers", () -> alive.sinceLastAnswer(nodes.toB).isPresent());
                alive.forget(nodes.toB);
                assertThat(alive.sinceLastAnswer(nodes.toB)).isEmpty();
                assertThat(ended).isNotDone();
            }
        }
    }

    /** Its receives would take what is for the next one, and its memory would stay until the node is closed. */
    @Test
    void nothingIsLeftOfOneThatIsClosed() {
        try (Nodes nodes = Nodes.open(Providers.SHM)) {
            int before = nodes.a.underWay();
            long arenas = arenas();
            KeepAlive alive = KeepAlive.open(nodes.a, INTERVAL, 4);
            assertThatThrownBy(() -> KeepAlive.open(nodes.a)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has one already");
            assertThat(arenas()).isEqualTo(arenas + 1);
            assertThat(nodes.a.underWay()).isGreaterThan(before);
            alive.close();
            Waits.until("nothing is left", () -> nodes.a.underWay() == before && arenas() == arenas);
        }
    }

    private static long arenas() {
        return Fabric.openObjects().stream().filter(object -> object.kind().equals("FabricArena")).count();
    }
}
