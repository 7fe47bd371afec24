// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

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

/** A datagram that is longer than its receive ends it with an error, and spoils no memory. */
@Timeout(90)
class DatagramTruncationTest {
    private final MemorySegment out = Arena.ofAuto().allocate(1000).fill((byte) 5);
    private final MemorySegment in = Arena.ofAuto().allocate(1000);

    private Done received(Pair pair, boolean request, long room, long length) {
        in.fill((byte) 0);
        MemorySegment half = in.asSlice(0, room / 2);
        MemorySegment rest = in.asSlice(room / 2, room - room / 2);
        pair.post(() -> request ? pair.b.endpoint.messages().receiveRequest().buffers(half, rest).post(1)
                : pair.b.endpoint.messages().receive(in.asSlice(0, room), Address.ANY, 1));
        pair.post(() -> pair.a.endpoint.messages().send(out.asSlice(0, length), pair.a.peer, 2));
        return pair.awaitAny(pair.b, done -> done.context() == 1);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#dgram")
    void whatIsTooLongIsSaidToBe(Providers.Choice provider) {
        for (boolean request : new boolean[] {false, true}) {
            try (Pair pair = Pair.open(provider, hints -> { }, CompletionQueueAttributes.of(CompletionFormat.MSG),
                    endpoint -> { })) {
                Done done = received(pair, request, 100, 1000);
                assertThat(done.error()).as("%s", done).isNotNull();
                assertThat(done.error().error()).isEqualTo(FabricError.ETRUNC);
                assertThat(in.asSlice(100).mismatch(Arena.ofAuto().allocate(900))).isEqualTo(-1);
            }
            try (Pair pair = Pair.open(provider, hints -> { }, CompletionQueueAttributes.of(CompletionFormat.MSG),
                    endpoint -> { })) {
                Done fits = received(pair, request, 1000, 1000);
                assertThat(fits.error()).isNull();
                assertThat(fits.length()).isEqualTo(1000);
                assertThat(in.mismatch(out)).isEqualTo(-1);
            }
        }
    }
}
