// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricException;
import io.jfabric.info.FabricInfo;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many operations, of many threads, of all sizes. */
@Timeout(60)
class LoadTest {
    private static void done(CompletableFuture<?> future) throws Exception {
        future.get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void allSizes(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            FabricInfo info = nodes.a.info();
            int inject = (int) info.tx().injectSize();
            for (int size : new int[] {0, 1, 7, inject - 1, inject, inject + 1, 4096, 4097, 16_384, 16_385, 65_537,
                1 << 20}) {
                if (size < 0 || size > info.endpoint().maxMessageSize()) {
                    continue;
                }
                MemorySegment out = Bytes.pattern(nodes.a.memory(), size, size);
                MemorySegment in = nodes.b.allocate(size);
                CompletableFuture<Received> got = nodes.b.receive(in, 9);
                CompletableFuture<Void> sent = nodes.a.send(out, nodes.toB, 9);
                done(got);
                done(sent);
                assertThat(got.join().length()).isEqualTo(size);
                assertThat(in.mismatch(out)).as("%s bytes", size).isEqualTo(-1);
            }
        }
    }

    /** Far more than the provider takes at once: all arrive, in order. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void orderWhileTheProviderIsBusy(Providers.Choice choice) throws Exception {
        int count = 5000;
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment out = nodes.a.allocate(8L * count);
            MemorySegment in = nodes.b.allocate(8L * count);
            List<CompletableFuture<Received>> got = new ArrayList<>();
            List<CompletableFuture<Void>> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                got.add(nodes.b.receive(in, 8L * i, 8, 3));
            }
            for (int i = 0; i < count; i++) {
                out.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, i);
                sent.add(nodes.a.send(out, 8L * i, 8, nodes.toB, 3));
            }
            done(CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)));
            done(CompletableFuture.allOf(got.toArray(CompletableFuture[]::new)));
            for (int i = 0; i < count; i++) {
                assertThat(in.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i)).isEqualTo(i);
            }
            assertThat(nodes.a.underWay() + nodes.b.underWay()).isZero();
            assertThat(nodes.toB.underWay() + nodes.toB.waiting()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void tenThousandVirtualThreads(Providers.Choice choice) throws Exception {
        int count = 10_000;
        try (Nodes nodes = Nodes.open(choice)) {
            MemorySegment out = nodes.a.allocate(8L * count);
            MemorySegment in = nodes.b.allocate(8L * count);
            List<CompletableFuture<Received>> got = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                // one tag: receives of one tag each could wait for one another, as providers have few for all tags
                got.add(nodes.b.receive(in, 8L * i, 8, 7));
            }
            AtomicInteger failed = new AtomicInteger();
            CountDownLatch ended = new CountDownLatch(count);
            for (int i = 0; i < count; i++) {
                int n = i;
                Thread.startVirtualThread(() -> {
                    try {
                        out.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, n, n + 1);
                        nodes.a.send(out, 8L * n, 8, nodes.toB, 7).join();
                    } catch (RuntimeException e) {
                        failed.incrementAndGet();
                    } finally {
                        ended.countDown();
                    }
                });
            }
            assertThat(ended.await(40, TimeUnit.SECONDS)).isTrue();
            assertThat(failed).hasValue(0);
            done(CompletableFuture.allOf(got.toArray(CompletableFuture[]::new)));
            long[] numbers = in.toArray(ValueLayout.JAVA_LONG_UNALIGNED);
            Arrays.sort(numbers);
            assertThat(numbers).isEqualTo(LongStream.rangeClosed(1, count).toArray());
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aFullBacklogRefuses(Providers.Choice choice) throws Exception {
        NodeOptions options = NodeOptions.DEFAULT.withTransmitLimit(64).withReceiveLimit(8).withPeerLimit(64)
                .withBacklog(4);
        try (Nodes nodes = Nodes.open(choice, hints -> { }, options)) {
            List<CompletableFuture<Received>> got = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                got.add(nodes.b.receive(nodes.b.allocate(8), i));
            }
            CompletableFuture<Received> tooMany = nodes.b.receive(nodes.b.allocate(8), 99);
            assertThat(tooMany).isCompletedExceptionally();
            assertThat(tooMany.exceptionNow()).isInstanceOf(FabricException.class)
                    .hasMessageContaining("FI_EAGAIN").hasMessageContaining("the backlog is full: 4 operations");
            for (int i = 0; i < 12; i++) {
                done(nodes.a.send(nodes.a.allocate(8), nodes.toB, i));
                done(got.get(i));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void closeUnderLoad(Providers.Choice choice) throws Exception {
        Nodes nodes = Nodes.open(choice);
        List<CompletableFuture<?>> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        AtomicInteger refused = new AtomicInteger();
        for (int t = 0; t < 4; t++) {
            int tag = t;
            Runnable work = () -> {
                MemorySegment out = nodes.a.allocate(64);
                MemorySegment in = nodes.b.allocate(64);
                try {
                    while (true) {
                        CompletableFuture<Received> got = nodes.b.receive(in, tag);
                        CompletableFuture<Void> sent = nodes.a.send(out, nodes.toB, tag);
                        synchronized (all) {
                            all.add(got);
                            all.add(sent);
                        }
                        sent.join();
                        got.join();
                    }
                } catch (RuntimeException closed) {
                    refused.incrementAndGet();
                }
            };
            threads.add(t % 2 == 0 ? Thread.ofVirtual().start(work) : Thread.ofPlatform().start(work));
        }
        // the first message connects, which takes as long as it takes
        for (int started = 0; started < 100; Thread.sleep(1)) {
            synchronized (all) {
                started = all.size();
            }
        }
        nodes.close();
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
        }
        assertThat(refused).hasValue(4);
        assertThat(all).allMatch(CompletableFuture::isDone);
    }
}
