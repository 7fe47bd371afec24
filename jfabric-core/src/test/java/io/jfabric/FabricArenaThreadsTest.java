// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.option.MemoryAccess;
import io.jfabric.testing.Threads;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arenas opened, used and closed by many threads, and many times. */
class FabricArenaThreadsTest {
    /** Closers look for their operation while others come and go. */
    @Test
    @Tag("long")
    void isExactWhileOthersPostAndPoll() throws InterruptedException {
        try (Pair pair = Pair.open(Providers.SHM)) {
            FabricArena held = pair.domain.openArena();
            MemorySegment in = held.allocate(64);
            CountDownLatch posted = new CountDownLatch(1);
            AtomicBoolean stop = new AtomicBoolean();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread traffic = Threads.start(failure, () -> {
                // its slot is in the same slab as those that come and go
                pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, 99, 0, 99));
                posted.countDown();
                try (FabricArena own = pair.domain.openArena()) {
                    MemorySegment out = own.allocate(8);
                    MemorySegment to = own.allocate(8);
                    for (long i = 100; !stop.get(); i++) {
                        long context = i;
                        for (int j = 0; j < 3; j++) {
                            pair.post(() -> pair.b.endpoint.tagged().receive(to, Address.ANY, 1, 0, context));
                            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, 1, context));
                        }
                        for (int j = 0; j < 3; j++) {
                            pair.await(pair.a, context);
                            pair.await(pair.b, context);
                        }
                    }
                }
            });
            posted.await();
            List<Thread> closers = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                closers.add(Threads.start(failure, () -> {
                    for (int i = 0; i < 2000; i++) {
                        assertThat(held.tryClose()).isFalse();
                        FabricArena free = pair.domain.openArena();
                        free.allocate(1000);
                        free.close();
                    }
                }));
            }
            for (Thread closer : closers) {
                closer.join();
            }
            stop.set(true);
            traffic.join();
            assertThat(failure.get()).isNull();
        }
    }

    /** Either it is registered, and cannot be closed, or it is closed, and cannot be registered. */
    @Test
    @Tag("long")
    void isNotClosedWhileItIsRegistered() throws InterruptedException {
        try (Pair pair = Pair.open(Providers.SHM)) {
            CyclicBarrier start = new CyclicBarrier(2);
            for (int i = 0; i < 3000; i++) {
                FabricArena arena = pair.domain.openArena();
                MemorySegment memory = arena.allocate(100);
                AtomicReference<MemoryRegion> region = new AtomicReference<>();
                AtomicReference<Throwable> failure = new AtomicReference<>();
                Thread registers = Threads.start(failure, () -> {
                    await(start);
                    try {
                        region.set(pair.domain.register(memory, MemoryAccess.SEND));
                    } catch (IllegalStateException closed) {
                        assertThat(closed).hasMessageContaining("closed");
                    }
                });
                await(start);
                boolean closed = arena.tryClose();
                registers.join();
                assertThat(failure.get()).isNull();
                assertThat(region.get() != null).as("registered").isNotEqualTo(closed);
                if (region.get() != null) {
                    region.get().close();
                    arena.close();
                }
            }
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void manyThreadsAllocate() throws InterruptedException {
        try (Pair pair = Pair.open(Providers.SHM)) {
            for (int round = 0; round < 20; round++) {
                FabricArena arena = pair.domain.openArena();
                ConcurrentLinkedQueue<MemorySegment> all = new ConcurrentLinkedQueue<>();
                AtomicReference<Throwable> failure = new AtomicReference<>();
                boolean early = round % 2 == 0;
                List<Thread> threads = new ArrayList<>();
                for (int t = 0; t < 8; t++) {
                    threads.add(Threads.start(failure, () -> {
                        for (int i = 0; i < 2000; i++) {
                            try {
                                MemorySegment segment = arena.allocate(i % 500 == 0 ? 1 << 20 : 1 + i % 300, 8);
                                segment.fill((byte) i);
                                all.add(segment);
                            } catch (IllegalStateException closed) {
                                assertThat(early).isTrue();
                            }
                        }
                    }));
                }
                if (early) {
                    arena.close();
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(failure.get()).isNull();
                FabricArenaTest.overlapNowhere(early ? List.of() : List.copyOf(all));
                arena.close();
                all.forEach(segment -> assertThat(segment.scope().isAlive()).isFalse());
            }
        }
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(booleans = {false, true})
    void leavesNothing(boolean registered) throws IOException {
        try (Pair pair = registered ? FabricArenaTest.demanding(Providers.RXM) : Pair.open(Providers.RXM)) {
            // Java's own heap grows, too, to where it is collected
            cycles(pair, 3000);
            long fds = fds();
            long rss = rss();
            cycles(pair, 10_000);
            assertThat(fds()).isEqualTo(fds);
            assertThat(rss() - rss).as("bytes more than before").isLessThan(64L << 20);
        }
    }

    private static void cycles(Pair pair, int count) {
        for (int i = 0; i < count; i++) {
            try (FabricArena arena = pair.domain.openArena()) {
                arena.allocate(100).fill((byte) 1);
                arena.allocate(100_000).fill((byte) 1);
            }
        }
    }

    private static long fds() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    private static long rss() throws IOException {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096;
    }

    /** One posts a receive, another closes its memory: only one of them can succeed. */
    @Test
    @Tag("long")
    void aPostAndACloseExcludeEachOther() throws InterruptedException {
        try (Pair pair = Pair.open(Providers.SHM)) {
            int[] wins = new int[2];
            for (int i = 0; i < 3000; i++) {
                FabricArena arena = pair.domain.openArena();
                MemorySegment in = arena.allocate(8);
                long context = i;
                AtomicReference<Throwable> failure = new AtomicReference<>();
                AtomicBoolean posted = new AtomicBoolean();
                CountDownLatch go = new CountDownLatch(1);
                Thread poster = Threads.start(failure, () -> {
                    go.await();
                    try {
                        posted.set(pair.b.endpoint.tagged().receive(in, Address.ANY, context, 0, context));
                    } catch (IllegalStateException closed) {
                        assertThat(closed).hasMessageContaining("closed");
                    }
                });
                go.countDown();
                // at a different moment each time
                for (int spin = 0; spin < i % 100 * 20; spin++) {
                    Thread.onSpinWait();
                }
                boolean closed = arena.tryClose();
                poster.join();
                assertThat(failure.get()).isNull();
                assertThat(closed).as("round %s", i).isNotEqualTo(posted.get());
                wins[closed ? 1 : 0]++;
                if (posted.get()) {
                    pair.b.endpoint.cancel(context);
                    pair.awaitError(pair.b, context);
                    arena.close();
                }
            }
            assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "on one processor there may be no race");
            assertThat(wins).doesNotContain(0);
        }
    }
}
