// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who says in another's name that its process is a new one. */
@Timeout(60)
@Tag("long")
class ForgedQuestionTest {
    private static final Duration INTERVAL = Duration.ofMillis(800);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void isNotBelieved(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node node = Node.open(hints);
                Node victim = Node.open(hints);
                Node stranger = Node.open(hints);
                KeepAlive alive = KeepAlive.open(node, INTERVAL, 4);
                KeepAlive victims = KeepAlive.open(victim, INTERVAL, 4)) {
            Peer peer = node.peer(victim.address());
            Peer back = victim.peer(node.address());
            CompletableFuture<Void> watched = victims.watch(back);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (victims.sinceLastAnswer(back).isEmpty() && System.nanoTime() - end < 0) {
                Thread.sleep(1);
            }
            for (int i = 0; i < 8; i++) {
                asks(stranger, node, victim.address().bytes(), 4242 + i % 2);
                // in its own name, which is answered after that
                asks(stranger, node, stranger.address().bytes(), 1);
                MemorySegment heard = stranger.allocate(Beat.LARGEST);
                do {
                    ((NodeImpl) stranger).internal().receive(heard, OwnTags.ALIVE).get(20, TimeUnit.SECONDS);
                } while (Beat.type(heard) != Beat.PONG);
                Thread.sleep(INTERVAL.toMillis() / 4);
            }
            assertThat(alive.sinceLastAnswer(peer)).as("it is not watched").isEmpty();
            assertThat(peer.ended()).as("what the victim is to the node").isNotDone();
            assertThat(watched).as("what the node is to the victim").isNotDone();
        }
    }

    private static void asks(Node from, Node to, byte[] inTheNameOf, long incarnation) throws Exception {
        MemorySegment question = from.allocate(Beat.HEADER + inTheNameOf.length);
        Beat.write(question, Beat.PING, 5, incarnation, inTheNameOf.length);
        MemorySegment.copy(inTheNameOf, 0, question, ValueLayout.JAVA_BYTE, Beat.HEADER, inTheNameOf.length);
        ((NodeImpl) from).internal().send(question, 0, question.byteSize(), from.peer(to.address()), OwnTags.ALIVE)
                .get(20, TimeUnit.SECONDS);
    }
}
