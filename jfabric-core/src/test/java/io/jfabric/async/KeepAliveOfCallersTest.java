// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes whose callers make all progress, and make none: who is silent is noticed there, too. */
@Timeout(60)
class KeepAliveOfCallersTest {
    private static final int INTERVAL = Integer.getInteger("jfabric.test.interval", 800);
    private static final NodeOptions CALLERS = NodeOptions.DEFAULT.withCallerProgress();

    static Stream<Providers.Choice> inProcess() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    @ParameterizedTest
    @MethodSource("inProcess")
    void withLittleTimeBetweenMessages(Providers.Choice choice) throws Exception {
        noticed(choice, Duration.ofMillis(10), 4);
        noticed(choice, Duration.ofMillis(200), 100);
    }

    /** One of the peers is sound but answers nobody. */
    private static void noticed(Providers.Choice choice, Duration interval, int messages) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> { }); Node silent = Node.open(infos.first());
                Node node = Node.open(infos.first(), CALLERS);
                KeepAlive alive = KeepAlive.open(node, interval, messages)) {
            noticed(alive.watch(node.peer(silent.address())));
        }
    }

    private static void noticed(CompletableFuture<Void> ended) {
        assertThatThrownBy(() -> ended.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class);
        assertThat(((FabricException) ended.exceptionNow()).error()).isEqualTo(FabricError.EHOSTDOWN);
    }

    /** Longer than is waited for it at once. */
    @ParameterizedTest
    @MethodSource("inProcess")
    void withACallbackThatTakesLong(Providers.Choice choice) throws Exception {
        slowCallbacks(choice, 8, 30);
    }

    /** Longer than the time between two messages. */
    @ParameterizedTest
    @MethodSource("inProcess")
    @Tag("long")
    void withACallbackThatTakesLonger(Providers.Choice choice) throws Exception {
        slowCallbacks(choice, 40, 60);
    }

    /** There is one in each of the periods. */
    private static void slowCallbacks(Providers.Choice choice, int messages, int millis) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> { }); Node silent = Node.open(infos.first());
                Node talking = Node.open(infos.first()); KeepAlive _ = KeepAlive.open(talking);
                Node node = Node.open(infos.first(), CALLERS);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(INTERVAL), messages)) {
            Semaphore callbacks = new Semaphore(1);
            receive(node, node.allocate(8), callbacks, millis);
            MemorySegment message = talking.allocate(8);
            Peer toNode = talking.peer(node.address());
            Peer talks = node.peer(talking.address());
            CompletableFuture<Void> ended = alive.watch(node.peer(silent.address()));
            CompletableFuture<Void> living = alive.watch(talks);
            int sent = 0;
            // twice the interval is promised; the rest is for a machine with much to do
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * INTERVAL + 1000);
            while (!ended.isDone() && System.nanoTime() - end < 0) {
                if (callbacks.tryAcquire(1, TimeUnit.MILLISECONDS)) {
                    // all is read by now
                    Thread.sleep(2);
                    talking.send(message, toNode, 1).get(10, TimeUnit.SECONDS);
                    sent++;
                }
            }
            assertThat(ended).isDone();
            noticed(ended);
            assertThat(sent).isGreaterThan(1);
            assertThat(living).isNotDone();
        }
    }

    private static void receive(Node node, MemorySegment into, Semaphore callbacks, int millis) {
        if (node.isOpen()) {
            node.receive(into, 1).thenRun(() -> {
                receive(node, into, callbacks, millis);
                try {
                    Thread.sleep(millis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                callbacks.release();
            });
        }
    }
}
