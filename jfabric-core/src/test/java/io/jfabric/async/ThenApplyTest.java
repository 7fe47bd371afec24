// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Node#thenApply}: a future that stands for an operation, whose result it does not have. */
@Timeout(60)
class ThenApplyTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    private static void send(NodePair nodes) throws Exception {
        soon(nodes.a.send(nodes.a.allocate(8), nodes.toB, 7));
    }

    @ParameterizedTest
    @MethodSource("providers")
    void takesTheOperationWithIt(Providers.Choice choice) throws Exception {
        try (NodePair nodes = NodePair.open(choice)) {
            CompletableFuture<Received> cancelled = nodes.b.receive(nodes.b.allocate(8), 7);
            CompletableFuture<Long> length = nodes.b.thenApply(cancelled, Received::length);
            assertThat(length.cancel(true)).isTrue();
            soon(nodes.b.released(length));
            assertThat(cancelled).isDone();
            CompletableFuture<Received> late = nodes.b.receive(nodes.b.allocate(8), 7);
            CompletableFuture<Long> timed = nodes.b.thenApply(late, Received::length);
            assertThatThrownBy(() -> soon(timed.orTimeout(1, TimeUnit.MILLISECONDS)))
                    .isInstanceOf(ExecutionException.class).hasCauseInstanceOf(TimeoutException.class);
            soon(nodes.b.released(late));
            CompletableFuture<Long> waitedFor = nodes.b.thenApply(nodes.b.receive(nodes.b.allocate(8), 7),
                    Received::length);
            assertThatThrownBy(() -> nodes.b.await(waitedFor, Duration.ofMillis(1)))
                    .isInstanceOf(FabricException.class).hasMessageContaining("receive")
                    .hasMessageNotContaining("goes on");
            soon(nodes.b.released(waitedFor));
            // none of them takes it
            CompletableFuture<Received> next = nodes.b.receive(nodes.b.allocate(8), 7);
            send(nodes);
            assertThat(soon(nodes.b.thenApply(next, Received::length))).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void endsWithWhatTheProgramGives(Providers.Choice choice) throws Exception {
        try (NodePair nodes = NodePair.open(choice)) {
            MemorySegment inbox = nodes.b.allocate(8);
            CompletableFuture<Received> first = nodes.b.receive(nodes.b.allocate(8), 7);
            CompletableFuture<Long> given = nodes.b.thenApply(first, Received::length);
            assertThat(given.complete(42L)).isTrue();
            assertThat(given.complete(43L)).isFalse();
            assertThat(given.join()).isEqualTo(42);
            assertThat(first).isCancelled();
            CompletableFuture<Long> failed = nodes.b.thenApply(nodes.b.receive(nodes.b.allocate(8), 7),
                    Received::length);
            Exception why = new Exception("the program's");
            assertThat(failed.completeExceptionally(why)).isTrue();
            assertThat(failed.exceptionNow()).isSameAs(why);
            // often: the thread that ends the receive may be slower
            for (int i = 0; i < 2_000; i++) {
                CompletableFuture<Long> ofAnother = nodes.b.thenApply(nodes.b.thenApply(
                        nodes.b.receive(inbox, 7), Received::length), length -> length);
                assertThat(ofAnother.cancel(true)).isTrue();
                assertThat(ofAnother).isCancelled();
            }
            CompletableFuture<Received> next = nodes.b.receive(nodes.b.allocate(8), 7);
            send(nodes);
            assertThat(soon(next).length()).isEqualTo(8);
        }
    }

    /** It may use the memory. */
    @ParameterizedTest
    @MethodSource("providers")
    void isNotReleasedWhileTheFunctionRuns(Providers.Choice choice) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (NodePair nodes = NodePair.open(choice)) {
            CompletableFuture<Object> future = nodes.b.thenApply(nodes.b.receive(nodes.b.allocate(8), 7), message -> {
                begun.countDown();
                try {
                    return mayEnd.await(20, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            send(nodes);
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(future.cancel(true)).isTrue();
            CompletableFuture<Void> released = nodes.b.released(future);
            assertThat(released).isNotDone();
            mayEnd.countDown();
            soon(released);
        } finally {
            mayEnd.countDown();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void isReleasedForWhatFollows(Providers.Choice choice) throws Exception {
        try (NodePair nodes = NodePair.open(choice)) {
            CompletableFuture<Long> length = nodes.b.thenApply(nodes.b.receive(nodes.b.allocate(8), 7),
                    Received::length);
            CompletableFuture<Void> before = nodes.b.released(length);
            CompletableFuture<Boolean> waited = length.thenApply(it -> before.isDone()
                    && nodes.b.released(length).isDone());
            send(nodes);
            assertThat(soon(waited)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void failsAsTheOperationOrTheFunction(Providers.Choice choice) throws Exception {
        try (NodePair nodes = NodePair.open(choice)) {
            CompletableFuture<Received> late = nodes.b.within(Duration.ofMillis(5)).receive(nodes.b.allocate(8), 7);
            assertThatThrownBy(() -> soon(nodes.b.thenApply(late, Received::length)))
                    .isInstanceOf(ExecutionException.class).hasCauseInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_ETIMEDOUT");
            CompletableFuture<Received> read = nodes.b.receive(nodes.b.allocate(8), 7);
            CompletableFuture<Object> failing = nodes.b.thenApply(read, message -> {
                throw new IllegalStateException("not this one");
            });
            send(nodes);
            assertThatThrownBy(() -> soon(failing)).hasCauseInstanceOf(IllegalStateException.class);
            soon(nodes.b.released(failing));
            assertThatThrownBy(() -> nodes.b.thenApply(read.thenApply(it -> it), it -> it))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("derived");
            assertThatThrownBy(() -> nodes.a.thenApply(read, it -> it)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> nodes.a.released(failing)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
