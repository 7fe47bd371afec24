// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.async.CallException;
import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Peer;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long answers whose memory is freed while they wait behind another: the caller hears that nothing comes. */
@Timeout(90)
class FreedAnswerTest {
    private static final int LONG = 100_000;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** The service has asked where to send it. */
    @ParameterizedTest
    @MethodSource("providers")
    void answerThatWasAnnounced(Providers.Choice choice) throws Exception {
        freed(choice, false);
    }

    /** The caller has said where to send it before it was asked. */
    @ParameterizedTest
    @MethodSource("providers")
    void answerThatWasAwaited(Providers.Choice choice) throws Exception {
        freed(choice, true);
    }

    private static void freed(Providers.Choice choice, boolean awaited) throws Exception {
        NodeOptions oneAtATime = NodeOptions.DEFAULT.withTransmitLimit(100).withReceiveLimit(100).withPeerLimit(1);
        CompletableFuture<CompletableFuture<Void>> answer = new CompletableFuture<>();
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(LONG);
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints, oneAtATime);
                Service service = Service.open(b, 5, call -> {
                    if (call.request().byteSize() == 2) {
                        answer.complete(call.answer(memory));
                    } else {
                        call.answer(b.allocate(LONG));
                    }
                });
                CallerByHand slow = new CallerByHand(a, a.peer(b.address()), 5);
                Caller caller = Caller.open(a.peer(b.address()), 5)) {
            if (awaited) {
                caller.call(a.allocate(1), a.allocate(LONG), DEADLINE).get(20, TimeUnit.SECONDS);
            }
            slow.says(Frame.CALL, 1, 0, Frame.NO_DEADLINE, 0);
            CallerByHand.Said said = slow.hears();
            assertThat(said.type()).isEqualTo(Frame.ANSWER_LARGE);
            // room that it does not make yet
            long tag = payloadTag(slow, a);
            slow.says(Frame.GO, 1, LONG, tag, said.more());
            Peer toA = b.peer(a.address());
            Waits.spin("it is being sent", () -> toA.underWay() > 0 || service.underWay() == 0);
            CompletableFuture<MemorySegment> call = caller.call(a.allocate(2), a.allocate(LONG), DEADLINE);
            Waits.spin("it waits behind that", () -> toA.waiting() > 0 || toA.underWay() == 0);
            boolean waits = toA.waiting() > 0;
            arena.close();
            // shm since 2.0 may keep for its receiver what nobody receives yet
            assumeTrue(waits, "the other side has taken the answer that nobody receives");
            Wire.Incoming incoming = slow.hub.wire.receivePayload(a.allocate(LONG), tag, Duration.ofSeconds(20));
            assertThat(incoming.received().get(30, TimeUnit.SECONDS)).isEqualTo(LONG);
            assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
            assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS).get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IllegalStateException.class);
            assertThat(caller.call(new byte[1], DEADLINE).get(20, TimeUnit.SECONDS)).hasSize(LONG);
            Waits.spin("no call has its place any more", () -> service.underWay() == 0);
        }
    }

    /** One that nobody else uses: that of a receive which is given up. */
    private static long payloadTag(CallerByHand caller, Node node) {
        Wire.Incoming incoming = caller.hub.wire.receivePayload(node.allocate(1), Duration.ofSeconds(20));
        incoming.cancel();
        incoming.released().join();
        return incoming.tag();
    }

    /** Of more parts than a message may have, one is freed as all are copied. */
    @ParameterizedTest
    @MethodSource("providers")
    void answerThatIsCopied(Providers.Choice choice) throws Exception {
        CompletableFuture<IncomingCall> asked = new CompletableFuture<>();
        try (NodePair nodes = NodePair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
                Service service = Service.open(nodes.b, 5, call -> asked.complete((IncomingCall) call));
                Caller caller = Caller.open(nodes.toB, 5)) {
            CompletableFuture<byte[]> answer = caller.call(new byte[1], DEADLINE);
            IncomingCall call = asked.get(20, TimeUnit.SECONDS);
            MemorySegment[] parts = new MemorySegment[(int) nodes.b.info().tx().iovLimit() + 1];
            Arrays.fill(parts, MemorySegment.ofArray(new byte[LONG]));
            try (Arena arena = Arena.ofShared()) {
                parts[1] = arena.allocate(LONG);
            }
            assertThat(call.claim()).isTrue();
            assertThatThrownBy(() -> ((ServiceImpl) service).ends().answer(call, parts))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(CallException.class)
                    .hasMessageContaining("closed");
            assertThat(service.underWay()).isZero();
        }
    }
}
