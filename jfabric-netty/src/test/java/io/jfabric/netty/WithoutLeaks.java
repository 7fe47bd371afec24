// SPDX-License-Identifier: Apache-2.0
package io.jfabric.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.Hints;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests with buffers of Netty's pool, its leak detector at its most thorough: every reference is given back. */
abstract class WithoutLeaks {
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
    static final PooledByteBufAllocator POOL = new PooledByteBufAllocator(true);

    @BeforeAll
    static void watch() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> LEAKS.add(type + " " + records));
    }

    @AfterAll
    static void nothingLeaked() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(50);
            // the detector looks when something is allocated
            POOL.directBuffer(16).release();
        }
        ByteBufUtil.setLeakListener(null);
        assertThat(LEAKS).isEmpty();
    }

    /** Two nodes, the first of which knows the second. */
    record Two(Node a, Node b, Peer toB) implements AutoCloseable {
        static Two open(String provider) {
            try (Hints hints = Hints.rdm().provider(provider)) {
                Node a = Node.open(hints, NodeOptions.DEFAULT);
                Node b = Node.open(hints, NodeOptions.DEFAULT);
                return new Two(a, b, a.peer(b.address().bytes()));
            }
        }

        @Override
        public void close() {
            a.close();
            b.close();
        }
    }

    static ByteBuf text(String text) {
        return POOL.directBuffer(64).writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    /** What the bridge holds is given back by another thread. */
    static void gone(ByteBuf... buffers) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        for (ByteBuf buffer : buffers) {
            while (buffer.refCnt() > 0 && System.nanoTime() - end < 0) {
                Thread.sleep(1);
            }
            assertThat(buffer.refCnt()).isZero();
        }
    }
}
