// SPDX-License-Identifier: Apache-2.0
package io.jfabric.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Capability;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.FabricInfoList;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls of more messages than the node has places for: each of these waits for one. */
@Timeout(60)
class ManyPiecesTest {
    private static final int PIECE = 16 << 10;
    private static final int PIECES = 64;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    static Stream<Providers.Choice> providers() {
        return Providers.offered(Providers.SHM, Providers.RXM);
    }

    @ParameterizedTest
    @MethodSource("providers")
    void allGo(Providers.Choice choice) throws Exception {
        NodeOptions few = NodeOptions.DEFAULT.withTransmitLimit(4).withPeerLimit(4).withBacklog(PIECES / 2);
        try (FabricInfoList infos = choice.find(hints -> hints.capabilities(Capability.MSG, Capability.TAGGED))) {
            FabricInfo info = infos.first();
            info.endpoint().maxMessageSize(PIECE);
            try (Node a = Node.open(info, few); Node b = Node.open(info);
                    Service service = Service.open(b, 5, call -> call.answer(call.bytes()));
                    Caller caller = Caller.open(a.peer(b.address()), 5)) {
                byte[] request = new byte[PIECES * PIECE - 1];
                for (int i = 0; i < request.length; i++) {
                    request[i] = (byte) (i / PIECE + i);
                }
                for (int i = 0; i < 4; i++) {
                    MemorySegment memory = a.allocate(request.length);
                    MemorySegment.copy(request, 0, memory, ValueLayout.JAVA_BYTE, 0, request.length);
                    assertThat(caller.call(request, DEADLINE).get(40, TimeUnit.SECONDS)).isEqualTo(request);
                    MemorySegment answer = caller.call(memory, a.allocate(request.length), DEADLINE)
                            .get(40, TimeUnit.SECONDS);
                    assertThat(answer.mismatch(memory)).isEqualTo(-1);
                }
                Waits.until("the last answer is known to be sent", () -> service.underWay() == 0);
            }
        }
    }
}
