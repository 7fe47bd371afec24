// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation of {@link TaggedMessages}, on every provider with reliable datagrams. */
class TaggedMessagesTest {
    private static final long TAG = 0x7000_0000_0000_0042L;

    private final Arena arena = Arena.ofAuto();

    /** shm of 1.17 never answers a peek; later releases do. */
    static Stream<Providers.Choice> peeking() {
        return Providers.rdm().filter(choice -> !choice.equals(Providers.SHM)
                || Fabric.version().atLeast(new Version(2, 0)));
    }

    /** rxd unlinks a claimed message twice, sockets looks at it when it is gone. */
    static Stream<Providers.Choice> claiming() {
        return peeking().filter(choice -> !choice.equals(Providers.RXD) && !choice.equals(Providers.SOCKETS));
    }

    static Stream<Providers.Choice> crashing() {
        return Providers.offered(Providers.RXD, Providers.SOCKETS);
    }

    @ParameterizedTest
    @MethodSource("crashing")
    void claimsAndDiscardsNothingWhereThatCrashes(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            TaggedMessages to = pair.b.endpoint.tagged();
            MemorySegment in = arena.allocate(8);
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> to.peekAndClaim(Address.ANY, TAG, 0, 1), () -> to.peekAndDiscard(Address.ANY, TAG, 0, 1),
                    () -> to.claim(in, Address.ANY, TAG, 0, 1), () -> to.discard(Address.ANY, TAG, 0, 1))) {
                assertThatThrownBy(call).isInstanceOfSatisfying(FabricException.class,
                        e -> assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void matchesByTag(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            TaggedMessages from = pair.a.endpoint.tagged();
            TaggedMessages to = pair.b.endpoint.tagged();
            MemorySegment first = Bytes.pattern(arena, 48, 1);
            MemorySegment second = Bytes.pattern(arena, 48, 2);
            MemorySegment forFirst = arena.allocate(48);
            MemorySegment forSecond = arena.allocate(100);
            pair.post(() -> to.receive(forSecond, 20, 48, Address.ANY, TAG + 1, 0, 4));
            pair.post(() -> to.receive(forFirst, Address.ANY, TAG & ~0xFL, 0xF, 3));
            pair.post(() -> from.send(first, pair.a.peer, TAG, 1));
            pair.post(() -> from.send(second, 0, 48, pair.a.peer, TAG + 1, 2));
            pair.await(pair.a, 1);
            pair.await(pair.a, 2);
            Done masked = pair.await(pair.b, 3);
            assertThat(masked.tag()).as("the sender's tag, not the receiver's").isEqualTo(TAG);
            assertThat(masked.is(CompletionFlag.TAGGED)).isTrue();
            assertThat(pair.await(pair.b, 4).length()).isEqualTo(48);
            assertThat(forFirst.mismatch(first)).isEqualTo(-1);
            assertThat(forSecond.asSlice(20, 48).mismatch(second)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void rxmKeepsBit63OfTagsForCollectives(Providers.Choice choice) {
        assumeTrue(choice.equals(Providers.RXM));
        try (Pair pair = Pair.open(choice)) {
            TaggedMessages from = pair.a.endpoint.tagged();
            MemorySegment out = Bytes.pattern(arena, 32, 3);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> from.send(out, pair.a.peer, TAG | Long.MIN_VALUE, 1))
                    .withMessageContaining("bit 63");
            TaggedRequest request = from.sendRequest();
            assertThatIllegalArgumentException().isThrownBy(() -> request.tag(Long.MIN_VALUE));
            assertThatIllegalArgumentException().isThrownBy(() -> from.receive(out, Address.ANY, Long.MIN_VALUE, 0, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> from.peek(Address.ANY, Long.MIN_VALUE, 0, 1));
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void injectsGathersAndCarriesData(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            TaggedMessages from = pair.a.endpoint.tagged();
            TaggedMessages to = pair.b.endpoint.tagged();
            MemorySegment out = Bytes.pattern(arena, 32, 3);
            MemorySegment in = arena.allocate(32);
            TaggedRequest scatter = to.receiveRequest().buffers(in.asSlice(0, 10), in.asSlice(10)).tag(TAG);
            TaggedRequest gather = from.sendRequest().buffers(out.asSlice(0, 4), out.asSlice(4)).peer(pair.a.peer)
                    .tag(TAG);

            pair.post(() -> scatter.post(10));
            pair.post(() -> gather.post(1));
            pair.await(pair.a, 1);
            assertReceived(pair.await(pair.b, 10), in, out);

            pair.post(() -> to.receive(in, Address.ANY, TAG, 0, 11));
            pair.post(() -> from.inject(out, pair.a.peer, TAG));
            assertReceived(pair.await(pair.b, 11), in, out);

            pair.post(() -> to.receive(in, Address.ANY, TAG, 0, 12));
            pair.post(() -> from.inject(out, 0, 32, pair.a.peer, TAG));
            assertReceived(pair.await(pair.b, 12), in, out);

            pair.post(() -> to.receive(in, Address.ANY, TAG, 0, 13));
            pair.post(() -> from.sendData(out, 99, pair.a.peer, TAG, 2));
            pair.await(pair.a, 2);
            assertThat(assertReceived(pair.await(pair.b, 13), in, out).data()).isEqualTo(99);

            pair.post(() -> to.receive(in, Address.ANY, TAG, 0, 14));
            pair.post(() -> from.injectData(out, 98, pair.a.peer, TAG));
            assertThat(assertReceived(pair.await(pair.b, 14), in, out).data()).isEqualTo(98);
            assertThat(pair.a.done()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void takesFlagsOfAnOperation(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            TaggedMessages from = pair.a.endpoint.tagged();
            TaggedMessages to = pair.b.endpoint.tagged();
            MemorySegment out = Bytes.pattern(arena, 32, 4);
            MemorySegment in = arena.allocate(32);
            TaggedRequest receive = to.receiveRequest().buffers(in).tag(TAG).flags(OperationFlag.COMPLETION);
            TaggedRequest send = from.sendRequest().buffers(out).data(55).peer(pair.a.peer).tag(TAG)
                    .flags(OperationFlag.COMPLETION);

            pair.post(() -> receive.post(10));
            pair.post(() -> send.post(1));
            pair.await(pair.a, 1);
            assertThat(assertReceived(pair.await(pair.b, 10), in, out).data()).isEqualTo(55);

            pair.post(() -> receive.post(11));
            pair.post(() -> send.data(56).post(2));
            pair.await(pair.a, 2);
            assertThat(assertReceived(pair.await(pair.b, 11), in, out).data()).isEqualTo(56);

            pair.post(() -> to.receive(in, Address.ANY, TAG, 0, 12));
            pair.post(() -> send.noData().post(3));
            pair.await(pair.a, 3);
            assertThat(assertReceived(pair.await(pair.b, 12), in, out).is(CompletionFlag.REMOTE_CQ_DATA)).isFalse();
        }
    }

    private static Done assertReceived(Done done, MemorySegment in, MemorySegment out) {
        assertThat(done.length()).isEqualTo(out.byteSize());
        assertThat(done.tag()).isEqualTo(TAG);
        assertThat(in.mismatch(out)).isEqualTo(-1);
        in.fill((byte) 0);
        return done;
    }

    @ParameterizedTest
    @MethodSource("peeking")
    void peeksWithoutTaking(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            TaggedMessages to = pair.b.endpoint.tagged();
            pair.post(() -> to.peek(Address.ANY, TAG, 0, 20));
            assertThat(pair.awaitError(pair.b, 20).error().error()).isEqualTo(FabricError.ENOMSG);

            MemorySegment out = Bytes.pattern(arena, 40, 5);
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, TAG, 1));
            Done seen = Peek.until(pair, () -> to.peek(Address.ANY, TAG, 0, 21), 21);
            assertThat(seen.length()).isEqualTo(40);
            assertThat(seen.tag()).isEqualTo(TAG);

            MemorySegment in = arena.allocate(40);
            pair.post(() -> to.receive(in, Address.ANY, TAG, 0, 22));
            assertReceived(pair.await(pair.b, 22), in, out);
            pair.await(pair.a, 1);
        }
    }

    @ParameterizedTest
    @MethodSource("claiming")
    void claimsOrDiscardsWhatItPeeked(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            TaggedMessages to = pair.b.endpoint.tagged();
            MemorySegment in = arena.allocate(64);
            assertThatThrownBy(() -> to.claim(in, Address.ANY, TAG, 0, 30))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("peekAndClaim");

            for (int i = 0; i < 4; i++) {
                MemorySegment out = Bytes.pattern(arena, 60 + i, i);
                long context = i;
                pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, TAG, context));
            }
            assertThat(Peek.until(pair, () -> to.peekAndClaim(Address.ANY, TAG, 0, 30), 30).length()).isEqualTo(60);
            assertThat(Peek.until(pair, () -> to.peekAndClaim(Address.ANY, TAG, 0, 31), 31).length())
                    .as("the first is reserved").isEqualTo(61);
            // no longer than the message: rxd of 1.17 reports a truncation otherwise
            MemorySegment exact = arena.allocate(60);
            pair.post(() -> to.claim(exact, Address.ANY, TAG, 0, 30));
            assertThatThrownBy(() -> to.claim(in, Address.ANY, TAG, 0, 30))
                    .as("it is being received").isInstanceOf(IllegalStateException.class);
            assertThat(pair.await(pair.b, 30).length()).isEqualTo(60);
            assertThat(exact.mismatch(Bytes.pattern(arena, 60, 0))).isEqualTo(-1);
            assertThatThrownBy(() -> to.claim(in, Address.ANY, TAG, 0, 30))
                    .as("it is taken").isInstanceOf(IllegalStateException.class);

            drop(pair, to, 31);
            if (DiscardTest.refuses(choice.provider())) {
                Peek.until(pair, () -> to.peekAndClaim(Address.ANY, TAG, 0, 32), 32);
                drop(pair, to, 32);
            } else {
                Peek.until(pair, () -> to.peekAndDiscard(Address.ANY, TAG, 0, 32), 32);
            }
            pair.post(() -> to.peekAndClaim(Address.ANY, TAG, 0, 33));
            assertThatThrownBy(() -> to.claim(in, Address.ANY, TAG, 0, 33))
                    .as("the peek's completion is not read").isInstanceOf(IllegalStateException.class);
            assertThat(pair.await(pair.b, 33).length()).as("the last one").isEqualTo(63);
            MemorySegment last = arena.allocate(63);
            pair.post(() -> to.claim(last, Address.ANY, TAG, 0, 33));
            assertThat(pair.await(pair.b, 33).length()).isEqualTo(63);
            assertThat(last.mismatch(Bytes.pattern(arena, 63, 3))).isEqualTo(-1);
        }
    }

    /** Drops the message that was claimed with this context; where that is refused, by receiving it. */
    private void drop(Pair pair, TaggedMessages to, long context) {
        MemorySegment in = arena.allocate(64);
        pair.post(() -> DiscardTest.refuses(pair.info.provider()) ? to.claim(in, Address.ANY, TAG, 0, context)
                : to.discard(Address.ANY, TAG, 0, context));
        pair.awaitAny(pair.b, d -> d.context() == context);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void cancelsAReceive(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            TaggedMessages to = pair.b.endpoint.tagged();
            MemorySegment in = arena.allocate(16);
            pair.post(() -> to.receive(in, Address.ANY, TAG, 0, 7));
            pair.post(() -> to.receive(in, Address.ANY, TAG + 1, 0, 8));
            assertThat(pair.b.endpoint.cancel(7)).isTrue();
            assertThat(pair.awaitError(pair.b, 7).error().error()).isEqualTo(FabricError.ECANCELED);
            pair.post(() -> pair.a.endpoint.tagged().inject(arena.allocateFrom("still"), pair.a.peer, TAG + 1));
            assertThat(pair.await(pair.b, 8).length()).isEqualTo(6);
        }
    }

    /** rxd of 1.17 cuts a message off without a word. */
    static Stream<Providers.Choice> truncating() {
        return Providers.rdm().filter(choice -> !choice.equals(Providers.RXD));
    }

    @ParameterizedTest
    @MethodSource("truncating")
    void reportsATruncatedMessage(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            MemorySegment in = arena.allocate(10);
            pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, TAG, 0, 9));
            pair.post(() -> pair.a.endpoint.tagged().send(Bytes.pattern(arena, 32, 1), pair.a.peer, TAG, 1));
            CompletionError error = pair.awaitError(pair.b, 9).error();
            assertThat(error.error()).isEqualTo(FabricError.ETRUNC);
            assertThat(error.text()).isNotEmpty();
            assertThat(error.toException()).hasMessageContaining("FI_ETRUNC").hasMessageContaining("context 9");
        }
    }
}
