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

/** A message that is longer than its receive ends it with an error, on every provider, and spoils no memory. */
@Timeout(90)
class TruncationTest {
    private static final int LONG = 100_000;
    private static final long RECEIVE = 1;
    private static final long SEND = 2;

    private final MemorySegment out = Arena.ofAuto().allocate(LONG).fill((byte) 5);
    private final MemorySegment in = Arena.ofAuto().allocate(LONG);

    private enum Kind {
        UNTAGGED, TAGGED, REQUEST, TAGGED_REQUEST;

        boolean receive(Endpoint endpoint, MemorySegment buffer) {
            return switch (this) {
                case UNTAGGED -> endpoint.messages().receive(buffer, Address.ANY, RECEIVE);
                case TAGGED -> endpoint.tagged().receive(buffer, Address.ANY, 7, 0, RECEIVE);
                case REQUEST -> endpoint.messages().receiveRequest().peer(Address.ANY).buffers(halves(buffer))
                        .post(RECEIVE);
                case TAGGED_REQUEST -> endpoint.tagged().receiveRequest().tag(7).peer(Address.ANY)
                        .buffers(halves(buffer)).post(RECEIVE);
            };
        }

        private static MemorySegment[] halves(MemorySegment buffer) {
            long half = buffer.byteSize() / 2;
            return new MemorySegment[] {buffer.asSlice(0, half), buffer.asSlice(half)};
        }

        boolean send(Endpoint endpoint, MemorySegment buffer, long peer) {
            return this == UNTAGGED || this == REQUEST ? endpoint.messages().send(buffer, peer, SEND)
                    : endpoint.tagged().send(buffer, peer, 7, SEND);
        }
    }

    private Done received(Pair pair, Kind kind, long room, long length) {
        in.fill((byte) 0);
        pair.post(() -> kind.receive(pair.b.endpoint, in.asSlice(0, room)));
        pair.post(() -> kind.send(pair.a.endpoint, out.asSlice(0, length), pair.a.peer));
        Done done = pair.awaitAny(pair.b, d -> d.context() == RECEIVE);
        pair.awaitAny(pair.a, d -> d.context() == SEND);
        assertThat(in.asSlice(room).mismatch(Arena.ofAuto().allocate(LONG - room))).as("behind the buffer")
                .isEqualTo(-1);
        return done;
    }

    private void endsWithAnError(Pair pair, long room, long length) {
        for (Kind kind : Kind.values()) {
            endsWithAnError(pair, kind, room, length);
        }
    }

    private void endsWithAnError(Pair pair, Kind kind, long room, long length) {
        String what = kind + " of " + length + " bytes into " + room;
        Done done = received(pair, kind, room, length);
        assertThat(done.error()).as("%s: %s", what, done).isNotNull();
        assertThat(done.error().error()).as(what).isEqualTo(FabricError.ETRUNC);
        assertThat(done.source()).as(what).isIn(Address.NOT_AVAILABLE, pair.b.peer);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatIsTooLongIsSaidToBe(Providers.Choice provider) {
        try (Pair pair = Pair.open(provider).connect()) {
            endsWithAnError(pair, 50, 100);
            endsWithAnError(pair, 50, LONG);
            assertThat(received(pair, Kind.UNTAGGED, LONG, LONG).error()).isNull();
            assertThat(in.mismatch(out)).isEqualTo(-1);
            assertThat(received(pair, Kind.TAGGED, 100, 100).error()).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void whatComesIntoNoBytesIsTooLong(Providers.Choice provider) {
        try (Pair pair = Pair.open(provider).connect()) {
            endsWithAnError(pair, 0, 1);
            endsWithAnError(pair, 0, 66);
            endsWithAnError(pair, 0, LONG);
            for (Kind kind : Kind.values()) {
                Done done = received(pair, kind, 0, 0);
                assertThat(done.error()).isNull();
                assertThat(done.length()).isZero();
            }
            assertThat(received(pair, Kind.REQUEST, LONG, LONG).error()).isNull();
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    /** Its entries have no length for the application. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void aQueueOfContextsTellsToo(Providers.Choice provider) {
        try (Pair pair = Pair.open(provider, hints -> { },
                CompletionQueueAttributes.of(CompletionFormat.CONTEXT), endpoint -> { })) {
            for (Kind kind : Kind.values()) {
                endsWithAnError(pair, kind, 0, 1);
            }
        }
    }
}
