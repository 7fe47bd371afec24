// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Immediate data arrives, or its operation is refused: whichever way it is given. */
@Timeout(60)
class ImmediateDataTest {
    private static final long DATA = 0x0123_4567_89ab_cdefL;

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void dataIsNotLeftOut(Providers.Choice choice) {
        try (Arena arena = Arena.ofShared(); Pair pair = Pair.open(choice, hints -> { },
                CompletionQueueAttributes.of(CompletionFormat.DATA), endpoint -> { }).connect()) {
            MemorySegment out = arena.allocate(8);
            MemorySegment in = arena.allocate(8);
            Messages sender = pair.a.endpoint.messages();
            if (pair.info.domain().limits().cqDataSize() == 0) {
                refuses(() -> sender.sendRequest().buffers(out).peer(pair.a.peer).data(DATA).post(1));
                refuses(() -> sender.sendData(out, DATA, pair.a.peer, 1));
                refuses(() -> sender.injectData(out, DATA, pair.a.peer));
                return;
            }
            MessageRequest request = sender.sendRequest().buffers(out).peer(pair.a.peer).data(DATA);
            for (int way = 0; way < 3; way++) {
                int chosen = way;
                pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 2));
                pair.post(() -> chosen == 0 ? request.post(1) : chosen == 1 ? sender.sendData(out, DATA, pair.a.peer, 1)
                        : sender.injectData(out, DATA, pair.a.peer));
                Done done = pair.awaitAny(pair.b, each -> each.context() == 2);
                assertThat(done.error()).isNull();
                assertThat(done.data()).isEqualTo(DATA);
            }
        }
    }

    private static void refuses(Runnable send) {
        assertThatThrownBy(send::run).isInstanceOfSatisfying(FabricException.class,
                refused -> assertThat(refused.error()).isEqualTo(FabricError.ENOSYS));
    }
}
