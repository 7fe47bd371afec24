// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.FabricException;
import io.jfabric.async.Call;
import io.jfabric.async.CallHandler;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.async.peer.PeerImpl;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A long answer that cannot be sent: its call fails, and no other of the same caller. */
@Timeout(60)
class FailedAnswerTest {
    private static final int LONG = 100_000;
    private static final Duration DEADLINE = Duration.ofSeconds(40);
    private static final FabricException WHY = FabricException.of("a test", 5, null);

    /** What is played. */
    private interface Play {
        void play(Node a, Node b, Peer toB, PeerImpl toA) throws Exception;
    }

    /** With messages of that size at most; the service sends one at a time. */
    private static void play(int messageSize, Play play) throws Exception {
        Providers.RXM.assumeOffered();
        try (FabricInfoList infos = Providers.RXM.find(hints -> hints.capabilities(Capability.MSG,
                Capability.TAGGED))) {
            FabricInfo info = infos.first();
            info.endpoint().maxMessageSize(messageSize);
            try (Node a = Node.open(info); Node b = Node.open(info, NodeOptions.DEFAULT.withPeerLimit(1))) {
                play.play(a, b, a.peer(b.address()), (PeerImpl) b.peer(a.address()));
            }
        }
    }

    /** Answers requests of two bytes so that the answer's end is known, keeps those of three. */
    private static CallHandler handler(Node b, CompletableFuture<CompletableFuture<Void>> answer,
            CompletableFuture<Call> kept) {
        return call -> {
            switch ((int) call.request().byteSize()) {
                case 2 -> answer.complete(call.answer(b.allocate(LONG)));
                case 3 -> kept.complete(call);
                default -> call.answer(b.allocate(LONG));
            }
        };
    }

    /** The caller has made room for it before it was asked. */
    @Test
    void thatIsAwaited() throws Exception {
        play(LONG, (a, b, toB, toA) -> {
            CompletableFuture<CompletableFuture<Void>> answer = new CompletableFuture<>();
            CompletableFuture<Call> kept = new CompletableFuture<>();
            try (Service service = Service.open(b, 5, handler(b, answer, kept)); Caller caller = Caller.open(toB, 5)) {
                CompletableFuture<byte[]> other = caller.call(new byte[3], DEADLINE);
                caller.call(a.allocate(1), a.allocate(LONG), DEADLINE).get(20, TimeUnit.SECONDS);
                sendUnasked(b, toA, LONG);
                CompletableFuture<MemorySegment> call = caller.call(a.allocate(2), a.allocate(LONG), DEADLINE);
                dropFirst(toA, 1);
                a.receive(a.allocate(LONG), 1).get(20, TimeUnit.SECONDS);
                assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS)).hasMessageContaining(WHY.getMessage());
                assertThatThrownBy(() -> answer.get().get(20, TimeUnit.SECONDS)).hasCause(WHY);
                kept.get().answer(new byte[7]);
                assertThat(other.get(20, TimeUnit.SECONDS)).hasSize(7);
                Waits.until("no call has its place any more", () -> service.underWay() == 0);
            }
        });
    }

    /** The caller, made by hand, has made room for it when it was announced: that gets less than was announced. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void thatWasAnnounced(int pieces) throws Exception {
        play(LONG / pieces, (a, b, toB, toA) -> {
            CompletableFuture<CompletableFuture<Void>> answer = new CompletableFuture<>();
            try (Service service = Service.open(b, 5, handler(b, answer, new CompletableFuture<>()));
                    CallerByHand caller = new CallerByHand(a, toB, 5)) {
                caller.says(Frame.CALL, 1, 2, Frame.NO_DEADLINE, 0);
                CallerByHand.Said announced = caller.hears();
                sendUnasked(b, toA, LONG / pieces);
                Wire.Incoming incoming = caller.hub.wire.receivePayload(a.allocate(LONG), DEADLINE);
                caller.says(Frame.GO, 1, LONG, incoming.tag(), announced.more());
                dropFirst(toA, pieces);
                a.receive(a.allocate(LONG), 1).get(20, TimeUnit.SECONDS);
                assertThat(incoming.received().get(20, TimeUnit.SECONDS)).isLessThan(LONG);
                assertThatThrownBy(() -> answer.get().get(20, TimeUnit.SECONDS)).hasCause(WHY);
                Waits.until("it has no place any more", () -> service.underWay() == 0);
                assertThat(service.callers()).isOne();
            }
        });
    }

    /** Takes the only place for a message, until that is received; what was sent before may still have it. */
    private static void sendUnasked(Node from, PeerImpl to, long size) {
        Waits.until("nothing is under way", () -> to.transmits().underWay() + to.waiting() == 0);
        from.send(from.allocate(size), to, 1);
    }

    private static void dropFirst(PeerImpl peer, int pieces) {
        Waits.until("the answer waits", () -> peer.waiting() == pieces);
        AtomicBoolean first = new AtomicBoolean(true);
        peer.transmits().drop(one -> first.getAndSet(false), WHY);
    }
}
