// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Caller;
import io.jfabric.async.Node;
import io.jfabric.async.Peer;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.info.Hints;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a service tells a caller that was slower than it has patience; with a caller made by hand. */
@Timeout(60)
class LostAnswerTest {
    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** The caller says where to send an answer that the service has given up: it is told that nothing comes. */
    @ParameterizedTest
    @MethodSource("providers")
    void roomForAnAnswerThatWasGivenUp(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service _ = Service.open(b, 5, call -> call.answer(new byte[1]));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
            MemorySegment room = a.allocate(100_000);
            Wire.Incoming incoming = caller.hub.wire.receivePayload(room, Duration.ofSeconds(20));
            caller.says(Frame.GO, 1, room.byteSize(), incoming.tag(), 77);
            assertThat(incoming.received().get(30, TimeUnit.SECONDS)).isZero();
        }
    }

    /** Who makes room for the answer to somebody else's call is told that nothing comes; the other still gets it. */
    @ParameterizedTest
    @MethodSource("providers")
    void roomForAnAnswerOfAnother(Providers.Choice choice) throws Exception {
        int size = 100_000;
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service _ = Service.open(b, 5, call -> call.answer(b.allocate(size)));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5);
                CallerByHand other = new CallerByHand(a, a.peer(b.address()), 5)) {
            caller.says(Frame.CALL, 1, 0, Frame.NO_DEADLINE, 0);
            CallerByHand.Said announced = caller.hears();
            assertThat(announced.type()).isEqualTo(Frame.ANSWER_LARGE);
            MemorySegment room = a.allocate(size);
            Wire.Incoming stolen = other.hub.wire.receivePayload(room, Duration.ofSeconds(20));
            other.says(Frame.GO, 1, size, stolen.tag(), announced.more());
            assertThat(stolen.received().get(30, TimeUnit.SECONDS)).isZero();
            Wire.Incoming incoming = caller.hub.wire.receivePayload(room, Duration.ofSeconds(20));
            caller.says(Frame.GO, 1, size, incoming.tag(), announced.more());
            assertThat(incoming.received().get(30, TimeUnit.SECONDS)).isEqualTo(size);
        }
    }

    /** A caller that has said goodbye before it has made room keeps no place. */
    @ParameterizedTest
    @MethodSource("providers")
    void answerToWhoIsGone(Providers.Choice choice) throws Exception {
        CompletableFuture<CompletableFuture<Void>> answer = new CompletableFuture<>();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints);
                Service service = Service.open(b, 5, call -> answer.complete(call.answer(b.allocate(100_000))),
                        ServiceOptions.DEFAULT.withLimit(1));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
            caller.says(Frame.CALL, 1, 0, Frame.NO_DEADLINE, 0);
            assertThat(caller.hears().type()).isEqualTo(Frame.ANSWER_LARGE);
            assertThat(service.underWay()).isOne();
            caller.says(Frame.BYE, 0, 0, 0, 0);
            assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS).get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("the caller is gone");
            assertThat(service.underWay()).isZero();
        }
    }

    /** It would be of more messages than anybody can send. */
    @ParameterizedTest
    @MethodSource("providers")
    void roomForMoreThanThereIs(Providers.Choice choice) throws Exception {
        try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED))) {
            FabricInfo info = infos.first();
            info.endpoint().maxMessageSize(16 << 10);
            try (Node a = Node.open(info); Node b = Node.open(info);
                    Service _ = Service.open(b, 5, call -> call.answer(new byte[1]))) {
                Peer peer = a.peer(b.address());
                try (CallerByHand hostile = new CallerByHand(a, peer, 5); Caller caller = Caller.open(peer, 5)) {
                    MemorySegment room = a.allocate(1);
                    Wire.Incoming incoming = hostile.hub.wire.receivePayload(room, Duration.ofSeconds(20));
                    hostile.says(Frame.GO, 1, 1L << 62, incoming.tag(), 77);
                    assertThat(incoming.received().get(30, TimeUnit.SECONDS)).isZero();
                    assertThat(caller.call(new byte[1]).get(20, TimeUnit.SECONDS)).hasSize(1);
                }
            }
        }
    }
}
