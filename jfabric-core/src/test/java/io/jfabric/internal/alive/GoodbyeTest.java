// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Group;
import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who closes its node says so to those who watch it. */
@Timeout(60)
@SuppressWarnings("try")
class GoodbyeTest {
    /** Nobody is found silent meanwhile. */
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final int OFTEN = 100;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    /** In one process shm forgets the address of who is closed. */
    static Stream<Providers.Choice> others() {
        return Providers.offered(Providers.RXM, Providers.TCP_RDM);
    }

    /** How a node is closed. */
    private interface Closer {
        void close(Node node, KeepAlive alive) throws Exception;
    }

    @ParameterizedTest
    @MethodSource("providers")
    void isHeardAtOnce(Providers.Choice choice) throws Exception {
        hears(choice, NodeOptions.DEFAULT, NodeOptions.DEFAULT, (node, alive) -> node.close());
    }

    /** As try-with-resources does. */
    @ParameterizedTest
    @MethodSource("providers")
    void alsoAfterTheKeepAliveWasClosed(Providers.Choice choice) throws Exception {
        hears(choice, NodeOptions.DEFAULT, NodeOptions.DEFAULT, (node, alive) -> {
            alive.close();
            node.close();
        });
    }

    @ParameterizedTest
    @MethodSource("providers")
    void ofANodeWhoseCallersMakeAllProgress(Providers.Choice choice) throws Exception {
        hears(choice, NodeOptions.DEFAULT.withCallerProgress(), NodeOptions.DEFAULT, (node, alive) -> node.close());
    }

    @ParameterizedTest
    @MethodSource("providers")
    void byANodeWhoseCallersMakeAllProgress(Providers.Choice choice) throws Exception {
        hears(choice, NodeOptions.DEFAULT, NodeOptions.DEFAULT.withCallerProgress(), (node, alive) -> node.close());
    }

    @ParameterizedTest
    @MethodSource("providers")
    void ofANodeThatIsClosedInACallback(Providers.Choice choice) throws Exception {
        hears(choice, NodeOptions.DEFAULT, NodeOptions.DEFAULT, (node, alive) -> {
            CompletableFuture<Void> closed = node.receive(node.allocate(8), 1).thenRun(node::close);
            node.send(node.allocate(8), node.peer(node.address()), 1);
            closed.get(20, TimeUnit.SECONDS);
        });
    }

    private static void hears(Providers.Choice choice, NodeOptions its, NodeOptions watchers, Closer closer)
            throws Exception {
        try (FabricInfoList infos = choice.find(hints -> { }); Node node = Node.open(infos.first(), its);
                KeepAlive answering = KeepAlive.open(node, LONG, OFTEN);
                Node watcher = Node.open(infos.first(), watchers);
                KeepAlive alive = KeepAlive.open(watcher, LONG, OFTEN)) {
            CompletableFuture<Void> ended = watch(alive, watcher.peer(node.address()));
            CompletableFuture<Void> itself = answering.watch(node.peer(node.address()));
            closer.close(node, answering);
            isToldThatItIsClosed(ended);
            assertThat(itself.get(10, TimeUnit.SECONDS)).as("what the node is to itself ends as ever").isNull();
        }
    }

    private static CompletableFuture<Void> watch(KeepAlive alive, Peer peer) {
        CompletableFuture<Void> ended = alive.watch(peer);
        Waits.until("it has answered", () -> alive.sinceLastAnswer(peer).isPresent());
        return ended;
    }

    private static void isToldThatItIsClosed(CompletableFuture<Void> ended) {
        assertThatThrownBy(() -> ended.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class)
                .hasMessageContaining("it has closed its node");
        assertThat(((FabricException) ended.exceptionNow()).error()).isEqualTo(FabricError.ECONNRESET);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void isNotHeldUpByTheDead(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> { })) {
            List<Node> watchers = new ArrayList<>();
            List<CompletableFuture<Void>> ended = new ArrayList<>();
            long took;
            try (Node node = Node.open(infos.first()); KeepAlive _ = KeepAlive.open(node, LONG, OFTEN)) {
                for (int i = 0; i < 8; i++) {
                    Node watcher = Node.open(infos.first());
                    watchers.add(watcher);
                    ended.add(watch(KeepAlive.open(watcher, LONG, OFTEN), watcher.peer(node.address())));
                }
                // the node does not watch them
                watchers.subList(0, 3).forEach(Node::close);
                long began = System.nanoTime();
                node.close();
                took = System.nanoTime() - began;
                ended.subList(3, 8).forEach(GoodbyeTest::isToldThatItIsClosed);
            } finally {
                watchers.forEach(Node::close);
            }
            assertThat(Duration.ofNanos(took)).isLessThan(Duration.ofSeconds(1));
        }
    }

    /** It may have done its part, and others be busy with the same operation. */
    @ParameterizedTest
    @MethodSource("providers")
    void doesNotEndMembersOfGroupsAtOnce(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> { }); Node node = Node.open(infos.first());
                KeepAlive _ = KeepAlive.open(node, LONG, OFTEN); Node watcher = Node.open(infos.first());
                KeepAlive alive = KeepAlive.open(watcher, Duration.ofSeconds(2), 4)) {
            List<byte[]> addresses = List.of(node.address().bytes(), watcher.address().bytes());
            Group its = Group.ofAddresses(node, addresses);
            Group group = Group.ofAddresses(watcher, addresses);
            CompletableFuture<Void> ended = watch(alive, watcher.peer(node.address()));
            its.barrier();
            node.close();
            Thread.sleep(300);
            assertThat(ended).isNotDone();
            isToldThatItIsClosed(ended);
            assertThat(group.shrink(1, Duration.ofSeconds(10)).get(20, TimeUnit.SECONDS).group().size()).isEqualTo(1);
        }
    }

    /** One after the other, from this peer alone: the last of them after it was closed. */
    @ParameterizedTest
    @MethodSource("others")
    void leavesWhatItHasSentToWhoReceivesFromIt(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.DIRECTED_RECV)); Node node = Node.open(infos.first());
                KeepAlive _ = KeepAlive.open(node, LONG, OFTEN); Node watcher = Node.open(infos.first());
                KeepAlive alive = KeepAlive.open(watcher, Duration.ofSeconds(2), 4)) {
            Peer sender = watcher.peer(node.address());
            CompletableFuture<Void> ended = watch(alive, sender);
            for (int i = 0; i < 8; i++) {
                node.send(node.allocate(64), node.peer(watcher.address()), 7).get(20, TimeUnit.SECONDS);
            }
            MemorySegment room = watcher.allocate(64);
            watcher.receive(room, sender, 7).get(20, TimeUnit.SECONDS);
            node.close();
            Thread.sleep(100);
            for (int i = 1; i < 8; i++) {
                watcher.receive(room, sender, 7).get(20, TimeUnit.SECONDS);
            }
            isToldThatItIsClosed(ended);
        }
    }

    /** Who did not hear with what key it is asked. */
    @ParameterizedTest
    @MethodSource("providers")
    void ofAnotherIsNotBelieved(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> { }); Node node = Node.open(infos.first());
                KeepAlive _ = KeepAlive.open(node, LONG, OFTEN); Node watcher = Node.open(infos.first());
                KeepAlive alive = KeepAlive.open(watcher, LONG, OFTEN); Node stranger = Node.open(infos.first())) {
            CompletableFuture<Void> ended = watch(alive, watcher.peer(node.address()));
            MemorySegment goodbye = stranger.allocate(Beat.HEADER);
            Beat.write(goodbye, Beat.GOODBYE, 42, 42, 0);
            ((NodeImpl) stranger).internal().send(goodbye, 0, Beat.HEADER, stranger.peer(watcher.address()),
                    OwnTags.ALIVE).get(20, TimeUnit.SECONDS);
            Thread.sleep(100);
            assertThat(ended).isNotDone();
        }
    }
}
