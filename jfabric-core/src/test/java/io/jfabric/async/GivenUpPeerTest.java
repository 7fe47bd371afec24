// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that was stopped, and was given up meanwhile, learns of that when it goes on. */
@Timeout(120)
class GivenUpPeerTest {
    private static final long INTERVAL = 400;

    /** A node of this process and that of a child, which may watch one another. */
    private static final class Two implements AutoCloseable {
        final ChildJvm child;
        private final Node node;
        private final KeepAlive alive;
        private final byte[] there;

        Two(String provider) {
            child = ChildJvm.of(KeepAliveChild.class, provider, Long.toString(INTERVAL)).start();
            node = KeepAliveChild.open(provider, null);
            alive = KeepAlive.open(node, Duration.ofMillis(INTERVAL), 4);
            there = ChildAddress.of(child);
        }

        CompletableFuture<Void> watchThere() {
            return alive.watch(node.peer(there));
        }

        void watchHere(String command) {
            child.tell(command + HexFormat.of().formatHex(node.address().bytes()));
        }

        /** They watch one another until the child is stopped, and that is noticed. */
        void giveUp(String command) throws Exception {
            CompletableFuture<Void> ended = watchThere();
            watchHere(command);
            child.awaitLine("heard 1"::equals);
            Thread.sleep(2 * INTERVAL);
            assertThat(child.output()).doesNotContain("ended: ");
            child.stop();
            assertThatThrownBy(() -> ended.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class);
        }

        @Override
        public void close() {
            try (child) {
                node.close();
            }
        }
    }

    /** The survivor, and it as well, begin anew by themselves, before the news has come or after. */
    @ParameterizedTest
    @Tag("long")
    @CsvSource({"shm, false", "shm, true", "tcp, false", "tcp, true"})
    void theNewBeginningIsLeftAlone(String provider, boolean both) throws Exception {
        try (Two two = new Two(provider)) {
            two.giveUp(both ? "keep watching " : "watch ");
            CompletableFuture<Void> second = two.watchThere();
            Thread.sleep(INTERVAL / 4);
            two.child.resume();
            assertThat(two.child.awaitLine(line -> line.startsWith("ended: ")))
                    .contains("it has given this process up");
            Thread.sleep(5 * INTERVAL);
            assertThat(second).isNotDone();
            assertThat(two.child.output().lines().filter(line -> line.startsWith("ended: "))).hasSize(1);
        }
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void isToldAndCanComeBack(String provider) throws Exception {
        try (Two two = new Two(provider)) {
            two.giveUp("watch ");
            two.child.resume();
            assertThat(two.child.awaitLine(line -> line.startsWith("ended: ")))
                    .contains("FI_ECONNRESET", "it has given this process up");
            // both begin anew
            CompletableFuture<Void> second = two.watchThere();
            two.watchHere("watch ");
            two.child.awaitLine("heard 2"::equals);
            Thread.sleep(3 * INTERVAL);
            assertThat(two.child.output().lines().filter(line -> line.startsWith("ended: "))).hasSize(1);
            assertThat(second).isNotDone();
        }
    }
}
