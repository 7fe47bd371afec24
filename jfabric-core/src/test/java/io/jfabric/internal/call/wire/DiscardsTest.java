// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Received;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.node.NodeImpl;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A payload that nobody wants any more is received, however many others are expected that never come: of tcp nothing
 * that follows it would come either.
 */
@Timeout(60)
class DiscardsTest {
    private static final long TAG = Wire.requests(5);
    /** More than tcp keeps. */
    private static final int LONG = 200_000;
    private static final int PLACES = 64;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM, Providers.TCP_RDM);
    }

    /** What is played, by who sends and who discards. */
    private interface Play {
        void play(Hub sender, Peer peer, Hub hub, Keeper service) throws Exception;
    }

    private static void play(Providers.Choice choice, Play play) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints); Node b = Node.open(hints)) {
            Keeper caller = new Keeper();
            Keeper service = new Keeper();
            Hub sender = Hub.join((NodeImpl) a, Wire.replies(1), caller);
            Peer peer = a.peer(b.address());
            play.play(sender, peer, Hub.join((NodeImpl) b, TAG, service), service);
            CompletableFuture<Received> letter = b.receive(b.allocate(8), 7);
            a.within(DEADLINE).send(a.allocate(8), peer, 7);
            assertThat(letter.get(28, TimeUnit.SECONDS).length()).isEqualTo(8);
            sender.leave(Wire.replies(1), caller, false);
        }
    }

    private static long tag(int count) {
        return Wire.eager(5, 0, count);
    }

    /** Payloads that are announced and never come, and one that does. */
    private static CompletableFuture<Void> discard(Hub sender, Peer peer, Hub hub, int inVain) {
        for (int i = 1; i <= inVain; i++) {
            hub.discards.add(LONG, tag(i));
        }
        hub.discards.add(LONG, tag(0));
        MemorySegment[] payload = {sender.wire.node.allocate(LONG)};
        return new Pieces(sender.wire, payload, peer, tag(0), true, () -> { }).send();
    }

    /** One that waits for a place as all callers and services are closed. */
    @ParameterizedTest
    @MethodSource("providers")
    void alsoAfterTheLastIsClosed(Providers.Choice choice) throws Exception {
        play(choice, (sender, peer, hub, service) -> {
            CompletableFuture<Void> sent = discard(sender, peer, hub, PLACES);
            hub.leave(TAG, service, false);
            assertThat(hub.isClosed()).isTrue();
            sent.get(20, TimeUnit.SECONDS);
        });
    }

    /** One that is given up after that. */
    @ParameterizedTest
    @MethodSource("providers")
    void alsoWhatIsGivenUpThen(Providers.Choice choice) throws Exception {
        play(choice, (sender, peer, hub, service) -> {
            hub.leave(TAG, service, false);
            assertThat(hub.isClosed()).isTrue();
            discard(sender, peer, hub, 0).get(20, TimeUnit.SECONDS);
            NodeImpl node = hub.wire.node;
            Waits.until("nothing is received any more", () -> node.underWay() == 0);
        });
    }

    /** They take turns, which are short. */
    @ParameterizedTest
    @MethodSource("providers")
    void soonThoughManyOthersComeFirst(Providers.Choice choice) throws Exception {
        play(choice, (sender, peer, hub, service) -> {
            discard(sender, peer, hub, 16 * PLACES).get(20, TimeUnit.SECONDS);
            hub.leave(TAG, service, false);
        });
    }
}
