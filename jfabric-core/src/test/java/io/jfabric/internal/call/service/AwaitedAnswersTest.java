// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.async.Node;
import io.jfabric.async.NodeOptions;
import io.jfabric.async.Service;
import io.jfabric.async.ServiceOptions;
import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.internal.call.wire.AnswerRoom;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An answer whose caller, made by hand, has said with the call where it receives it, and which does not come. */
@Timeout(60)
@SuppressWarnings("try")
class AwaitedAnswersTest {
    private static final int SIZE = 8 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    /** Nobody receives there. */
    private static final long NOWHERE = 1L << 61 | 1L << 56 | 3L << 48 | 9;

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    /** The provider has it and does not let go: no other word may follow, and only a new session frees the caller. */
    @Test
    void thatIsStuckEndsTheSession() throws Exception {
        Providers.RXM.assumeOffered();
        CompletableFuture<CompletableFuture<Void>> answer = new CompletableFuture<>();
        try (Hints hints = Providers.RXM.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints);
                Node b = Node.open(hints, NodeOptions.DEFAULT.withDeadline(Duration.ofMillis(100)));
                Service service = Service.open(b, 5, call -> answer.complete(call.answer(b.allocate(SIZE))));
                CallerByHand caller = new CallerByHand(a, a.peer(b.address()), 5)) {
            caller.calls(1, new AnswerRoom(NOWHERE, SIZE));
            CompletableFuture<Void> sent = answer.get(20, TimeUnit.SECONDS);
            Waits.until("the caller is to say hello again", () -> service.callers() == 0);
            assertThat(service.underWay()).isZero();
            // what is under way to nowhere would be kept
            Wire.Incoming there = caller.hub.wire.receivePayload(a.allocate(SIZE), NOWHERE, DEADLINE);
            assertThat(there.received().get(20, TimeUnit.SECONDS)).isEqualTo(SIZE);
            assertThatThrownBy(() -> sent.get(20, TimeUnit.SECONDS)).hasMessageContaining("FI_ETIMEDOUT");
        }
    }

    /** It was not handled before its service was closed. */
    @ParameterizedTest
    @MethodSource("providers")
    void ofAClosedServiceIsNotWaitedFor(Providers.Choice choice) throws Exception {
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        try (NodePair nodes = NodePair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED));
                Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[SIZE]),
                        ServiceOptions.DEFAULT.withExecutor(tasks::add));
                CallerByHand caller = new CallerByHand(nodes.a, nodes.toB, 5)) {
            Wire.Incoming incoming = caller.hub.wire.receivePayload(nodes.a.allocate(SIZE), DEADLINE);
            caller.calls(1, new AnswerRoom(incoming.tag(), SIZE));
            Runnable handling = tasks.poll(20, TimeUnit.SECONDS);
            service.close();
            handling.run();
            assertThat(incoming.received().get(10, TimeUnit.SECONDS)).as("nothing").isZero();
        }
    }
}
