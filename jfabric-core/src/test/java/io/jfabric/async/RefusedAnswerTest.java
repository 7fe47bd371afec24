// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Capability;
import io.jfabric.info.Hints;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The node has no place for one more receive when a call is to be answered. */
@Timeout(60)
class RefusedAnswerTest {
    private static final int LONG = 100_000;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void itIsNotCalledLate(Providers.Choice choice) throws Exception {
        try (Hints hints = choice.hints().capabilities(Capability.MSG, Capability.TAGGED);
                Node a = Node.open(hints, NodeOptions.DEFAULT.withTransmitLimit(16).withReceiveLimit(2)
                        .withPeerLimit(16).withBacklog(0));
                Node b = Node.open(hints);
                Service service = Service.open(b, 5, call -> {
                    int size = call.bytes().length;
                    if (size > 0) {
                        call.answer(new byte[size == 1 ? 1 : LONG]);
                    }
                });
                Caller caller = Caller.open(a.peer(b.address()), 5)) {
            assertThat(call(caller, a, 2)).isEqualTo(LONG);
            // from now on the answer is received before it is asked for: these two take the places
            for (int i = 0; i < 2; i++) {
                caller.call(a.allocate(0), a.allocate(LONG), DEADLINE);
            }
            Waits.until("both have come", () -> service.underWay() == 2);
            assertThat(call(caller, a, 1)).as("a short answer needs none").isOne();
            assertThatThrownBy(() -> call(caller, a, 2)).hasMessageContaining("no room for the answer")
                    .hasMessageContaining("FI_ENOMEM").hasMessageContaining("the backlog is full");
        }
    }

    private static long call(Caller caller, Node node, int size) throws Exception {
        MemorySegment room = node.allocate(LONG);
        return caller.call(node.allocate(size), room, DEADLINE).get(20, TimeUnit.SECONDS).byteSize();
    }
}
