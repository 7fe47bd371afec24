// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who makes progress, what callbacks may do, and what idleness costs. */
@Timeout(60)
class EngineTest {
    private static final Consumer<Hints> PLAIN = hints -> { };

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.SOCKETS);
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    private static void exchange(Nodes nodes, long tag) throws Exception {
        CompletableFuture<Received> got = nodes.b.receive(nodes.b.allocate(8), tag);
        CompletableFuture<Void> sent = nodes.a.send(nodes.a.allocate(8), nodes.toB, tag);
        get(got);
        get(sent);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void oneEngineForManyNodes(Providers.Choice choice) throws Exception {
        try (Engine engine = Engine.start()) {
            List<Nodes> all = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                all.add(Nodes.open(choice, PLAIN, NodeOptions.DEFAULT.withEngine(engine)));
            }
            assertThat(engine.nodes()).isEqualTo(10);
            for (int i = 0; i < 50; i++) {
                exchange(all.get(i % 5), i);
            }
            assertThatThrownBy(engine::close).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("10 nodes use it");
            all.get(0).close();
            assertThat(engine.nodes()).isEqualTo(8);
            exchange(all.get(1), 1);
            all.forEach(Nodes::close);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void callbacksThatThrowStopNothing(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            CompletableFuture<Integer> derived = nodes.b.receive(nodes.b.allocate(8), 1).thenApply(received -> {
                throw new IllegalArgumentException("no");
            });
            get(nodes.a.send(nodes.a.allocate(8), nodes.toB, 1));
            assertThatThrownBy(derived::join).isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(IllegalArgumentException.class);
            exchange(nodes, 2);
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void callbacksMayClose(Providers.Choice choice) throws Exception {
        Nodes nodes = Nodes.open(choice);
        CompletableFuture<Received> last = nodes.b.receive(nodes.b.allocate(8), 7);
        CompletableFuture<Void> closed = nodes.b.receive(nodes.b.allocate(8), 1)
                .thenAccept(received -> nodes.b.close());
        nodes.a.send(nodes.a.allocate(8), nodes.toB, 1);
        get(closed);
        assertThat(last).isCompletedExceptionally();
        assertThat(nodes.b.isOpen()).isFalse();
        nodes.close();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void anExecutorCompletesTheFutures(Providers.Choice choice) throws Exception {
        try (ExecutorService executor = Executors.newSingleThreadExecutor(Thread.ofPlatform().name("mine").factory());
             Nodes nodes = Nodes.open(choice, PLAIN, NodeOptions.DEFAULT.withExecutor(executor))) {
            AtomicReference<String> thread = new AtomicReference<>();
            CompletableFuture<Void> noted = nodes.b.receive(nodes.b.allocate(8), 1)
                    .thenAccept(received -> thread.set(Thread.currentThread().getName()));
            get(nodes.a.send(nodes.a.allocate(8), nodes.toB, 1));
            get(noted);
            assertThat(thread).hasValue("mine");
        }
    }

    @ParameterizedTest
    @MethodSource("providers")
    void theCallerMakesProgress(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(PLAIN);
             Node node = Node.open(infos.first(), NodeOptions.DEFAULT.withCallerProgress())) {
            Peer self = node.peer(node.address());
            AtomicInteger got = new AtomicInteger();
            for (int i = 0; i < 10; i++) {
                node.receive(node.allocate(8), i).thenAccept(received -> got.incrementAndGet());
                node.send(node.allocate(8), self, i);
            }
            Thread.sleep(50);
            assertThat(got).hasValue(0);
            long end = System.nanoTime() + 10_000_000_000L;
            while (got.get() < 10 && System.nanoTime() < end) {
                node.progress();
            }
            assertThat(got).hasValue(10);
            // who waits makes progress, too, on whatever kind of thread
            for (Thread.Builder kind : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
                CompletableFuture<Received> future = node.receive(node.allocate(8), 99);
                node.send(node.allocate(8), self, 99);
                assertThat(kind.start(future::join).join(Duration.ofSeconds(10))).isTrue();
                assertThat(future).isCompleted();
            }
            assertThatThrownBy(() -> node.await(node.receive(node.allocate(8), 1), Duration.ofMillis(20)))
                    .hasMessageContaining("FI_ETIMEDOUT");
        }
    }

    /** Whatever sleeps is woken by what another thread starts, and by what arrives. */
    @ParameterizedTest
    @MethodSource("providers")
    void sleepersWake(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice)) {
            exchange(nodes, 0);
            List<Long> times = new ArrayList<>();
            List<Long> late = new ArrayList<>();
            for (int i = 1; i <= 21; i++) {
                long asleep = System.nanoTime();
                Thread.sleep(20);
                late.add(Math.max(0, System.nanoTime() - asleep - 20_000_000));
                int tag = i;
                long began = System.nanoTime();
                Thread thread = Thread.startVirtualThread(() -> {
                    CompletableFuture<Received> got = nodes.b.receive(nodes.b.allocate(8), tag);
                    nodes.a.send(nodes.a.allocate(8), nodes.toB, tag).join();
                    got.join();
                });
                assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
                times.add(System.nanoTime() - began);
            }
            // the median: other programs may be running; they keep a thread that nothing else wakes as long
            times.sort(null);
            late.sort(null);
            assertThat(Duration.ofNanos(times.get(10))).isLessThan(Duration.ofMillis(90).plusNanos(20 * late.get(10)));
        }
    }

    /** As code does that gets an InterruptedException: the thread would then never sleep again. */
    @Test
    void sleepsThoughACallbackHasInterruptedIt() throws Exception {
        try (Nodes nodes = Nodes.open(Providers.SHM)) {
            AtomicReference<Thread> engine = new AtomicReference<>();
            nodes.b.receive(nodes.b.allocate(8), 1).thenAccept(received -> {
                Thread.currentThread().interrupt();
                engine.set(Thread.currentThread());
            });
            get(nodes.a.send(nodes.a.allocate(8), nodes.toB, 1));
            while (engine.get() == null || engine.get().isInterrupted()) {
                Thread.sleep(1);
            }
            assertThat(engine.get().getName()).as("it says whose it is").startsWith("jfabric-node-")
                    .contains(nodes.b.info().provider()).endsWith(nodes.b.address().toString());
        }
    }

    /** It does not end the wait, and would keep the thread from sleeping meanwhile. */
    @Test
    void sleepsThoughItIsInterrupted() throws Exception {
        try (FabricInfoList infos = Providers.SHM.find(PLAIN);
             Node node = Node.open(infos.first(), NodeOptions.DEFAULT.withCallerProgress())) {
            CompletableFuture<Received> never = node.receive(node.allocate(8), 1);
            AtomicBoolean stays = new AtomicBoolean();
            Thread joins = Thread.ofPlatform().start(() -> {
                Thread.currentThread().interrupt();
                try {
                    never.join();
                } catch (CancellationException ended) {
                    stays.set(Thread.interrupted());
                }
            });
            AtomicBoolean over = new AtomicBoolean();
            // what a thread takes, on a machine with so much to do, that never sleeps
            Thread spins = Thread.ofPlatform().daemon().start(() -> {
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
            Thread.sleep(1000);
            long cpu = ManagementFactory.getThreadMXBean().getThreadCpuTime(joins.threadId());
            long most = ManagementFactory.getThreadMXBean().getThreadCpuTime(spins.threadId());
            over.set(true);
            never.cancel(true);
            joins.join();
            assertThat(Duration.ofNanos(cpu)).isLessThan(Duration.ofNanos(most / 3));
            assertThat(stays).isTrue();
        }
    }

    /** The future of allOf is the JDK's own, whose waiters make no progress. */
    @ParameterizedTest
    @MethodSource("providers")
    void awaitsFuturesOfTheJdkToo(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(PLAIN);
             Node node = Node.open(infos.first(), NodeOptions.DEFAULT.withCallerProgress())) {
            Peer self = node.peer(node.address());
            CompletableFuture<Received> one = node.receive(node.allocate(8), 1);
            CompletableFuture<Received> other = node.receive(node.allocate(8), 2);
            node.send(node.allocate(8), self, 1);
            node.send(node.allocate(8), self, 2);
            node.await(CompletableFuture.allOf(one, other), Duration.ofSeconds(20));
            assertThat(other).isCompleted();
            CompletableFuture<Received> failing = node.receive(node.allocate(8), 3);
            failing.cancel(true);
            assertThatThrownBy(() -> node.await(CompletableFuture.allOf(failing), Duration.ofSeconds(20)))
                    .isInstanceOf(CancellationException.class);
            assertThatThrownBy(() -> node.await(new CompletableFuture<>(), Duration.ofMillis(20)))
                    .hasMessageContaining("FI_ETIMEDOUT");
        }
        // and in a callback, whose thread nobody can do without
        try (Nodes nodes = Nodes.open(choice, PLAIN)) {
            CompletableFuture<Void> both = nodes.b.receive(nodes.b.allocate(8), 1).thenAccept(first -> {
                CompletableFuture<Received> second = nodes.b.receive(nodes.b.allocate(8), 2);
                nodes.a.send(nodes.a.allocate(8), nodes.toB, 2);
                nodes.b.await(CompletableFuture.allOf(second), Duration.ofSeconds(20));
            });
            nodes.a.send(nodes.a.allocate(8), nodes.toB, 1);
            get(both);
        }
    }

    /** CPU time of the threads of two idle nodes of each provider, one of which has a receive posted. */
    @Test
    @Tag("long")
    void idlenessCostsLittle() throws Exception {
        Map<Providers.Choice, Set<Path>> threads = new LinkedHashMap<>();
        List<Nodes> all = new ArrayList<>();
        List<CompletableFuture<Received>> waiting = new ArrayList<>();
        try {
            for (Providers.Choice choice : providers().toList()) {
                Set<Path> before = nodeThreads();
                Nodes nodes = Nodes.open(choice);
                all.add(nodes);
                exchange(nodes, 0);
                waiting.add(nodes.b.receive(nodes.b.allocate(8), 1));
                Set<Path> mine = new HashSet<>();
                // a thread has its name in /proc only once it has run, and the first message needs one of the two
                for (long end = System.nanoTime() + 10_000_000_000L; mine.size() < 2 && System.nanoTime() < end;) {
                    mine = nodeThreads();
                    mine.removeAll(before);
                }
                assertThat(mine).hasSize(2);
                threads.put(choice, mine);
            }
            Thread.sleep(100);
            Map<Providers.Choice, Long> before = new HashMap<>();
            for (Providers.Choice choice : threads.keySet()) {
                before.put(choice, ticks(threads.get(choice)));
            }
            Thread.sleep(2000);
            for (Providers.Choice choice : threads.keySet()) {
                long share = (ticks(threads.get(choice)) - before.get(choice)) / 2;
                // in percent; those with a descriptor block on it
                assertThat(share).as("%s", choice).isLessThanOrEqualTo(choice.equals(Providers.SHM) ? 16 : 2);
            }
            assertThat(waiting).noneMatch(CompletableFuture::isDone);
        } finally {
            all.forEach(Nodes::close);
        }
    }

    private static Set<Path> nodeThreads() throws IOException {
        Set<Path> found = new HashSet<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                if (stat(task).contains("(jfabric-node-")) {
                    found.add(task);
                }
            }
        }
        return found;
    }

    /** Empty if the thread has ended. */
    private static String stat(Path task) throws IOException {
        try {
            return Files.readString(task.resolve("stat"));
        } catch (NoSuchFileException ended) {
            return "";
        }
    }

    /** CPU time of some threads, in hundredths of a second. */
    private static long ticks(Set<Path> threads) throws IOException {
        long sum = 0;
        for (Path task : threads) {
            String stat = stat(task);
            String[] fields = stat.substring(stat.indexOf(')') + 2).split(" ");
            sum += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        }
        return sum;
    }

    @Test
    void optionsAreChecked() {
        NodeOptions options = NodeOptions.DEFAULT;
        assertThatThrownBy(() -> options.withDeadline(Duration.ZERO)).hasMessageContaining("NO_DEADLINE");
        assertThatThrownBy(() -> options.withTransmitLimit(0)).hasMessageContaining("transmitLimit");
        assertThatThrownBy(() -> options.withReceiveLimit(0)).hasMessageContaining("receiveLimit");
        assertThatThrownBy(() -> options.withPeerLimit((1 << 24) + 1)).hasMessageContaining("peerLimit");
        assertThatThrownBy(() -> options.withBacklog(-1)).hasMessageContaining("backlog");
        NodeOptions limited = options.withTransmitLimit(3).withReceiveLimit(4).withPeerLimit(2).withBacklog(5);
        assertThat(new int[] {limited.transmitLimit(), limited.receiveLimit(), limited.peerLimit(), limited.backlog()})
                .containsExactly(3, 4, 2, 5);
        assertThatThrownBy(() -> options.withQueueSize(-1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("queueSize");
        assertThatThrownBy(() -> options.withQueueSize((1 << 22) + 1)).hasMessageContaining("queueSize");
        assertThat(options.withQueueSize(1 << 22).queueSize()).isEqualTo(1 << 22);
        assertThatThrownBy(() -> IdleStrategy.asleep().withSleep(Duration.ofMillis(2), Duration.ofMillis(1)))
                .hasMessageContaining("longestSleep");
    }
}
