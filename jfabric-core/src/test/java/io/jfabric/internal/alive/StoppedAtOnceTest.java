// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.alive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.KeepAlive;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.internal.async.operation.OwnTags;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A peer that asks once, is silent from then on, and is given up. It speaks by hand. */
@Timeout(60)
class StoppedAtOnceTest {
    private static final long KEY = 5;
    private static final long WHO_KEY = 50;
    private static final long PROCESS = 7;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** A node with a keep-alive, and one that speaks by hand. */
    private static final class Two implements AutoCloseable {
        private final Node node;
        private final Node other;
        private final Peer back;
        private final Peer there;
        private final KeepAlive alive;
        private final MemorySegment beat;

        Two(Providers.Choice choice, Duration interval) throws Exception {
            try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED)) {
                node = Node.open(hints);
                other = Node.open(hints);
            }
            back = other.peer(node.address());
            there = node.peer(other.address());
            // or the provider may refuse the first answers, and the other does not ask again
            CompletableFuture<Void> sent = node.send(node.allocate(8), there, 1);
            other.receive(other.allocate(8), 1).get(20, TimeUnit.SECONDS);
            other.send(other.allocate(8), back, 1);
            node.receive(node.allocate(8), 1).get(20, TimeUnit.SECONDS);
            sent.get(20, TimeUnit.SECONDS);
            alive = KeepAlive.open(node, interval, 4);
            beat = other.allocate(Beat.LARGEST);
        }

        /** The next message to the other, which is in {@link #beat} then. */
        int hear() throws Exception {
            ((NodeImpl) other).internal().receive(beat, OwnTags.ALIVE).get(20, TimeUnit.SECONDS);
            return Beat.type(beat);
        }

        /** The key of the next question of that type. */
        long hearQuestion(int type) throws Exception {
            while (hear() != type) {
                assertThat(Beat.type(beat)).isNotEqualTo(Beat.GIVEN_UP);
            }
            return Beat.key(beat);
        }

        /** What is answered to its question. */
        int hearAnswer() throws Exception {
            int type = hear();
            while (type == Beat.PING || type == Beat.WHO) {
                type = hear();
            }
            return type;
        }

        void ask(int type, long key) throws Exception {
            byte[] address = other.address().bytes();
            Beat.write(beat, type, key, PROCESS, address.length);
            MemorySegment.copy(address, 0, beat, ValueLayout.JAVA_BYTE, Beat.HEADER, address.length);
            send(Beat.HEADER + address.length);
        }

        void answer(long key) throws Exception {
            Beat.write(beat, Beat.PONG, key, PROCESS, 0);
            send(Beat.HEADER);
        }

        private void send(long length) throws Exception {
            ((NodeImpl) other).internal().send(beat, 0, length, back, OwnTags.ALIVE).get(20, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            node.close();
            other.close();
        }
    }

    /** Also if it has answered none of the questions, or not that of who it is. */
    @ParameterizedTest
    @MethodSource("providers")
    void isToldWhenItGoesOn(Providers.Choice choice) throws Exception {
        for (int answers = 0; answers <= 2; answers++) {
            try (Two two = new Two(choice, Duration.ofMillis(200))) {
                two.ask(Beat.PING, KEY);
                assertThat(two.hearAnswer()).isEqualTo(Beat.PONG);
                if (answers == 2) {
                    two.answer(two.hearQuestion(Beat.WHO));
                }
                // as one that is asked itself does
                two.ask(Beat.WHO, WHO_KEY);
                assertThat(two.hearAnswer()).isEqualTo(Beat.PONG);
                CompletableFuture<Void> ended = two.alive.watch(two.there);
                if (answers > 0) {
                    two.answer(two.hearQuestion(Beat.PING));
                }
                assertThatThrownBy(() -> ended.get(20, TimeUnit.SECONDS)).hasMessageContaining("FI_EHOSTDOWN");
                two.ask(Beat.WHO, WHO_KEY);
                assertThat(two.hearAnswer()).as("which process").isEqualTo(Beat.PONG);
                two.ask(Beat.PING, KEY);
                assertThat(two.hearAnswer()).as("%s answers", answers).isEqualTo(Beat.GIVEN_UP);
                two.ask(Beat.PING, KEY + 1);
                assertThat(two.hearAnswer()).as("a new watch").isEqualTo(Beat.PONG);
            }
        }
    }

    /** Or it would be given up, and told so, as soon as it is there, by who has asked it for long. */
    @ParameterizedTest
    @MethodSource("providers")
    void whoSaysWhichProcessItIsHasAnswered(Providers.Choice choice) throws Exception {
        try (Two two = new Two(choice, Duration.ofSeconds(20))) {
            two.ask(Beat.PING, KEY);
            long who = two.hearQuestion(Beat.WHO);
            two.alive.watch(two.there);
            assertThat(two.alive.sinceLastAnswer(two.there)).isEmpty();
            two.answer(who);
            Waits.until("it has answered", () -> two.alive.sinceLastAnswer(two.there).isPresent());
        }
    }
}
