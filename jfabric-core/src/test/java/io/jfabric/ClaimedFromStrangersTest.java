// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What was claimed is for whoever claimed it, also where tcp leaves the message outside as it does not know the sender.
 * If this fails, a new release may do it right.
 */
@Timeout(60)
class ClaimedFromStrangersTest {
    private static final int TAG = 9;

    static Stream<Providers.Choice> choices() {
        return Providers.offered(Providers.TCP_RDM);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("choices")
    void anotherReceiveTakesIt(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice); Pair strangers = Pair.open(choice); Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(100);
            TaggedMessages tagged = pair.b.endpoint.tagged();
            long peer = strangers.a.addresses.insert(pair.b.endpoint.address());
            strangers.post(() -> {
                pair.progress();
                return strangers.a.endpoint.tagged().send(buffer, peer, TAG, 1);
            });
            strangers.await(strangers.a, 1);
            pair.until("the message is here", () -> {
                strangers.progress();
                pair.post(() -> tagged.peek(Address.ANY, TAG, 0, 2));
                return pair.awaitAny(pair.b, done -> done.context() == 2).error() == null;
            });
            pair.post(() -> tagged.peekAndClaim(Address.ANY, TAG, 0, 1));
            pair.await(pair.b, 1);
            pair.post(() -> tagged.receive(buffer, Address.ANY, TAG, 0, 3));
            pair.await(pair.b, 3);
            assertThatThrownBy(() -> tagged.claim(buffer, Address.ANY, TAG, 0, 1)).isInstanceOfSatisfying(
                    FabricException.class, gone -> assertThat(gone.error()).isEqualTo(FabricError.ENOMSG));
        }
    }
}
