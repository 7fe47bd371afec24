// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A message that is longer than its receive ends that alone: what the same peer has sent beside it arrives. */
@Timeout(90)
class TruncatedBesideTest {
    private static final int MOST = 1 << 20;
    /** Around what is copied through rxm's buffers, with and without its header. */
    private static final List<Integer> LENGTHS = List.of(58, 4064, 16_320, 16_384, 16_385, 65_536, 65_600, MOST);

    private final MemorySegment out = Arena.ofAuto().allocate(MOST).fill((byte) 5);
    private final MemorySegment in = Arena.ofAuto().allocate(MOST);

    static Stream<Providers.Choice> all() {
        return Stream.concat(Providers.rdm(), Providers.offered(new Providers.Choice("net", EndpointType.RDM)));
    }

    private void arrives(Done done, int length) {
        assertThat(done.error()).as("the next one, after %s bytes", length).isNull();
        assertThat(done.length()).isEqualTo(100);
        assertThat(in.asSlice(0, 100).mismatch(out.asSlice(0, 100))).isEqualTo(-1);
    }

    private static void isTooLong(Done done, int length, int room) {
        assertThat(done.error()).as("%s bytes", length).isNotNull();
        assertThat(done.error().error()).as("%s bytes", length).isEqualTo(FabricError.ETRUNC);
        assertThat(done.error().length()).as("of %s bytes", length).isIn(0L, (long) room);
        if (done.error().overflow() != 0) {
            assertThat(done.error().overflow()).as("of %s bytes", length).isEqualTo(length - room);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void untagged(Providers.Choice provider) {
        try (Pair pair = Pair.open(provider).connect()) {
            for (int length : LENGTHS) {
                for (int room : new int[] {0, 6, length - 1}) {
                    in.fill((byte) 0);
                    pair.post(() -> pair.b.endpoint.messages().receive(in.asSlice(0, room), Address.ANY, 1));
                    pair.post(() -> pair.a.endpoint.messages().send(out.asSlice(0, length), pair.a.peer, 3));
                    pair.post(() -> pair.a.endpoint.messages().send(out.asSlice(0, 100), pair.a.peer, 4));
                    isTooLong(pair.awaitAny(pair.b, done -> done.context() == 1), length, room);
                    pair.post(() -> pair.b.endpoint.messages().receive(in.asSlice(0, 100), Address.ANY, 2));
                    arrives(pair.awaitAny(pair.b, done -> done.context() == 2), length);
                    pair.awaitAny(pair.a, done -> done.context() == 4);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void tagged(Providers.Choice provider) {
        try (Pair pair = Pair.open(provider).connect()) {
            for (int length : LENGTHS) {
                in.fill((byte) 0);
                pair.post(() -> pair.b.endpoint.tagged().receive(in.asSlice(0, 100), Address.ANY, 8, 0, 2));
                pair.post(() -> pair.b.endpoint.tagged().receive(in.asSlice(100, 6), Address.ANY, 7, 0, 1));
                pair.post(() -> pair.a.endpoint.tagged().send(out.asSlice(0, length), pair.a.peer, 7, 3));
                pair.post(() -> pair.a.endpoint.tagged().send(out.asSlice(0, 100), pair.a.peer, 8, 4));
                isTooLong(pair.awaitAny(pair.b, done -> done.context() == 1), length, 6);
                arrives(pair.awaitAny(pair.b, done -> done.context() == 2), length);
                pair.awaitAny(pair.a, done -> done.context() == 4);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void ofAConnection(Providers.Choice provider) {
        try (Connected c = new Connected(provider)) {
            Side[] sides = c.connect(endpoint -> { });
            for (int length : LENGTHS) {
                for (int room : new int[] {0, 6, length - 1}) {
                    in.fill((byte) 0);
                    post(c, () -> sides[1].endpoint.messages().receive(in.asSlice(0, room), Address.ANY, 1));
                    post(c, () -> sides[0].endpoint.messages().send(out.asSlice(0, length), Address.ANY, 3));
                    post(c, () -> sides[0].endpoint.messages().send(out.asSlice(0, 100), Address.ANY, 4));
                    isTooLong(await(c, sides[1], 1), length, room);
                    post(c, () -> sides[1].endpoint.messages().receive(in.asSlice(0, 100), Address.ANY, 2));
                    arrives(await(c, sides[1], 2), length);
                    await(c, sides[0], 4);
                }
            }
        }
    }

    private static void post(Connected c, BooleanSupplier operation) {
        c.await(() -> operation.getAsBoolean() ? operation : null);
    }

    private static Done await(Connected c, Side side, long context) {
        Done found = c.await(() -> side.done().stream().filter(done -> done.context() == context).findFirst()
                .orElse(null));
        side.done().clear();
        return found;
    }
}
