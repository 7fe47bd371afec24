// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.FabricError;
import io.jfabric.FabricException;
import io.jfabric.async.Call;
import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How the future of a long answer ends; with a caller made by hand. */
@Timeout(60)
class LongAnswerEndsTest {
    private static final int SIZE = 100_000;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** What the handler has appended may block: the thread of the node must not be kept. */
    @ParameterizedTest
    @MethodSource("providers")
    void inTheExecutorOfTheNode(Providers.Choice choice) throws Exception {
        CompletableFuture<CompletableFuture<String>> answer = new CompletableFuture<>();
        try (ExecutorService one = Executors.newSingleThreadExecutor(task -> new Thread(task, "the program's"));
                Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints); Node b = Node.open(hints, NodeOptions.DEFAULT.withExecutor(one));
                Service _ = Service.open(b, 5, call -> answer.complete(call.answer(b.allocate(SIZE))
                        .thenApply(sent -> Thread.currentThread().getName())));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
            caller.says(Frame.CALL, 1, 0, Frame.NO_DEADLINE, 0);
            CallerByHand.Said announced = caller.hears();
            assertThat(announced.type()).isEqualTo(Frame.ANSWER_LARGE);
            // before it is sent
            CompletableFuture<String> ended = answer.get(20, TimeUnit.SECONDS);
            MemorySegment room = a.allocate(SIZE);
            Wire.Incoming incoming = caller.hub.wire.receivePayload(room, Duration.ofSeconds(20));
            caller.says(Frame.GO, 1, SIZE, incoming.tag(), announced.more());
            assertThat(incoming.received().get(20, TimeUnit.SECONDS)).isEqualTo(SIZE);
            assertThat(ended.get(20, TimeUnit.SECONDS)).isEqualTo("the program's");
        }
    }

    /** No caller was too slow for it. */
    @ParameterizedTest
    @MethodSource("providers")
    void withItsService(Providers.Choice choice) throws Exception {
        CompletableFuture<CompletableFuture<Void>> answer = new CompletableFuture<>();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints);
                Node b = Node.open(hints)) {
            Service service = Service.open(b, 5, call -> answer.complete(call.answer(b.allocate(SIZE))));
            try (CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
                caller.says(Frame.CALL, 1, 0, Frame.NO_DEADLINE, 0);
                assertThat(caller.hears().type()).isEqualTo(Frame.ANSWER_LARGE);
                service.close();
                Throwable why = answer.get(20, TimeUnit.SECONDS).handle((sent, failure) -> failure)
                        .get(20, TimeUnit.SECONDS);
                assertThat(((FabricException) why).error()).isEqualTo(FabricError.ECANCELED);
                assertThat(why).hasMessageContaining("the service was closed");
            }
        }
    }

    /** A handler answers when the node is closed already, with what is copied and with what is not. */
    @ParameterizedTest
    @MethodSource("providers")
    void afterItsNode(Providers.Choice choice) throws Exception {
        BlockingQueue<Call> asked = new LinkedBlockingQueue<>();
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED); Node a = Node.open(hints)) {
            Service service;
            List<Call> calls = new ArrayList<>();
            try (Node b = Node.open(hints)) {
                service = Service.open(b, 5, asked::add);
                try (CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
                    for (int i = 0; i < 4; i++) {
                        caller.says(Frame.CALL, i, 0, Frame.NO_DEADLINE, 0);
                        calls.add(asked.poll(20, TimeUnit.SECONDS));
                    }
                    // leaves memory for the next copy, though not for two
                    calls.removeFirst().answer(new byte[SIZE]);
                    caller.says(Frame.ANSWER_DROPPED, 0, 0, 0, caller.hears().more());
                    Waits.until("that call is over", () -> service.underWay() == 3);
                }
            }
            MemorySegment onHeap = MemorySegment.ofArray(new byte[SIZE]);
            for (MemorySegment answer : List.of(onHeap, onHeap, Arena.global().allocate(SIZE))) {
                CompletableFuture<Void> sent = calls.removeFirst().answer(answer);
                assertThat(sent.handle((done, failure) -> failure).get(20, TimeUnit.SECONDS))
                        .isInstanceOf(IllegalStateException.class).hasMessage("Call.answer: the node is closed");
            }
            assertThat(service.underWay()).isZero();
        }
    }

    /** The caller, which would wait for it, hears that its session is over. */
    @Test
    void ofWhoDoesNotReceiveIt() throws Exception {
        int size = 8 << 20;
        CompletableFuture<CompletableFuture<Void>> answer = new CompletableFuture<>();
        try (Hints hints = Providers.RXM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints, NodeOptions.DEFAULT.withDeadline(Duration.ofSeconds(1)));
                Service service = Service.open(b, 5, call -> answer.complete(call.answer(b.allocate(size))));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
            caller.says(Frame.CALL, 1, 0, Frame.NO_DEADLINE, 0);
            CallerByHand.Said announced = caller.hears();
            long tag = 1L << 61 | 1L << 56 | 3L << 48 | 9;
            assertThat(service.callers()).isOne();
            caller.says(Frame.GO, 1, size, tag, announced.more());
            Waits.until("the session is over", () -> service.callers() == 0);
            Waits.until("the call is over", () -> service.underWay() == 0);
            assertThat(caller.hub.wire.receivePayload(a.allocate(size), tag, Duration.ofSeconds(20)).received()
                    .get(20, TimeUnit.SECONDS)).isEqualTo(size);
            Throwable why = answer.get(20, TimeUnit.SECONDS).handle((sent, failure) -> failure)
                    .get(20, TimeUnit.SECONDS);
            assertThat(((FabricException) why).error()).isEqualTo(FabricError.ETIMEDOUT);
        }
    }
}
