// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.info.Version;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers in other processes that die, stop, are not there, and come again. */
@Timeout(120)
class KeepAliveTest {
    /** A machine with much else to do needs more. */
    private static final long INTERVAL = Long.getLong("jfabric.test.interval", 800);
    /** Twice the interval is promised; the rest is for a machine with much to do. */
    private static final Duration NOTICED = Duration.ofMillis(2 * INTERVAL + 1000);

    private static ChildJvm child(String provider, String... port) {
        String[] arguments = new String[2 + port.length];
        arguments[0] = provider;
        arguments[1] = Long.toString(INTERVAL);
        System.arraycopy(port, 0, arguments, 2, port.length);
        return ChildJvm.of(KeepAliveChild.class, arguments).start();
    }

    private static void answers(Peer peer) throws Exception {
        try (Caller caller = Caller.open(peer, 1)) {
            assertThat(caller.call(new byte[] {1, 2}).get(30, TimeUnit.SECONDS)).containsExactly(1, 2);
        }
    }

    private static void signal(ChildJvm child, String name) throws Exception {
        assertThat(new ProcessBuilder("sh", "-c", "kill -" + name + " " + child.pid()).start().waitFor()).isZero();
    }

    /** That it was within the interval; a pause of this process, which may last longer, is over then. */
    private static void isHeard(KeepAlive alive, Peer peer) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        Optional<Duration> ago = alive.sinceLastAnswer(peer);
        while (ago.filter(time -> time.compareTo(Duration.ofMillis(INTERVAL)) <= 0).isEmpty()
                && System.nanoTime() < end) {
            Thread.sleep(1);
            ago = alive.sinceLastAnswer(peer);
        }
        assertThat(ago.orElseThrow()).isBetween(Duration.ZERO, Duration.ofMillis(INTERVAL));
    }

    private static FabricException noticed(CompletableFuture<Void> ended, long since) throws Exception {
        assertThatThrownBy(() -> ended.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(NOTICED);
        return (FabricException) ended.exceptionNow();
    }

    /** Both providers at once: most of the time is spent waiting. */
    private static void overBoth(Case test) throws Exception {
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            Future<?> shm = threads.submit(() -> test.run("shm"), null);
            Future<?> tcp = threads.submit(() -> test.run("tcp"), null);
            for (Future<?> future : List.of(shm, tcp)) {
                future.get();
            }
        }
    }

    /** What is to be shown over a provider. */
    @FunctionalInterface
    private interface Case {
        void over(String provider) throws Exception;

        default void run(String provider) {
            try {
                over(provider);
            } catch (Exception e) {
                throw new AssertionError("over " + provider, e);
            }
        }
    }

    @Test
    @Tag("long")
    void aPeerThatDiesDoesNotDisturbTheOther() throws Exception {
        overBoth(KeepAliveTest::killed);
    }

    @Test
    @Tag("long")
    void aPeerThatStopsForFiveSeconds() throws Exception {
        overBoth(KeepAliveTest::stoppedForFiveSeconds);
    }

    private static void killed(String provider) throws Exception {
        try (ChildJvm one = child(provider); ChildJvm two = child(provider);
                Node node = KeepAliveChild.open(provider, null);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(INTERVAL), 4)) {
            Peer dying = node.peer(ChildAddress.of(one));
            Peer living = node.peer(ChildAddress.of(two));
            CompletableFuture<Void> ended = alive.watch(dying);
            CompletableFuture<Void> other = alive.watch(living);
            answers(dying);
            answers(living);
            Thread.sleep(2 * INTERVAL);
            assertThat(ended).isNotDone();
            isHeard(alive, dying);
            try (Caller caller = Caller.open(dying, 1)) {
                assertThat(caller.call(new byte[3]).get(30, TimeUnit.SECONDS)).hasSize(3);
                long start = System.nanoTime();
                signal(one, "KILL");
                CompletableFuture<byte[]> lost = caller.call(new byte[1]);
                FabricException why = noticed(ended, start);
                assertThat(why.error()).isEqualTo(FabricError.EHOSTDOWN);
                assertThat(why).hasMessageContaining("has not answered");
                // of the call, or of its message that was under way
                assertThatThrownBy(lost::join).isInstanceOf(CompletionException.class)
                        .matches(e -> e.getCause() == why || e.getCause().getCause() == why);
                assertThat(dying.isOpen()).isFalse();
            }
            answers(living);
            assertThat(other).isNotDone();
            assertThat(node.isOpen()).isTrue();
        }
    }

    private static void stoppedForFiveSeconds(String provider) throws Exception {
        try (ChildJvm child = child(provider); Node node = KeepAliveChild.open(provider, null);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(INTERVAL), 4)) {
            byte[] address = ChildAddress.of(child);
            Peer peer = node.peer(address);
            CompletableFuture<Void> ended = alive.watch(peer);
            answers(peer);
            long start = System.nanoTime();
            signal(child, "STOP");
            assertThat(noticed(ended, start).error()).isEqualTo(FabricError.EHOSTDOWN);
            Thread.sleep(Math.max(1, 5000 - (System.nanoTime() - start) / 1_000_000));
            signal(child, "CONT");
            Peer again = node.peer(address);
            assertThat(again).isNotSameAs(peer);
            answers(again);
            CompletableFuture<Void> second = alive.watch(again);
            Thread.sleep(2 * INTERVAL);
            assertThat(second).isNotDone();
        }
    }

    @Test
    void nobodyListens() throws Exception {
        byte[] address;
        try (Node gone = KeepAliveChild.open("tcp", null)) {
            address = gone.address().bytes();
        }
        try (Node node = KeepAliveChild.open("tcp", null);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(INTERVAL), 4)) {
            long start = System.nanoTime();
            FabricException why = noticed(alive.watch(node.peer(address)), start);
            assertThat(why.error()).isEqualTo(FabricError.EHOSTDOWN);
            assertThat(why).hasMessageContaining("never answered");
        }
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("inProcess")
    void fewMessagesAreEnough(Providers.Choice choice) throws Exception {
        try (Several one = new Several(choice, 1); Several two = new Several(choice, 2);
                Several four = new Several(choice, 4)) {
            Thread.sleep(3 * INTERVAL);
            for (Several each : List.of(one, two, four)) {
                assertThat(each.ended).as("with %d messages", each.messages).isNotDone();
                assertThat(each.watcher.sinceLastAnswer(each.nodes.toB)).isPresent();
                // nobody answers any more
                each.watched.close();
            }
            long start = System.nanoTime();
            for (Several each : List.of(one, two, four)) {
                assertThat(noticed(each.ended, start).error()).isEqualTo(FabricError.EHOSTDOWN);
            }
        }
    }

    /** What is longer than the provider injects is sent. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("inProcess")
    void littleIsInjected(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> hints.tx().injectSize(16))) {
            FabricInfo info = infos.first();
            info.tx().injectSize(16);
            try (Node watched = Node.open(info); Node watcher = Node.open(info)) {
                assertThat(watcher.info().tx().injectSize()).isEqualTo(16);
                Peer peer = watcher.peer(watched.address());
                KeepAlive answers = KeepAlive.open(watched, Duration.ofMillis(INTERVAL), 4);
                try (KeepAlive asks = KeepAlive.open(watcher, Duration.ofMillis(INTERVAL), 4)) {
                    CompletableFuture<Void> ended = asks.watch(peer);
                    Thread.sleep(3 * INTERVAL);
                    assertThat(ended).isNotDone();
                    assertThat(asks.sinceLastAnswer(peer)).isPresent();
                    answers.close();
                    assertThat(noticed(ended, System.nanoTime()).error()).isEqualTo(FabricError.EHOSTDOWN);
                }
            }
        }
    }

    /** What is sent is not sent after what the program has to wait for. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("withRendezvous")
    void whatIsNotInjectedIsNotBehindTheProgramsMessages(Providers.Choice choice) throws Exception {
        assumeFalse(choice.equals(Providers.SHM) && Fabric.version().atLeast(new Version(2, 0))
                && !Fabric.version().atLeast(new Version(2, 5)), "takes what nobody in the process receives");
        try (FabricInfoList infos = choice.find(hints -> hints.tx().injectSize(16))) {
            FabricInfo info = infos.first();
            info.tx().injectSize(16);
            NodeOptions narrow = NodeOptions.DEFAULT.withTransmitLimit(1).withReceiveLimit(64).withPeerLimit(1);
            try (Node watched = Node.open(info, narrow); Node watcher = Node.open(info, narrow);
                    KeepAlive _ = KeepAlive.open(watched, Duration.ofMillis(INTERVAL), 4);
                    KeepAlive asks = KeepAlive.open(watcher, Duration.ofMillis(INTERVAL), 4)) {
                // nobody receives these
                Peer peer = watcher.peer(watched.address());
                List<CompletableFuture<Void>> sent = Nodes.sends(watcher, watcher.allocate(1 << 20), peer, 2);
                Peer back = watched.peer(watcher.address());
                sent.addAll(Nodes.sends(watched, watched.allocate(1 << 20), back, 2));
                CompletableFuture<Void> ended = asks.watch(peer);
                Thread.sleep(3 * INTERVAL);
                assertThat(ended).isNotDone();
                isHeard(asks, peer);
                assertThat(sent).allSatisfy(send -> assertThat(send).isNotDone());
            }
        }
    }

    /** Who makes progress does not read then what has come, and nobody else does. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("inProcess")
    void aCallbackThatKeepsTheEngine(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { });
                KeepAlive asks = KeepAlive.open(nodes.a, Duration.ofMillis(INTERVAL), 4)) {
            KeepAlive answers = KeepAlive.open(nodes.b, Duration.ofMillis(INTERVAL), 4);
            List<CompletableFuture<Void>> kept = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                kept.add(nodes.a.receive(nodes.a.allocate(8), 1).thenRun(() -> {
                    try {
                        Thread.sleep(3 * INTERVAL / 2);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }));
            }
            CompletableFuture<Void> ended = asks.watch(nodes.toB);
            Nodes.sends(nodes.b, nodes.b.allocate(8), nodes.toA, 3);
            Thread.sleep(6 * INTERVAL);
            assertThat(kept).allSatisfy(each -> assertThat(each).isDone());
            assertThat(ended).isNotDone();
            isHeard(asks, nodes.toB);
            answers.close();
            assertThat(noticed(ended, System.nanoTime()).error()).isEqualTo(FabricError.EHOSTDOWN);
        }
    }

    /** It finds what the program waits for, but what follows on that is nothing to the clock. */
    @ParameterizedTest
    @MethodSource("inProcess")
    void pollsForCallersThatDoNot(Providers.Choice choice) throws Exception {
        try (Nodes nodes = Nodes.open(choice, hints -> { }, NodeOptions.DEFAULT.withCallerProgress());
                Nodes others = Nodes.open(choice);
                KeepAlive _ = KeepAlive.open(nodes.b, Duration.ofMillis(INTERVAL), 4)) {
            CountDownLatch stands = new CountDownLatch(1);
            CountDownLatch goesOn = new CountDownLatch(1);
            nodes.b.receive(nodes.b.allocate(8), 1).thenRun(() -> {
                stands.countDown();
                try {
                    goesOn.await(30, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            CompletableFuture<Void> sent = nodes.a.send(nodes.a.allocate(8), nodes.toB, 1);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!stands.await(1, TimeUnit.MILLISECONDS) && System.nanoTime() < end) {
                nodes.a.progress();
            }
            assertThat(stands.getCount()).isZero();
            try (Caller caller = Caller.open(others.toB, 77)) {
                // nobody is there to answer
                assertThatThrownBy(() -> caller.call(new byte[1], Duration.ofMillis(100)).get(10, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class).hasMessageContaining("ETIMEDOUT");
            } finally {
                goesOn.countDown();
            }
            sent.get(20, TimeUnit.SECONDS);
        }
    }

    /** An answer that lies behind other messages is one. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("inProcess")
    void readsAllThatHasComeForCallersThatDoNotPoll(Providers.Choice choice) throws Exception {
        int messages = 600;
        try (FabricInfoList infos = choice.find(hints -> { }); Node sender = Node.open(infos.first());
                Node reader = Node.open(infos.first(), NodeOptions.DEFAULT.withCallerProgress());
                KeepAlive _ = KeepAlive.open(sender, Duration.ofMillis(INTERVAL), 1);
                KeepAlive asks = KeepAlive.open(reader, Duration.ofMillis(INTERVAL), 1)) {
            MemorySegment memory = reader.allocate(messages * 8L);
            List<CompletableFuture<Received>> receives = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                receives.add(reader.receive(memory.asSlice(i * 8L, 8), 1));
            }
            Peer toReader = sender.peer(reader.address());
            for (int i = 0; i < messages; i++) {
                sender.send(sender.allocate(8), toReader, 1);
            }
            Thread.sleep(INTERVAL / 4);
            CompletableFuture<Void> ended = asks.watch(reader.peer(sender.address()));
            Thread.sleep(4 * INTERVAL);
            assertThat(ended).isNotDone();
            assertThat(receives).allSatisfy(receive -> assertThat(receive).isDone());
        }
    }

    static Stream<Providers.Choice> withRendezvous() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    static Stream<Providers.Choice> inProcess() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    /** Two nodes, one of which watches the other with so many messages in an interval. */
    private static final class Several implements AutoCloseable {
        private final Nodes nodes;
        private final int messages;
        private final KeepAlive watched;
        private final KeepAlive watcher;
        private final CompletableFuture<Void> ended;

        private Several(Providers.Choice choice, int messages) {
            this.messages = messages;
            nodes = Nodes.open(choice, hints -> { });
            watched = KeepAlive.open(nodes.b, Duration.ofMillis(INTERVAL), messages);
            watcher = KeepAlive.open(nodes.a, Duration.ofMillis(INTERVAL), messages);
            ended = watcher.watch(nodes.toB);
        }

        @Override
        public void close() {
            nodes.close();
        }
    }

    @Test
    @Tag("long")
    void startedAnewAtTheSameAddress() throws Exception {
        overBoth(KeepAliveTest::startedAnew);
    }

    /** It is not watched, but watches. (Where a node has an address for the second time in a process.) */
    @Test
    void whoAsksIsStartedAnew() throws Exception {
        String provider = "tcp";
        String place = KeepAliveChild.place(provider);
        Duration interval = Duration.ofMillis(INTERVAL);
        try (Node node = KeepAliveChild.open(provider, null); KeepAlive _ = KeepAlive.open(node, interval, 4)) {
            CompletableFuture<Void> ended;
            byte[] address;
            try (Node first = KeepAliveChild.open(provider, place);
                    KeepAlive its = KeepAlive.open(first, interval, 4)) {
                address = first.address().bytes();
                ended = node.peer(address).ended();
                its.watch(first.peer(node.address()));
                awaitAnswer(its, first.peer(node.address()));
                // until it is known
                Thread.sleep(INTERVAL);
                assertThat(ended).isNotDone();
            }
            try (Node second = KeepAliveChild.open(provider, place);
                    KeepAlive its = KeepAlive.open(second, interval, 4)) {
                assertThat(second.address().bytes()).isEqualTo(address);
                long start = System.nanoTime();
                its.watch(second.peer(node.address()));
                assertThat(noticed(ended, start).error()).isEqualTo(FabricError.ECONNRESET);
            }
        }
    }

    private static void startedAnew(String provider) throws Exception {
        String place = KeepAliveChild.place(provider);
        try (Node node = KeepAliveChild.open(provider, null);
                KeepAlive alive = KeepAlive.open(node, Duration.ofMillis(INTERVAL), 4)) {
            byte[] address = null;
            for (int round = 0; round < 3; round++) {
                try (ChildJvm child = child(provider, place)) {
                    byte[] its = ChildAddress.of(child);
                    assertThat(address == null || HexFormat.of().formatHex(address)
                            .equals(HexFormat.of().formatHex(its))).isTrue();
                    address = its;
                    Peer peer = node.peer(address);
                    CompletableFuture<Void> ended = alive.watch(peer);
                    answers(peer);
                    long start = System.nanoTime();
                    signal(child, "KILL");
                    noticed(ended, start);
                }
            }
        } finally {
            if (provider.equals("shm")) {
                // of the last, which was killed
                Files.deleteIfExists(Path.of("/dev/shm", place + ":0:0"));
            }
        }
    }

    /** It is the same node as before, for who watches it and for whom it watches. */
    @ParameterizedTest
    @Tag("long")
    @ValueSource(strings = {"shm", "tcp"})
    void anotherKeepAliveOfTheSameNodeIsNoRestart(String provider) throws Exception {
        try (Hints hints = Hints.rdm().provider(provider); Node node = Node.open(hints);
                Node other = Node.open(hints)) {
            KeepAlive watching = KeepAlive.open(node);
            KeepAlive answering = KeepAlive.open(other);
            Peer peer = node.peer(other.address());
            Peer asker = other.peer(node.address());
            CompletableFuture<Void> ended = watching.watch(peer);
            awaitAnswer(watching, peer);

            answering.close();
            answering = KeepAlive.open(other);
            CompletableFuture<Void> askerEnded = answering.watch(asker);
            awaitAnswer(answering, asker);
            Thread.sleep(1000);
            assertThat(ended).isNotDone();

            watching.close();
            watching = KeepAlive.open(node);
            watching.watch(peer);
            awaitAnswer(watching, peer);
            Thread.sleep(1000);
            assertThat(askerEnded).isNotDone();
            assertThat(ended).isNotDone();
        }
    }

    private static void awaitAnswer(KeepAlive alive, Peer peer) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (alive.sinceLastAnswer(peer).isEmpty() && !peer.ended().isDone() && System.nanoTime() < end) {
            Thread.sleep(10);
        }
    }

    @Test
    void refusesWhatCannotBe() {
        try (Node node = KeepAliveChild.open("shm", null); Node other = KeepAliveChild.open("shm", null);
                KeepAlive alive = KeepAlive.open(node)) {
            assertThatThrownBy(() -> KeepAlive.open(node)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> KeepAlive.open(other, Duration.ofMillis(1), 4)).hasMessageContaining("interval");
            assertThatThrownBy(() -> KeepAlive.open(other, Duration.ofSeconds(1), 0)).hasMessageContaining("messages");
            assertThatThrownBy(() -> alive.watch(other.peer(node.address()))).hasMessageContaining("another node");
            assertThat(alive.sinceLastAnswer(node.peer(other.address()))).as("it is not watched").isEmpty();
        }
    }
}
