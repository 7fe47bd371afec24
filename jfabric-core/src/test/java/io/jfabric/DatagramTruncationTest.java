// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
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

    /** As many as the provider takes, though jfabric needs one to see that a datagram is longer. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#dgram")
    void asManyBuffersAsTheInfoSays(Providers.Choice provider) {
        try (Pair pair = Pair.open(provider)) {
            int count = (int) pair.info.rx().iovLimit();
            MemorySegment[] parts = new MemorySegment[count];
            for (int i = 0; i < count; i++) {
                parts[i] = in.asSlice(i, 1);
            }
            pair.post(() -> pair.b.endpoint.messages().receiveRequest().buffers(parts).post(1));
            pair.post(() -> pair.a.endpoint.messages().send(out.asSlice(0, count), pair.a.peer, 2));
            Done done = pair.awaitAny(pair.b, one -> one.context() == 1);
            assertThat(done.error()).isNull();
            assertThat(done.length()).isEqualTo(count);
            assertThat(in.asSlice(0, count).mismatch(out.asSlice(0, count))).isEqualTo(-1);
        }
    }

    /** Opens a pair of udp. */
    static final class Opening {
        private Opening() {
        }

        public static void main(String[] args) {
            try (Pair pair = Pair.open(Providers.UDP)) {
                System.out.println("OPENED " + pair.info.provider());
            }
        }
    }

    @Test
    void littleAddressSpaceIsNeeded() {
        assumeTrue(Providers.UDP.isOffered());
        ChildJvm.Result result = ChildJvm.of(Opening.class)
                .prefix("bash", "-c", "ulimit -v 200000000 && exec \"$0\" \"$@\"").run();
        assertThat(result.output()).contains("OPENED udp");
    }
}
