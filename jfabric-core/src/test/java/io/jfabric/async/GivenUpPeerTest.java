// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
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

    /** The survivor, and it as well, begin anew by themselves, before the news has come or after. */
    @ParameterizedTest
    @Tag("long")
    @CsvSource({"shm, false", "shm, true", "tcp, false", "tcp, true"})
    void theNewBeginningIsLeftAlone(String provider, boolean both) throws Exception {
        try (ChildJvm child = ChildJvm.of(KeepAliveChild.class, provider, Long.toString(INTERVAL)).start();
                Node node = KeepAliveChild.open(provider, null);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(INTERVAL), 4)) {
            String here = HexFormat.of().formatHex(node.address().bytes());
            byte[] there = HexFormat.of()
                    .parseHex(child.awaitLine(line -> line.startsWith("address ")).substring("address ".length()));
            CompletableFuture<Void> ended = alive.watch(node.peer(there));
            child.tell((both ? "keep watching " : "watch ") + here);
            child.awaitLine("heard 1"::equals);
            Thread.sleep(2 * INTERVAL);
            child.stop();
            assertThatThrownBy(() -> ended.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class);
            CompletableFuture<Void> second = alive.watch(node.peer(there));
            Thread.sleep(INTERVAL / 4);
            child.resume();
            assertThat(child.awaitLine(line -> line.startsWith("ended: "))).contains("it has given this process up");
            Thread.sleep(5 * INTERVAL);
            assertThat(second).isNotDone();
            assertThat(child.output().lines().filter(line -> line.startsWith("ended: "))).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void isToldAndCanComeBack(String provider) throws Exception {
        try (ChildJvm child = ChildJvm.of(KeepAliveChild.class, provider, Long.toString(INTERVAL)).start();
                Node node = KeepAliveChild.open(provider, null);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(INTERVAL), 4)) {
            String here = HexFormat.of().formatHex(node.address().bytes());
            byte[] there = HexFormat.of()
                    .parseHex(child.awaitLine(line -> line.startsWith("address ")).substring("address ".length()));
            CompletableFuture<Void> ended = alive.watch(node.peer(there));
            child.tell("watch " + here);
            child.awaitLine("heard 1"::equals);
            Thread.sleep(2 * INTERVAL);
            assertThat(child.output()).doesNotContain("ended: ");
            child.stop();
            assertThatThrownBy(() -> ended.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class);
            child.resume();
            assertThat(child.awaitLine(line -> line.startsWith("ended: ")))
                    .contains("FI_ECONNRESET", "it has given this process up");
            // both begin anew
            CompletableFuture<Void> second = alive.watch(node.peer(there));
            child.tell("watch " + here);
            child.awaitLine("heard 2"::equals);
            Thread.sleep(3 * INTERVAL);
            assertThat(child.output().lines().filter(line -> line.startsWith("ended: "))).hasSize(1);
            assertThat(second).isNotDone();
        }
    }
}
