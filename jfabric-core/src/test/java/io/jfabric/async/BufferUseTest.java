// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.MemoryRegion;
import io.jfabric.RemoteRegion;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link BufferPool#use}: every buffer comes back, and every future ends. */
@Timeout(60)
class BufferUseTest {
    private static final int SIZE = 4096;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static void awaitAllBack(BufferPool pool) {
        Waits.until("all buffers are back", () -> pool.taken() == 0);
    }

    /** So many pieces, each full of its number. */
    private static RemoteRegion pieces(Node owner, int count) {
        MemorySegment memory = owner.allocate((long) count * SIZE);
        for (int i = 0; i < count * SIZE / 4; i++) {
            memory.setAtIndex(ValueLayout.JAVA_INT, i, i * 4 / SIZE);
        }
        MemoryRegion region = owner.register(memory, MemoryAccess.REMOTE_READ);
        return RemoteRegion.of(region.remote().toBytes());
    }

    private static boolean isFullOf(MemorySegment buffer, int number) {
        boolean right = true;
        for (int i = 0; i < SIZE / 4; i++) {
            right &= buffer.getAtIndex(ValueLayout.JAVA_INT, i) == number;
        }
        return right;
    }

    @ParameterizedTest
    @MethodSource("providers")
    void readsHundredsWithFourBuffers(Providers.Choice choice) throws Exception {
        int count = 500;
        try (Nodes nodes = Nodes.open(choice);
                BufferPool pool = BufferPool.open(nodes.a.domain(), SIZE, 4)) {
            RemoteRegion region = pieces(nodes.b, count);
            AtomicInteger underWay = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            List<CompletableFuture<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int piece = i;
                all.add(pool.use(buffer -> {
                    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                    return nodes.a.read(buffer, nodes.toB, region, (long) piece * SIZE);
                }, (buffer, done) -> {
                    underWay.decrementAndGet();
                    return isFullOf(buffer, piece);
                }));
            }
            for (CompletableFuture<Boolean> one : all) {
                assertThat(soon(one)).isTrue();
            }
            assertThat(most).hasValueBetween(2, 4);
            // not only soon
            assertThat(pool.taken()).isZero();
        }
    }

    /** What follows on a use may wait for another, with the only buffer, also in the thread that makes progress. */
    @ParameterizedTest
    @MethodSource("providers")
    void theBufferIsBackBeforeTheFutureSucceeds(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                BufferPool pool = BufferPool.open(nodes.a.domain(), SIZE, 1)) {
            RemoteRegion region = pieces(nodes.b, 3);
            AtomicReference<CompletableFuture<Boolean>> queued = new AtomicReference<>();
            PooledBuffer only = pool.tryTake().orElseThrow();
            CompletableFuture<Boolean> first = pool.use(buffer -> nodes.a.read(buffer, nodes.toB, region, 0),
                    (buffer, done) -> isFullOf(buffer, 0));
            CompletableFuture<Boolean> both = first.thenApply(right -> queued.get().join() && right);
            queued.set(pool.use(buffer -> nodes.a.read(buffer, nodes.toB, region, SIZE),
                    (buffer, done) -> isFullOf(buffer, 1)));
            only.close();
            assertThat(Nodes.doneByItself(both)).isCompletedWithValue(true);
        }
    }

    /** A send makes nothing of its buffer. */
    @ParameterizedTest
    @MethodSource("providers")
    void withoutASecondFunction(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                BufferPool pool = BufferPool.open(nodes.a.domain(), SIZE, 1);
                BufferPool rooms = BufferPool.open(nodes.b.domain(), SIZE, 2)) {
            CompletableFuture<Received> first = rooms.use(room -> nodes.b.receive(room, 7));
            CompletableFuture<Long> second = rooms.use(room -> nodes.b.receive(room, 8), (room, got) -> got.length());
            CompletableFuture<Void> sent = pool.use(buffer -> nodes.a.send(buffer, nodes.toB, 7));
            CompletableFuture<Void> inTime = pool.use(Duration.ofSeconds(20), buffer -> nodes.a.send(buffer, 0, 8,
                    nodes.toB, 8));
            assertThat(soon(first).length()).isEqualTo(SIZE);
            assertThat(soon(second)).isEqualTo(8);
            soon(sent);
            soon(inTime);
            assertThat(pool.taken() + rooms.taken()).isZero();
        }
    }

    /** Nobody else makes progress for those who wait in the queue. */
    @ParameterizedTest
    @MethodSource("providers")
    void whoWaitsMakesProgress(Providers.Choice choice) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withCallerProgress());
                BufferPool pool = BufferPool.open(nodes.a.domain(), SIZE, 1)) {
            Thread other = Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    nodes.b.progress();
                }
            });
            RemoteRegion region = pieces(nodes.b, 3);
            List<CompletableFuture<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int piece = i;
                all.add(pool.use(buffer -> nodes.a.read(buffer, nodes.toB, region, (long) piece * SIZE),
                        (buffer, done) -> isFullOf(buffer, piece)));
            }
            assertThat(soon(all.getLast())).isTrue();
            assertThat(nodes.a.await(all.getFirst(), Duration.ofSeconds(1))).isTrue();
            over.set(true);
            other.join();
        } finally {
            over.set(true);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void givesBackWhateverIsThrown(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                BufferPool pool = BufferPool.open(nodes.a.domain(), SIZE, 1)) {
            RemoteRegion region = pieces(nodes.b, 1);
            CompletableFuture<Object> refused = pool.use(buffer -> nodes.a.send(buffer, 0, 2 * SIZE, nodes.toB, 7),
                    (buffer, done) -> done);
            assertThatThrownBy(() -> soon(refused)).hasCauseInstanceOf(IndexOutOfBoundsException.class);
            assertThat(pool.taken()).isZero();
            CompletableFuture<Object> failing = pool.use(buffer -> nodes.a.read(buffer, nodes.toB, region, 0),
                    (buffer, done) -> {
                        throw new UnsupportedOperationException("not this one");
                    });
            assertThatThrownBy(() -> soon(failing)).hasCauseInstanceOf(UnsupportedOperationException.class);
            assertThat(pool.taken()).isZero();
            // as many as would fill a stack
            PooledBuffer only = pool.tryTake().orElseThrow();
            List<CompletableFuture<Object>> all = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                all.add(pool.use(buffer -> {
                    throw new UnsupportedOperationException("none");
                }, (buffer, done) -> done));
            }
            only.close();
            for (CompletableFuture<Object> one : all) {
                assertThatThrownBy(() -> soon(one)).hasCauseInstanceOf(UnsupportedOperationException.class);
            }
            awaitAllBack(pool);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void waitsNoLongerThanItMay(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                BufferPool pool = BufferPool.open(nodes.b.domain(), SIZE, 1)) {
            CompletableFuture<Long> receiving = receive(nodes.b, pool);
            AtomicBoolean begun = new AtomicBoolean();
            for (int millis : new int[] {0, 1, 50}) {
                CompletableFuture<Object> late = pool.use(Duration.ofMillis(millis), buffer -> {
                    begun.set(true);
                    return null;
                }, (buffer, done) -> done);
                assertThatThrownBy(() -> soon(late)).cause().isInstanceOf(NotHandledException.class)
                        .hasMessageContainingAll("BufferPool.use", "FI_ETIMEDOUT", "no buffer in", "1 of 1 are taken")
                        .satisfies(why -> assertThat(Caller.wasNotHandled(why)).isTrue());
                assertThat(late.isDone()).isTrue();
            }
            CompletableFuture<Received> inTime = pool.use(Duration.ofSeconds(20), buffer -> nodes.b.receive(buffer, 7),
                    (buffer, message) -> message);
            soon(nodes.a.send(nodes.a.allocate(8), nodes.toB, 7));
            assertThat(soon(receiving)).isEqualTo(8);
            soon(nodes.a.send(nodes.a.allocate(16), nodes.toB, 7));
            assertThat(soon(inTime).length()).isEqualTo(16);
            CompletableFuture<Long> atOnce = pool.use(Duration.ZERO, buffer -> nodes.b.receive(buffer, 7),
                    (buffer, message) -> message.length());
            soon(nodes.a.send(nodes.a.allocate(8), nodes.toB, 7));
            assertThat(soon(atOnce)).isEqualTo(8);
            assertThat(begun).isFalse();
            assertThatThrownBy(() -> pool.use(Duration.ofNanos(-1), buffer -> null, (buffer, done) -> done))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("the wait");
            awaitAllBack(pool);
        }
    }

    /** One of them is out of the queue then, the other takes no message. */
    @ParameterizedTest
    @MethodSource("providers")
    void canBeCancelled(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                BufferPool pool = BufferPool.open(nodes.b.domain(), SIZE, 1)) {
            CompletableFuture<Long> receiving = receive(nodes.b, pool);
            CompletableFuture<Object> queued = pool.use(buffer -> {
                throw new AssertionError("it was cancelled");
            }, (buffer, done) -> done);
            CompletableFuture<Long> late = receive(nodes.b, pool).orTimeout(1, TimeUnit.MILLISECONDS);
            CompletableFuture<Long> next = receive(nodes.b, pool);
            assertThatThrownBy(() -> soon(late)).hasCauseInstanceOf(TimeoutException.class);
            assertThat(queued.cancel(true)).isTrue();
            assertThat(receiving.cancel(true)).isTrue();
            soon(nodes.b.released(receiving));
            soon(nodes.b.released(queued));
            soon(nodes.a.send(nodes.a.allocate(8), nodes.toB, 7));
            assertThat(soon(next)).isEqualTo(8);
            assertThat(pool.taken()).isZero();
            // under way by now
            CompletableFuture<Long> timed = receive(nodes.b, pool).completeOnTimeout(42L, 1, TimeUnit.MILLISECONDS);
            assertThat(soon(timed)).isEqualTo(42);
            awaitAllBack(pool);
        }
    }

    private static CompletableFuture<Long> receive(Node node, BufferPool pool) {
        return pool.use(buffer -> node.receive(buffer, 7), (buffer, message) -> message.length());
    }

    /** Nobody knows of the operation yet. */
    @ParameterizedTest
    @MethodSource("providers")
    void canBeCancelledWhileTheOperationBegins(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                BufferPool pool = BufferPool.open(nodes.b.domain(), SIZE, 1)) {
            PooledBuffer only = pool.tryTake().orElseThrow();
            AtomicReference<CompletableFuture<Long>> itself = new AtomicReference<>();
            AtomicBoolean cancelled = new AtomicBoolean(true);
            itself.set(pool.use(buffer -> {
                cancelled.set(itself.get().cancel(true));
                return nodes.b.receive(buffer, 7);
            }, (buffer, message) -> message.length()));
            only.close();
            assertThat(cancelled).isFalse();
            soon(nodes.b.released(itself.get()));
            assertThat(itself.get()).isCancelled();
            awaitAllBack(pool);
            CompletableFuture<Long> next = receive(nodes.b, pool);
            soon(nodes.a.send(nodes.a.allocate(8), nodes.toB, 7));
            assertThat(soon(next)).isEqualTo(8);
        }
    }

    /** Many are cancelled while buffers come and go: none is lost, and each future ends. */
    @ParameterizedTest
    @MethodSource("providers")
    void losesNothingWhereAllIsCancelled(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                BufferPool pool = BufferPool.open(nodes.a.domain(), SIZE, 4)) {
            RemoteRegion region = pieces(nodes.b, 1);
            List<CompletableFuture<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                all.add(pool.use(buffer -> nodes.a.read(buffer, nodes.toB, region, 0),
                        (buffer, done) -> isFullOf(buffer, 0)));
                if (i % 3 == 0) {
                    all.get(i / 2).cancel(true);
                }
            }
            int right = 0;
            for (CompletableFuture<Boolean> one : all) {
                right += soon(one.exceptionally(why -> one.isCancelled())) ? 1 : 0;
            }
            assertThat(right).isEqualTo(2000);
            awaitAllBack(pool);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void endsWithTheNode(Providers.Choice choice) throws Exception {
        List<CompletableFuture<Long>> all = new ArrayList<>();
        BufferPool pool;
        try (Nodes nodes = Nodes.open(choice)) {
            pool = BufferPool.open(nodes.b.domain(), SIZE, 2);
            for (int i = 0; i < 100; i++) {
                all.add(receive(nodes.b, pool));
            }
            assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("2 of 2 are taken");
        }
        for (CompletableFuture<Long> one : all) {
            assertThatThrownBy(() -> soon(one)).isInstanceOf(ExecutionException.class);
        }
        assertThat(pool.isOpen()).isFalse();
        awaitAllBack(pool);
        assertThatThrownBy(() -> receive(null, pool)).isInstanceOf(IllegalStateException.class);
    }

    /** Nobody knows when the memory is free. */
    @ParameterizedTest
    @MethodSource("providers")
    void keepsABufferThatMayBeInUse(Providers.Choice choice) throws Exception {
        BufferPool pool;
        try (Nodes nodes = Nodes.open(choice)) {
            pool = BufferPool.open(nodes.b.domain(), SIZE, 2);
            CompletableFuture<Received> derived = pool.use(buffer -> nodes.b.receive(buffer, 7).thenApply(it -> it),
                    (buffer, message) -> message);
            assertThatThrownBy(() -> soon(derived)).cause().isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("derived", "the buffer stays taken", "1 of 2 are taken");
            assertThat(pool.taken()).isEqualTo(1);
        }
        assertThat(pool.isOpen()).isFalse();
    }

    /** A pool of one buffer has it again each time. */
    @ParameterizedTest
    @MethodSource("providers")
    void givesBackWhatNoOperationOfItsNodeUses(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice);
                BufferPool pool = BufferPool.open(nodes.a.domain(), SIZE, 1)) {
            for (int i = 0; i < 3; i++) {
                CompletableFuture<Object> none = pool.use(Duration.ofSeconds(20), buffer -> null,
                        (buffer, done) -> done);
                assertThatThrownBy(() -> soon(none)).cause().isInstanceOf(NullPointerException.class)
                        .hasMessageContaining("the operation's future is null");
                assertThat(pool.taken()).isZero();
            }
            CompletableFuture<Received> elsewhere = pool.use(buffer -> nodes.b.receive(buffer, 7),
                    (buffer, message) -> message);
            assertThatThrownBy(() -> soon(elsewhere)).cause().isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not the future of an operation of this node");
            assertThat(pool.taken()).isEqualTo(1);
            soon(nodes.a.send(nodes.a.allocate(8), nodes.toB, 7));
            awaitAllBack(pool);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void takesAnswersOfCalls(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice); Service _ = Service.open(nodes.b, 5, CallHandler.of(bytes -> bytes));
                Caller caller = Caller.open(nodes.toB, 5);
                BufferPool pool = BufferPool.open(nodes.a.domain(), SIZE, 2)) {
            List<CompletableFuture<Long>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                MemorySegment request = nodes.a.allocate(8);
                request.set(ValueLayout.JAVA_LONG, 0, i);
                all.add(pool.use(buffer -> caller.call(request, buffer),
                        (buffer, answer) -> answer.get(ValueLayout.JAVA_LONG, 0)));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(soon(all.get(i))).isEqualTo(i);
            }
            assertThat(pool.taken()).isZero();
        }
    }

    /** As futures of the node are completed there. */
    @ParameterizedTest
    @MethodSource("providers")
    void callsTheFunctionInTheExecutor(Providers.Choice choice) throws Exception {
        try (ExecutorService one = Executors.newSingleThreadExecutor(Thread.ofPlatform().name("ours").factory());
                Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withExecutor(one));
                BufferPool pool = BufferPool.open(nodes.b.domain(), SIZE, 1)) {
            List<CompletableFuture<String>> all = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                all.add(pool.use(buffer -> nodes.b.receive(buffer, 7),
                        (buffer, message) -> Thread.currentThread().getName()));
            }
            for (CompletableFuture<String> each : all) {
                nodes.a.send(nodes.a.allocate(8), nodes.toB, 7);
                assertThat(Nodes.doneByItself(each)).isCompletedWithValue("ours");
            }
        }
    }

    @Test
    void needsANode() {
        try (Pair pair = Pair.open(Providers.SHM); BufferPool pool = BufferPool.open(pair.domain, 64, 1)) {
            assertThatThrownBy(() -> pool.use(buffer -> null, (buffer, done) -> done))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("not that of a node");
            assertThatThrownBy(() -> pool.use(null, (buffer, done) -> done)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> pool.use(buffer -> null, null)).isInstanceOf(NullPointerException.class);
        }
    }
}
