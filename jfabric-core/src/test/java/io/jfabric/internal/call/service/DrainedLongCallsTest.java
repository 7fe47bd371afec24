// SPDX-License-Identifier: Apache-2.0
package io.jfabric.internal.call.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.async.Node;
import io.jfabric.async.Service;
import io.jfabric.info.Capability;
import io.jfabric.internal.call.wire.Frame;
import io.jfabric.internal.call.wire.Wire;
import io.jfabric.testkit.NodePair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Long requests and answers that are on their way when a service is closed in order. */
@Timeout(120)
class DrainedLongCallsTest {
    private static final int LONG = 100_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM, Providers.TCP_RDM);
    }

    /** One node asks by hand, another answers. */
    private interface Scene {
        void play(Service service, CallerByHand caller, Node a, Node b) throws Exception;
    }

    private static void play(Providers.Choice choice, Scene scene) throws Exception {
        try (NodePair nodes = NodePair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED))) {
            Service service = Service.open(nodes.b, 5, call -> call.answer(new byte[(int) call.request().byteSize()]));
            try (CallerByHand caller = new CallerByHand(nodes.a, nodes.toB, 5)) {
                scene.play(service, caller, nodes.a, nodes.b);
            }
        }
    }

    private static CompletableFuture<Boolean> close(Service service, Duration timeout) {
        CompletableFuture<Boolean> closing = CompletableFuture.supplyAsync(() -> service.drain(timeout));
        Waits.until("it takes no calls", () -> !service.isOpen());
        return closing;
    }

    @ParameterizedTest
    @MethodSource("providers")
    void bothAreWaitedFor(Providers.Choice choice) throws Exception {
        play(choice, (service, caller, a, b) -> {
            caller.says(Frame.CALL_LARGE, 1, LONG, Frame.NO_DEADLINE, 0);
            CallerByHand.Said go = caller.hears();
            assertThat(go.type()).isEqualTo(Frame.GO);
            CompletableFuture<Boolean> closing = close(service, TIMEOUT);
            caller.sends(a.allocate(LONG), go.more()).get(20, TimeUnit.SECONDS);
            CallerByHand.Said answer = caller.hears();
            assertThat(answer.type()).isEqualTo(Frame.ANSWER_LARGE);
            assertThat(closing).as("the answer is still to be fetched").isNotDone();
            MemorySegment room = a.allocate(LONG);
            Wire.Incoming incoming = caller.hub.wire.receivePayload(room, TIMEOUT);
            caller.says(Frame.GO, 1, LONG, incoming.tag(), answer.more());
            assertThat(incoming.received().get(20, TimeUnit.SECONDS)).isEqualTo(LONG);
            assertThat(closing.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(caller.hears().type()).isEqualTo(Frame.BYE);
            assertThat(service.answered()).isOne();
        });
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("providers")
    void neitherIsWaitedForForEver(Providers.Choice choice) throws Exception {
        for (boolean request : new boolean[] {true, false}) {
            play(choice, (service, caller, a, b) -> {
                caller.says(Frame.CALL_LARGE, 1, LONG, Frame.NO_DEADLINE, 0);
                CallerByHand.Said go = caller.hears();
                if (!request) {
                    caller.sends(a.allocate(LONG), go.more()).get(20, TimeUnit.SECONDS);
                    assertThat(caller.hears().type()).isEqualTo(Frame.ANSWER_LARGE);
                }
                assertThat(close(service, Duration.ofMillis(100)).get(20, TimeUnit.SECONDS)).isFalse();
                assertThat(caller.hears().type()).isEqualTo(Frame.BYE);
                Waits.until("nothing is left", () -> service.underWay() == 0);
                assertThat(service.answered()).isZero();
            });
        }
    }
}
