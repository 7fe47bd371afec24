// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.jfabric.info.Address;
import io.jfabric.info.EndpointType;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.ChildJvm;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages of all lengths are dropped, also while they are still arriving, and the next one is whole. Providers that
 * cannot do it refuse it, and give the message to who claims it.
 */
@Timeout(120)
@Tag("long")
class DiscardTest {
    private static final long TAG = 7;
    private static final int[] SIZES = {1, 8191, 8192, 8193, 16_385, 100_000, 1 << 20, 8 << 20};

    static Stream<Providers.Choice> dropping() {
        return Stream.concat(TaggedMessagesTest.claiming(), Stream.of("net", "sm2")
                .map(provider -> new Providers.Choice(provider, EndpointType.RDM)).filter(Providers.Choice::isOffered));
    }

    @ParameterizedTest
    @MethodSource("dropping")
    void dropsWhatIsStillArriving(Providers.Choice choice) {
        ChildJvm.Result result = ChildJvm.of(Dropper.class, choice.provider()).start().await();
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    /** In a process of its own: where this goes wrong, it crashes. */
    static final class Dropper {
        private Dropper() {
        }

        public static void main(String[] args) {
            Providers.Choice choice = new Providers.Choice(args[0], EndpointType.RDM);
            try (Arena arena = Arena.ofConfined(); Pair pair = Pair.open(choice)) {
                pair.connect();
                for (int size : SIZES) {
                    MemorySegment dropped = Bytes.pattern(arena, size, 1);
                    for (int round = 0; round < 6; round++) {
                        drop(pair, dropped, round % 2 == 0);
                        MemorySegment next = Bytes.pattern(arena, 20_000, round);
                        MemorySegment in = arena.allocate(20_000);
                        pair.post(() -> pair.a.endpoint.tagged().send(next, pair.a.peer, TAG + 1, 3));
                        pair.post(() -> pair.b.endpoint.tagged().receive(in, Address.ANY, TAG + 1, 0, 4));
                        pair.await(pair.a, 3);
                        pair.await(pair.b, 4);
                        if (in.mismatch(next) != -1) {
                            throw new AssertionError("after " + size + " bytes another message was changed");
                        }
                    }
                }
            }
        }

        private static void drop(Pair pair, MemorySegment message, boolean atOnce) {
            TaggedMessages to = pair.b.endpoint.tagged();
            boolean refused = refuses(pair.info.provider());
            pair.post(() -> pair.a.endpoint.tagged().send(message, pair.a.peer, TAG, 1));
            if (refused) {
                expectRefusal(() -> to.peekAndDiscard(Address.ANY, TAG, 0, 2));
            }
            Done found;
            do {
                pair.post(() -> atOnce && !refused ? to.peekAndDiscard(Address.ANY, TAG, 0, 2)
                        : to.peekAndClaim(Address.ANY, TAG, 0, 2));
                found = pair.awaitAny(pair.b, done -> done.context() == 2);
            } while (found.error() != null && found.error().error() == FabricError.ENOMSG);
            if (found.error() != null) {
                throw found.error().toException();
            }
            if (refused) {
                expectRefusal(() -> to.discard(Address.ANY, TAG, 0, 2));
                receive(pair, message);
            } else if (!atOnce) {
                pair.post(() -> to.discard(Address.ANY, TAG, 0, 2));
                pair.await(pair.b, 2);
            }
            pair.await(pair.a, 1);
        }

        private static void receive(Pair pair, MemorySegment message) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment in = arena.allocate(message.byteSize());
                pair.post(() -> pair.b.endpoint.tagged().claim(in, Address.ANY, TAG, 0, 2));
                pair.await(pair.b, 2);
                if (in.mismatch(message) != -1) {
                    throw new AssertionError("a claimed message of " + message.byteSize() + " bytes was changed");
                }
            }
        }

        private static void expectRefusal(BooleanSupplier discard) {
            try {
                discard.getAsBoolean();
            } catch (FabricException e) {
                if (e.error() == FabricError.EOPNOTSUPP && e.getMessage().contains("receive it by claim")) {
                    return;
                }
                throw e;
            }
            throw new AssertionError("was not refused");
        }
    }

    static boolean refuses(String provider) {
        Quirks quirks = Quirks.of(provider);
        return quirks.hasAny(Quirk.DISCARDS_INTO_FREED_MEMORY, Quirk.DISCARDS_UNANSWERED, Quirk.DISCARDS_HALF_COPIED,
                Quirk.DISCARDS_LOCK);
    }
}
