// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints of few operations have room for the packets of a long message all the same. */
@Timeout(90)
class RxdQueueTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 32, 64})
    void longMessages(int size) {
        try (Pair pair = Pair.openChanged(Providers.RXD, hints -> { }, info -> {
            info.tx().size(size);
            info.rx().size(size);
        }); Arena arena = Arena.ofShared()) {
            pair.connect();
            MemorySegment out = arena.allocate(300_000, 8);
            MemorySegment in = arena.allocate(300_000, 8);
            for (int i = 0; i < 20; i++) {
                long number = 1 + i;
                for (long at = 0; at < out.byteSize(); at += 8) {
                    out.set(ValueLayout.JAVA_LONG, at, number << 32 | at);
                }
                pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, number));
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, number));
                // each side has its turn, and finds much
                pair.untilWithoutProgress("message " + number, () -> {
                    pair.b.poll();
                    pair.b.poll();
                    pair.a.poll();
                    return pair.b.take(done -> done.context() == number) != null;
                });
                pair.await(pair.a, number);
                assertThat(in.mismatch(out)).as("message %d", number).isEqualTo(-1);
            }
        }
    }
}
