// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.CallerOptions;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.OverloadException;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.future.Completing;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Late calls are ended aside, and count until then. */
@Timeout(60)
class LateEndsTest {
    private static final int MANY = 1_000;

    @Test
    void oneAfterTheOther() throws InterruptedException {
        LateEnds ends = new LateEnds(new Completing(NodeOptions.DIRECT));
        CountDownLatch all = new CountDownLatch(MANY);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < MANY; i++) {
            ends.add(() -> {
                threads.add(Thread.currentThread());
                all.countDown();
            });
        }
        ends.tick();
        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(threads).hasSize(1).doesNotContain(Thread.currentThread());
        assertThat(ends.areLeft()).isFalse();
    }

    @Test
    void oneThatWaitsDoesNotKeepTheOthers() throws InterruptedException {
        LateEnds ends = new LateEnds(new Completing(NodeOptions.DIRECT));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(2);
        CountDownLatch over = new CountDownLatch(1);
        ends.add(() -> {
            begun.countDown();
            await(others);
            over.countDown();
        });
        ends.add(others::countDown);
        ends.add(others::countDown);
        ends.tick();
        await(begun);
        ends.tick();
        await(over);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Else a program that calls faster than they end would fill the memory, whatever its backlog. */
    @Test
    void thoseThatAreStillToEndTakePlacesOfTheBacklog() throws InterruptedException {
        Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        int backlog = 10;
        try (Hints hints = Providers.SHM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints, NodeOptions.DEFAULT.withExecutor(tasks::add)); Node b = Node.open(hints);
                Caller caller = Caller.open(a.peer(b.address()), 7, CallerOptions.DEFAULT.withBacklog(backlog))) {
            List<CompletableFuture<byte[]>> late = IntStream.range(0, backlog).mapToObj(
                    i -> caller.call(new byte[8], Duration.ofMillis(20))).toList();
            while (tasks.size() < backlog) {
                Thread.sleep(1);
            }
            // until the clock has looked through them
            Thread.sleep(300);
            assertThat(caller.waiting()).isEqualTo(backlog);
            CompletableFuture<byte[]> refused = caller.call(new byte[8], Duration.ofSeconds(20));
            assertThat(refused.exceptionNow()).isInstanceOf(OverloadException.class);
            tasks.forEach(Runnable::run);
            assertThat(late).allSatisfy(call -> assertThat(((FabricException) call.exceptionNow()).error())
                    .isEqualTo(FabricError.ETIMEDOUT));
            assertThat(caller.waiting()).isZero();
            assertThat(caller.late()).isEqualTo(backlog);
        }
    }
}
