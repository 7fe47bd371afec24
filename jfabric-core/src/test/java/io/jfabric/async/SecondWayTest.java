// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.Fabric;
import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.OpenObject;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testing.ChildAddress;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers whose messages nobody receives are as alive as others, also where nothing more of them is read meanwhile. */
@Timeout(90)
class SecondWayTest {
    private static final Duration INTERVAL = Duration.ofMillis(Long.getLong("jfabric.test.interval", 600));
    /** Twice the interval is promised; the rest is for a machine with much to do. */
    private static final Duration NOTICED = INTERVAL.multipliedBy(2).plusMillis(1000);
    /** More tagged ones than are kept. */
    private static final int MANY = 100;
    private static final String DEAD = "it has not answered for";

    /** Two nodes that watch each other, and send each other what nobody receives. */
    private static final class Two implements AutoCloseable {
        private final String what;
        private final boolean tagged;
        private final Node[] nodes = new Node[2];
        private final Peer[] peers = new Peer[2];
        private final KeepAlive[] alive = new KeepAlive[2];
        private final List<CompletableFuture<Void>> ends = new ArrayList<>();
        private final List<CompletableFuture<Void>> sent = new ArrayList<>();

        Two(String host, NodeOptions options, int messages, boolean tagged) throws Exception {
            what = host + (options.callerProgress() ? " with caller progress, " : ", ") + messages + " messages, "
                    + (tagged ? "tagged" : "untagged");
            this.tagged = tagged;
            for (int i = 0; i < 2; i++) {
                nodes[i] = KeepAliveChild.open("tcp", KeepAliveChild.place("tcp"), host, options);
                alive[i] = KeepAlive.open(nodes[i], INTERVAL, messages);
            }
            for (int i = 0; i < 2; i++) {
                peers[i] = nodes[i].peer(nodes[1 - i].address().bytes());
                ends.add(alive[i].watch(peers[i]));
            }
        }

        void send() {
            for (int i = 0; i < 2; i++) {
                int from = i;
                Waits.until(what + ": the peer has answered",
                        () -> alive[from].sinceLastAnswer(peers[from]).isPresent());
            }
            for (int i = 0; i < (tagged ? MANY : 1); i++) {
                for (int from = 0; from < 2; from++) {
                    MemorySegment message = nodes[from].allocate(8);
                    message.set(ValueLayout.JAVA_LONG, 0, 10L * i + from);
                    sent.add(tagged ? nodes[from].send(message, peers[from], 5)
                            : nodes[from].send(message, peers[from]));
                }
            }
        }

        void live() {
            for (int i = 0; i < 2; i++) {
                int at = i;
                assertThat(ends.get(i)).as(what).isNotDone();
                Waits.until(what + ": the peer has answered lately", () -> alive[at].sinceLastAnswer(peers[at])
                        .orElseThrow().compareTo(INTERVAL) < 0);
            }
        }

        void receive() throws Exception {
            for (int i = 0; i < (tagged ? MANY : 1); i++) {
                for (int at = 0; at < 2; at++) {
                    MemorySegment into = nodes[at].allocate(8);
                    nodes[at].await(tagged ? nodes[at].receive(into, 5) : nodes[at].receive(into),
                            Duration.ofSeconds(20));
                    assertThat(into.get(ValueLayout.JAVA_LONG, 0)).as(what).isEqualTo(10L * i + 1 - at);
                }
            }
            for (CompletableFuture<Void> each : sent) {
                nodes[0].await(each, Duration.ofSeconds(20));
            }
            assertThat(nodes[0].statistics().bytesReceived()).as("without those of keep-alive")
                    .isEqualTo(tagged ? 8 * MANY : 8);
        }

        @Override
        public void close() {
            Stream.of(nodes).forEach(Node::close);
        }
    }

    /** At ports that were asked for, where the next endpoint cannot be. */
    @Test
    void areNotDeadWhileTheirMessagesWait() throws Exception {
        Providers.TCP_RDM.assumeOffered();
        NodeOptions caller = NodeOptions.DEFAULT.withCallerProgress();
        try (Two one = new Two("127.0.0.1", NodeOptions.DEFAULT, 4, false);
                Two two = new Two("::1", NodeOptions.DEFAULT, 4, true);
                Two three = new Two("127.0.0.1", caller, 4, false);
                Two four = new Two("127.0.0.1", NodeOptions.DEFAULT, 1, true);
                Two closed = new Two("127.0.0.1", NodeOptions.DEFAULT, 1, false)) {
            closed.send();
            List<Two> all = List.of(one, two, three, four);
            all.forEach(Two::send);
            Thread.sleep(INTERVAL.multipliedBy(4));
            all.forEach(Two::live);
            closed.live();
            closed.nodes[0].close();
            assertThatThrownBy(() -> closed.ends.get(1).get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("it has closed its node");
            for (Two each : all) {
                each.receive();
            }
            all.forEach(Two::live);
        }
    }

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.TCP_RDM, Providers.RXM, Providers.SHM);
    }

    /** One is opened where it is needed, once for a node, and closed with it. */
    @ParameterizedTest
    @MethodSource("providers")
    void theSecondEndpointIsTheNodes(Providers.Choice choice) {
        int expected = choice.equals(Providers.TCP_RDM) ? 2 : 1;
        long last = Fabric.openObjects().stream().mapToLong(OpenObject::number).max().orElse(0);
        try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
                Node node = Node.open(infos.first())) {
            assertThat(endpointsSince(last)).isEqualTo(1);
            for (int i = 0; i < 2; i++) {
                try (KeepAlive _ = KeepAlive.open(node)) {
                    assertThat(endpointsSince(last)).isEqualTo(expected);
                }
            }
        }
        assertThat(endpointsSince(last)).isZero();
    }

    private static long endpointsSince(long last) {
        return Fabric.openObjects().stream().filter(each -> each.number() > last && each.kind().equals("Endpoint"))
                .count();
    }

    /** Another process, that ends or stops while messages of both wait, and comes again at its address. */
    @Test
    @Tag("long")
    void whoDiesMeanwhileIsNoticed() throws Exception {
        Providers.TCP_RDM.assumeOffered();
        try (Node node = KeepAliveChild.open("tcp", null); KeepAlive alive = KeepAlive.open(node, INTERVAL, 4);
                ChildJvm child = ChildJvm.of(KeepAliveChild.class, "tcp", Long.toString(INTERVAL.toMillis()),
                        KeepAliveChild.place("tcp")).start()) {
            CompletableFuture<Void> ended = watchEachOther(alive, child);
            long start = System.nanoTime();
            child.kill();
            isNoticed(ended, start);
            try (ChildJvm again = child.restart()) {
                CompletableFuture<Void> then = watchEachOther(alive, again);
                long stopped = System.nanoTime();
                again.stop();
                isNoticed(then, stopped);
                again.resume();
            }
        }
    }

    private static CompletableFuture<Void> watchEachOther(KeepAlive alive, ChildJvm child) throws Exception {
        Node node = alive.node();
        Peer peer = node.peer(ChildAddress.of(child));
        CompletableFuture<Void> ended = alive.watch(peer);
        String me = HexFormat.of().formatHex(node.address().bytes());
        child.tell("watch " + me);
        child.awaitLine(line -> line.startsWith("heard "));
        Waits.until("it has answered", () -> alive.sinceLastAnswer(peer).isPresent());
        node.send(node.allocate(8), peer);
        child.tell("send " + me);
        child.awaitLine(line -> line.equals("sent"));
        Thread.sleep(INTERVAL.multipliedBy(4));
        assertThat(ended).isNotDone();
        assertThat(child.output()).doesNotContain("ended: ", "open a domain for each endpoint");
        return ended;
    }

    private static void isNoticed(CompletableFuture<Void> ended, long since) {
        assertThatThrownBy(() -> ended.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(FabricException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(NOTICED);
        FabricException why = (FabricException) ended.exceptionNow();
        assertThat(why.error()).isEqualTo(FabricError.EHOSTDOWN);
        assertThat(why).hasMessageContaining(DEAD);
    }
}
