// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.caller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.async.operation.TaggedSend;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.RawHeader;
import io.jfabric.internal.call.wire.Wire;
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

/** What cannot be sent to a service, which was made by hand, is withdrawn: it keeps a place for it. */
@Timeout(60)
class WithdrawalsTest {
    private static final int LONG = 8 << 20;
    private static final int EARLY = 6000;
    private static final Duration DEADLINE = Duration.ofSeconds(40);
    /** Of what is sent. */
    private static final Duration SOON = Duration.ofMillis(1500);

    /** Of shm a long message that nobody receives is over at once, since libfabric 2. */
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.RXM);
    }

    /** What is played. */
    private interface Play {
        void play(SilentService service, Caller caller, Peer peer, Node a, Node b) throws Exception;
    }

    /** The peer takes so many operations at a time. */
    private static void play(Providers.Choice choice, int limit, Play play) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints, NodeOptions.DEFAULT.withPeerLimit(limit).withDeadline(SOON));
                Node b = Node.open(hints)) {
            SilentService service = new SilentService(b, LONG);
            service.join();
            Peer peer = a.peer(b.address());
            try (Caller caller = Caller.open(peer, ServiceByHand.NUMBER)) {
                // until there is a session
                caller.call(new byte[1], DEADLINE);
                service.says(Frame.ANSWER, service.next().id(), 0, 0);
                play.play(service, caller, peer, a, b);
            }
        }
    }

    /** The one message to the peer, until it is received; and one that waits, so that nothing overtakes it. */
    private static void block(Node a, Peer peer) {
        a.within(DEADLINE).send(a.allocate(LONG), peer, 1);
        a.within(DEADLINE).send(a.allocate(8), peer, 2);
        assertThat(peer.waiting()).isOne();
    }

    private static void unblock(Node b) throws Exception {
        assertThat(b.receive(b.allocate(LONG), 1).get(20, TimeUnit.SECONDS).length()).isEqualTo(LONG);
    }

    private static void assertThatIsWithdrawn(SilentService service, int first, RawHeader call, long more)
            throws Exception {
        assertThat(service.next()).isEqualTo(new RawHeader(RawHeader.first(first), 1, 1, call.id(), 0, 0, more));
    }

    /** A request that is not taken in time. */
    @ParameterizedTest
    @MethodSource("providers")
    void request(Providers.Choice choice) throws Exception {
        play(choice, 2, (service, caller, peer, a, b) -> {
            CompletableFuture<byte[]> call = caller.call(new byte[LONG], SOON);
            RawHeader large = service.next();
            MemorySegment room = b.allocate(LONG);
            long tag = 1L << 61 | 1L << 56 | 3L << 48 | 9;
            assertThat(Wire.isPayload(tag)).isTrue();
            service.says(Frame.GO, large.id(), LONG, tag);
            assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS)).hasMessageContaining("FI_ETIMEDOUT");
            assertThatIsWithdrawn(service, Frame.REQUEST_DROPPED, large, 0);
            service.hub().wire.receivePayload(room, tag, DEADLINE).received().get(20, TimeUnit.SECONDS);
        });
    }

    /** One whose announcement was not sent is not sent either. */
    @ParameterizedTest
    @MethodSource("providers")
    void announcement(Providers.Choice choice) throws Exception {
        play(choice, 1, (service, caller, peer, a, b) -> {
            block(a, peer);
            long sent = a.statistics().bytesSent();
            CompletableFuture<byte[]> call = caller.call(new byte[EARLY], DEADLINE);
            assertThat(peer.waiting()).isEqualTo(2);
            FabricException why = FabricException.of("a test", 5, null);
            ((PeerImpl) peer).transmits().drop(one -> one instanceof TaggedSend send && !send.isBy(null), why);
            assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS)).hasRootCause(why);
            unblock(b);
            RawHeader withdrawn = service.next();
            assertThat(withdrawn.first()).isEqualTo(RawHeader.first(Frame.REQUEST_DROPPED));
            Waits.until("all is sent", () -> peer.waiting() == 0);
            assertThat(a.statistics().bytesSent() - sent).isLessThan(LONG + EARLY);
        });
    }

    /** Where the answer is to be sent. */
    @ParameterizedTest
    @MethodSource("providers")
    void placeOfAnAnswer(Providers.Choice choice) throws Exception {
        play(choice, 1, (service, caller, peer, a, b) -> {
            CompletableFuture<byte[]> call = caller.call(new byte[1], DEADLINE);
            RawHeader asked = service.next();
            block(a, peer);
            service.says(Frame.ANSWER_LARGE, asked.id(), EARLY, 77);
            assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("could not be told where to send the answer")
                    .cause().hasCauseInstanceOf(FabricException.class);
            unblock(b);
            assertThatIsWithdrawn(service, Frame.ANSWER_DROPPED, asked, 77);
        });
    }
}
