// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.OperationFlag;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import io.jfabric.testkit.Waits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who looks at messages, or claims them, is answered also where receives are reported only if they ask for it. */
@Timeout(60)
class SelectivePeekTest {
    private static final long TAG = 7;
    private static final int LENGTH = 6000;
    private static final int SHORT = 40;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment out = Bytes.pattern(arena, LENGTH, 1);
    private final MemorySegment in = arena.allocate(LENGTH);

    private enum Reports { ALL, ASKED, ASKED_BY_DEFAULT }

    static Stream<Arguments> peeking() {
        return each(TaggedMessagesTest.peeking());
    }

    static Stream<Arguments> claiming() {
        return each(TaggedMessagesTest.claiming());
    }

    private static Stream<Arguments> each(Stream<Providers.Choice> choices) {
        return choices.flatMap(choice -> Stream.of(Reports.values()).map(reports -> Arguments.of(choice, reports)));
    }

    /** A pair, of which a sends to an endpoint beside it. */
    private static final class Receiver implements AutoCloseable {
        private final Pair pair;
        private final Side side;
        private final TaggedMessages tagged;
        private final long address;

        Receiver(Providers.Choice choice, Reports reports) {
            pair = Pair.openChanged(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED), info -> {
                if (reports == Reports.ASKED_BY_DEFAULT) {
                    info.rx().operationFlags(OperationFlag.COMPLETION);
                }
            });
            CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
            AddressVector addresses = pair.domain.openAddressVector();
            Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(addresses).bind(queue, BindFlag.TRANSMIT);
            if (reports == Reports.ALL) {
                endpoint.bind(queue, BindFlag.RECV);
            } else {
                endpoint.bind(queue, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION);
            }
            side = new Side(endpoint.enable(), queue, addresses);
            tagged = endpoint.tagged();
            address = pair.a.addresses.insert(endpoint.address());
        }

        void send(MemorySegment message) {
            until("a send", () -> pair.a.endpoint.tagged().send(message, address, TAG, 1));
        }

        /** The completion, good or bad, of what is repeated until it is taken. */
        Done end(long context, BooleanSupplier post) {
            until("busy", post);
            Done[] end = new Done[1];
            until("the end of " + context, () -> (end[0] = side.take(done -> true)) != null);
            assertThat(end[0].context()).isEqualTo(context);
            return end[0];
        }

        /** Repeats a peek until its message has come. */
        Done found(long context, BooleanSupplier peek) {
            Done[] found = new Done[1];
            Waits.spin("a peek finds the message", () -> (found[0] = end(context, peek)).error() == null);
            return found[0];
        }

        /** Who sends makes progress in any case: an answer may be there at once. */
        private void until(String what, BooleanSupplier condition) {
            pair.untilWithoutProgress(what, () -> {
                pair.progress();
                side.poll();
                return condition.getAsBoolean();
            });
        }

        void isIdle() {
            assertThat(side.done()).isEmpty();
            assertThat(side.endpoint.statistics().underWay()).isZero();
        }

        @Override
        public void close() {
            pair.close();
        }
    }

    @ParameterizedTest
    @MethodSource("peeking")
    void peeksAreAnswered(Providers.Choice choice, Reports reports) {
        try (Receiver to = new Receiver(choice, reports)) {
            assertThat(to.end(10, () -> to.tagged.peek(Address.ANY, TAG, 0, 10)).error().error())
                    .isEqualTo(FabricError.ENOMSG);
            to.send(out.asSlice(0, SHORT));
            Done found = to.found(11, () -> to.tagged.peek(Address.ANY, TAG, 0, 11));
            assertThat(found.length()).isEqualTo(SHORT);
            assertThat(found.tag()).isEqualTo(TAG);
            to.isIdle();
        }
    }

    @ParameterizedTest
    @MethodSource("claiming")
    void claimsAreReported(Providers.Choice choice, Reports reports) {
        try (Receiver to = new Receiver(choice, reports)) {
            reserve(to, 20);
            Done claimed = to.end(20, () -> to.tagged.claim(in, Address.ANY, TAG, 0, 20));
            assertThat(claimed.error()).isNull();
            assertThat(claimed.length()).isEqualTo(LENGTH);
            assertThat(in.mismatch(out)).isEqualTo(-1);
            to.isIdle();
        }
    }

    @ParameterizedTest
    @MethodSource("claiming")
    void aClaimThatIsTooShortIsTold(Providers.Choice choice, Reports reports) {
        try (Receiver to = new Receiver(choice, reports)) {
            reserve(to, 30);
            Done claimed = to.end(30, () -> to.tagged.claim(in.asSlice(0, 8), Address.ANY, TAG, 0, 30));
            assertThat(claimed.error().error()).isEqualTo(FabricError.ETRUNC);
            assertThat(in.asSlice(8).mismatch(arena.allocate(LENGTH - 8))).as("behind the buffer").isEqualTo(-1);
            to.isIdle();
        }
    }

    @ParameterizedTest
    @MethodSource("claiming")
    void whatIsDroppedIsReported(Providers.Choice choice, Reports reports) {
        if (DiscardTest.refuses(choice.provider())) {
            return;
        }
        try (Receiver to = new Receiver(choice, reports)) {
            reserve(to, 40);
            assertThat(to.end(40, () -> to.tagged.discard(Address.ANY, TAG, 0, 40)).error()).isNull();
            to.send(out);
            to.found(41, () -> to.tagged.peekAndDiscard(Address.ANY, TAG, 0, 41));
            to.isIdle();
        }
    }

    /** One message comes, and is reserved. */
    private void reserve(Receiver to, long context) {
        to.send(out);
        assertThat(to.found(context, () -> to.tagged.peekAndClaim(Address.ANY, TAG, 0, context)).length())
                .isEqualTo(LENGTH);
    }
}
