// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricArena;
import io.jfabric.internal.life.FidObject;
import io.jfabric.testkit.Providers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that are interrupted make progress for others, while objects of the domain are closed. */
@Timeout(60)
class InterruptedProgressTest {
    @Test
    void whatItStartsMeanwhileIsNotRefused() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.SHM)) {
            CountDownLatch kept = new CountDownLatch(1);
            CountDownLatch over = new CountDownLatch(1);
            Thread closer = Thread.ofPlatform().start(() -> ((FidObject) nodes.b.domain()).exclusively(() -> {
                kept.countDown();
                await(over);
            }));
            await(kept);
            CompletableFuture<CompletableFuture<Received>> posted = new CompletableFuture<>();
            CompletableFuture<Boolean> flag = new CompletableFuture<>();
            Thread interrupted = Thread.ofPlatform().start(() -> {
                Thread.currentThread().interrupt();
                try {
                    posted.complete(nodes.b.receive(nodes.b.allocate(8), 1));
                } catch (IllegalStateException refused) {
                    posted.completeExceptionally(refused);
                }
                flag.complete(Thread.interrupted());
            });
            assertThat(interrupted.join(Duration.ofMillis(100))).isFalse();
            over.countDown();
            CompletableFuture<Received> receive = posted.get(10, TimeUnit.SECONDS);
            assertThat(flag.get(10, TimeUnit.SECONDS)).isTrue();
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 1).get(10, TimeUnit.SECONDS);
            receive.get(10, TimeUnit.SECONDS);
            closer.join();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static CompletableFuture<Void> run(Runnable action) {
        return CompletableFuture.runAsync(action, task -> Thread.ofPlatform().daemon().start(task));
    }

    @Test
    void servicesAndKeepAliveGoOn() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.SHM);
                Service _ = Service.open(nodes.b, 1, call -> call.answer(call.bytes()),
                        ServiceOptions.DEFAULT.withExecutor(NodeOptions.DIRECT));
                Caller caller = Caller.open(nodes.toB, 1);
                KeepAlive watcher = KeepAlive.open(nodes.a, Duration.ofMillis(300), 10);
                KeepAlive watched = KeepAlive.open(nodes.b, Duration.ofMillis(300), 10)) {
            CompletableFuture<Void> ended = watcher.watch(nodes.toB);
            // longer than a peer may be silent
            long end = System.nanoTime() + 1_500_000_000L;
            CompletableFuture<Void> progress = run(() -> {
                Thread.currentThread().interrupt();
                while (System.nanoTime() < end) {
                    nodes.b.progress();
                }
            });
            CompletableFuture<Void> arenas = run(() -> {
                while (System.nanoTime() < end) {
                    try (FabricArena arena = nodes.b.domain().openArena()) {
                        arena.allocate(64);
                    }
                    Thread.yield();
                }
            });
            while (System.nanoTime() < end) {
                caller.call(new byte[64], Duration.ofSeconds(20)).get();
            }
            progress.get(20, TimeUnit.SECONDS);
            arenas.get(20, TimeUnit.SECONDS);
            assertThat(watched.toString()).doesNotContain("closed");
            assertThat(ended).isNotDone();
        }
    }
}
