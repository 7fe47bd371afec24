// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.jfabric.Endpoint;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.Address;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools: who has which buffer, and when there is none. */
@Timeout(60)
class BufferPoolTest {
    private static final Duration SHORT = Duration.ofMillis(50);
    private Pair pair;

    @BeforeEach
    void open() {
        pair = Pair.open(Providers.SHM);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void handsOutEachBufferOnce() {
        try (BufferPool pool = BufferPool.open(pair.domain, 1000, 3000)) {
            Set<Long> seen = new HashSet<>();
            List<PooledBuffer> taken = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                PooledBuffer buffer = pool.tryTake().orElseThrow();
                assertThat(buffer.segment().byteSize()).isEqualTo(1000);
                assertThat(buffer.segment().address() % 64).isZero();
                assertThat(seen.add(buffer.segment().address())).isTrue();
                buffer.segment().fill((byte) i);
                taken.add(buffer);
            }
            assertThat(pool.tryTake()).isEmpty();
            assertThat(pool.taken()).isEqualTo(3000);
            for (int i = 0; i < 3000; i++) {
                assertThat(taken.get(i).segment().get(ValueLayout.JAVA_BYTE, 999)).isEqualTo((byte) i);
                taken.get(i).close();
            }
            assertThat(pool.taken()).isZero();
        }
    }

    @Test
    void refusesWhatWasGivenBack() {
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 1)) {
            PooledBuffer first = pool.tryTake().orElseThrow();
            first.close();
            assertThatThrownBy(first::close).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("given back before");
            PooledBuffer second = pool.tryTake().orElseThrow();
            // somebody else has it now
            assertThatThrownBy(first::close).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(first::segment).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(first::retain).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(second::release).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("nobody");
            assertThat(pool.taken()).isEqualTo(1);
            second.close();
        }
    }

    @Test
    void keepsWhatIsRetained() {
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 1)) {
            PooledBuffer buffer = pool.tryTake().orElseThrow();
            buffer.retain();
            buffer.retain();
            buffer.close();
            assertThat(pool.tryTake()).isEmpty();
            assertThatThrownBy(pool::close).hasMessageContaining("1 of 1 are taken");
            buffer.release();
            assertThat(pool.tryTake()).isEmpty();
            buffer.release();
            assertThatThrownBy(buffer::release).isInstanceOf(IllegalStateException.class);
            pool.tryTake().orElseThrow().close();
        }
    }

    @Test
    void waitersGetThemInOrder() throws Exception {
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 1)) {
            PooledBuffer buffer = pool.take(SHORT);
            assertThatThrownBy(() -> pool.take(SHORT)).isInstanceOf(FabricException.class)
                    .hasMessageContaining("ETIMEDOUT").hasMessageContaining("1 of 1 are taken");
            CompletableFuture<PooledBuffer> a = pool.takeLater();
            CompletableFuture<PooledBuffer> b = pool.takeLater();
            CompletableFuture<PooledBuffer> c = pool.takeLater();
            assertThat(b.cancel(true)).isTrue();
            buffer.close();
            assertThat(a).isDone();
            assertThat(c).isNotDone();
            assertThat(pool.tryTake()).as("others wait").isEmpty();
            a.get().close();
            assertThat(c).isDone();
            c.get().close();
            assertThatThrownBy(b::get).isInstanceOf(CancellationException.class);
            pool.take(Duration.ZERO).close();
        }
    }

    @Test
    void endsWithItsDomain() throws Exception {
        BufferPool pool = BufferPool.open(pair.domain, 64, 1);
        PooledBuffer taken = pool.take(SHORT);
        CompletableFuture<PooledBuffer> later = pool.takeLater();
        CompletableFuture<Throwable> waits = CompletableFuture.supplyAsync(() -> {
            try {
                return new AssertionError(pool.take(Duration.ofSeconds(50)));
            } catch (IllegalStateException e) {
                return e;
            }
        });
        pair.domain.close();
        assertThatThrownBy(() -> later.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed with its domain");
        assertThat(waits.get(20, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed with its domain");
        assertThat(pool.isOpen()).isFalse();
        assertThatThrownBy(pool::tryTake).isInstanceOf(IllegalStateException.class);
        taken.close();
        assertThatThrownBy(pool::tryTake).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(pool::takeLater).isInstanceOf(IllegalStateException.class);
        pool.close();
    }

    @Test
    void anInterruptEndsTheWait() {
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 1); PooledBuffer only = pool.take(SHORT)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> pool.take(Duration.ofSeconds(30)))
                    .isInstanceOfSatisfying(FabricException.class,
                            ended -> assertThat(ended.error()).isEqualTo(FabricError.EINTR))
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(only.segment().byteSize()).isEqualTo(64);
        }
    }

    /** Each gives its buffer back to the next, in what follows on getting it. */
    @Test
    void thousandsWaitForOne() throws Exception {
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 1)) {
            PooledBuffer first = pool.take(SHORT);
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                all.add(pool.takeLater().thenAccept(PooledBuffer::close));
            }
            first.close();
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
            pool.take(Duration.ofSeconds(5)).close();
        }
    }

    @Test
    void closesTruthfully() {
        BufferPool pool = BufferPool.open(pair.domain, 64, 2);
        PooledBuffer a = pool.take(SHORT);
        PooledBuffer b = pool.take(SHORT);
        CompletableFuture<PooledBuffer> waiter = pool.takeLater();
        assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 of 2 are taken");
        assertThat(pool.isOpen()).isTrue();
        a.close();
        waiter.join().close();
        // level 1 does not retain, but the memory stays
        pair.post(() -> pair.a.endpoint.tagged().receive(b.segment(), Address.ANY, 1, 0, 1));
        MemorySegment memory = b.segment();
        b.close();
        assertThatThrownBy(pool::close).hasMessageContaining("operation");
        memory.fill((byte) 1);
        pair.a.endpoint.close();
        assertThat(pool.tryClose(Duration.ofSeconds(5))).isTrue();
        assertThat(pool.isOpen()).isFalse();
        assertThatThrownBy(pool::tryTake).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(pool::takeLater).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> memory.fill((byte) 1)).isInstanceOf(IllegalStateException.class);
        pool.close();
    }

    @Test
    void saysWhoMayUseTheMemoryUnknown() {
        BufferPool pool = BufferPool.open(pair.domain, 64, 1);
        try (Endpoint raw = pair.domain.openEndpoint(pair.info).rawContexts()) {
            assertThatThrownBy(pool::close).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(raw.toString()).hasMessageContaining("raw contexts: close it first");
        }
        pool.close();
    }

    @Test
    void closingWaitsForTheLast() throws Exception {
        BufferPool pool = BufferPool.open(pair.domain, 64, 1);
        PooledBuffer only = pool.take(SHORT);
        FutureTask<Boolean> closing = new FutureTask<>(() -> pool.tryClose(Duration.ofSeconds(20)));
        Threads.awaitInside(Thread.ofPlatform().daemon().start(closing), "sleep");
        assertThat(pool.tryTake()).isEmpty();
        assertThat(closing).isNotDone();
        only.close();
        assertThat(closing.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> BufferPool.open(pair.domain, 0, 1)).hasMessageContaining("bufferSize: 0");
        assertThatThrownBy(() -> BufferPool.open(pair.domain, 1, 0)).hasMessageContaining("capacity: 0");
        assertThatThrownBy(() -> BufferPool.open(pair.domain, 1L << 60, 100)).hasMessageContaining("memory");
        assertThatThrownBy(() -> BufferPool.open(pair.domain, Long.MAX_VALUE, 1)).hasMessageContaining("memory");
        assertThatThrownBy(() -> BufferPool.open(null, 1, 1)).isInstanceOf(NullPointerException.class)
                .hasMessageContaining("domain");
        try (BufferPool pool = BufferPool.open(pair.domain, 1L << 50, 1)) {
            assertThatThrownBy(pool::tryTake).isInstanceOf(OutOfMemoryError.class);
            assertThatThrownBy(() -> pool.take(Duration.ofSeconds(-1))).hasMessageContaining("negative");
        }
    }

    /** Each holder writes its mark and finds it again; in the end all are back. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("long")
    void nobodySharesABuffer(boolean virtual) throws Exception {
        AtomicInteger marks = new AtomicInteger();
        AtomicInteger waits = new AtomicInteger();
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 5);
                ExecutorService threads = virtual ? Executors.newVirtualThreadPerTaskExecutor()
                        : Executors.newFixedThreadPool(8)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < (virtual ? 2000 : 8); i++) {
                int rounds = virtual ? 50 : 12_000;
                all.add(threads.submit(() -> work(pool, rounds, marks, waits)));
            }
            for (Future<?> one : all) {
                one.get(50, TimeUnit.SECONDS);
            }
            assertThat(pool.taken()).isZero();
        }
        assertThat(waits.get()).as("waited").isPositive();
    }

    private static void work(BufferPool pool, int rounds, AtomicInteger marks, AtomicInteger waits) {
        for (int round = 0; round < rounds; round++) {
            PooledBuffer buffer = pool.tryTake().orElse(null);
            if (buffer == null) {
                waits.incrementAndGet();
                buffer = pool.take(Duration.ofSeconds(40));
            }
            int mark = marks.incrementAndGet();
            MemorySegment memory = buffer.segment();
            memory.set(ValueLayout.JAVA_INT, 8, mark);
            boolean retained = (mark & 3) == 0;
            if (retained) {
                buffer.retain();
            }
            if (ThreadLocalRandom.current().nextInt(8) == 0) {
                Thread.yield();
            }
            assertThat(memory.get(ValueLayout.JAVA_INT, 8)).isEqualTo(mark);
            buffer.close();
            if (retained) {
                assertThat(memory.get(ValueLayout.JAVA_INT, 8)).isEqualTo(mark);
                buffer.release();
            }
        }
    }

    @Test
    void takingAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (BufferPool pool = BufferPool.open(pair.domain, 64, 100)) {
            int rounds = 300_000;
            double least = Double.MAX_VALUE;
            for (int round = 0; round < 10 && least > 0.01; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < rounds; i++) {
                    PooledBuffer buffer = pool.tryTake().orElseThrow();
                    buffer.retain();
                    buffer.close();
                    buffer.release();
                }
                least = (threads.getCurrentThreadAllocatedBytes() - before) / (double) rounds;
            }
            assertThat(least).isLessThan(0.01);
        }
    }
}
