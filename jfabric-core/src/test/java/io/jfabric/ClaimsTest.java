// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfoList;
import io.jfabric.internal.context.ContextSlab;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.WaitObject;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A message that was reserved is received once, whoever claims it and however often that is refused. */
@Timeout(60)
class ClaimsTest {
    private static final long TAG = 7;
    private static final long OTHER = 8;
    private static final int LENGTH = 60;
    private static final int ROUNDS = 300;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment out = Bytes.pattern(arena, LENGTH, 1);
    private final MemorySegment in = arena.allocate(LENGTH);

    /** The provider has room for so many receives, and a claim is one of them. */
    @ParameterizedTest
    @MethodSource("io.jfabric.TaggedMessagesTest#claiming")
    void aClaimThatFindsNoRoomIsRepeated(Providers.Choice choice) {
        try (FabricInfoList infos = choice.find(hints -> { }); Pair pair = Pair.openChanged(choice, hints -> { },
                info -> info.rx().size(Math.min(64, infos.first().rx().size())))) {
            TaggedMessages to = pair.b.endpoint.tagged();
            reserve(pair, 30);
            int waiting = 0;
            while (waiting < ROUNDS && to.receive(arena.allocate(LENGTH), Address.ANY, OTHER, 0, 100 + waiting)) {
                waiting++;
            }
            boolean claimed = to.claim(in, Address.ANY, TAG, 0, 30);
            // it takes any number of receives, or has no room for one more, nor for a claim
            assertThat(claimed).as("after %s receives", waiting).isEqualTo(waiting == ROUNDS);
            if (!claimed) {
                assertThat(to.claim(in, Address.ANY, TAG, 0, 30)).as("still no room").isFalse();
                pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, OTHER, 2));
                pair.await(pair.b, 100);
                pair.post(() -> to.claim(in, Address.ANY, TAG, 0, 30));
            }
            assertThat(pair.await(pair.b, 30).length()).isEqualTo(LENGTH);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.TaggedMessagesTest#claiming")
    void oneOfTwoThreadsGetsIt(Providers.Choice choice) {
        CyclicBarrier start = new CyclicBarrier(2);
        try (Pair pair = Pair.open(choice)) {
            for (int i = 0; i < ROUNDS; i++) {
                reserve(pair, 30);
                CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> claims(pair, start));
                boolean mine = claims(pair, start);
                assertThat(other.join()).isNotEqualTo(mine);
                assertThat(pair.await(pair.b, 30).length()).isEqualTo(LENGTH);
            }
        }
    }

    /** The end of a peek, not read before its endpoint was closed, is that of no other's. */
    @ParameterizedTest
    @MethodSource("io.jfabric.TaggedMessagesTest#claiming")
    void whatAClosedEndpointReservedIsNobodyElses(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, TAG, 1));
            Peek.until(pair, () -> pair.b.endpoint.tagged().peek(Address.ANY, TAG, 0, 10), 10);
            assertThat(pair.b.endpoint.tagged().peekAndClaim(Address.ANY, TAG, 0, 11)).isTrue();
            pair.b.endpoint.close();
            Side next = new Side(pair.domain.openEndpoint(pair.info)
                    .bind(pair.b.queue, BindFlag.TRANSMIT, BindFlag.RECV).bind(pair.b.addresses).enable(),
                    pair.b.queue, pair.b.addresses);
            TaggedMessages to = next.endpoint.tagged();
            pair.post(() -> to.peekAndClaim(Address.ANY, OTHER, 0, 12));
            assertThat(pair.awaitError(pair.b, 12).error().error()).isEqualTo(FabricError.ENOMSG);
            assertThat(pair.b.take(done -> done.context() == 12)).isNull();
            assertThatThrownBy(() -> to.claim(in, Address.ANY, OTHER, 0, 12)).isInstanceOf(IllegalStateException.class);
            pair.post(() -> to.peekAndClaim(Address.ANY, OTHER, 0, 13));
            pair.awaitError(pair.b, 13);
        }
    }

    /** Endpoints come and go: what they reserved, or never heard of again, costs no memory that is not used again. */
    @ParameterizedTest
    @MethodSource("io.jfabric.TaggedMessagesTest#claiming")
    void theContextsOfClosedEndpointsAreUsedAgain(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Set<Long> used = new HashSet<>();
            CompletionQueueAttributes waits = CompletionQueueAttributes.of(CompletionFormat.TAGGED)
                    .withWaitObject(WaitObject.UNSPEC);
            CompletionQueue lasting = pair.domain.openCompletionQueue(waits);
            for (int i = 0; i < 12; i++) {
                CompletionQueue queue = i % 3 == 0 ? pair.domain.openCompletionQueue(waits) : lasting;
                // a vector of its own: shm closes for good only what no other endpoint may send to
                AddressVector addresses = pair.domain.openAddressVector();
                Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(queue, BindFlag.TRANSMIT, BindFlag.RECV)
                        .bind(addresses).enable();
                // as if posted
                used.add(((EndpointImpl) endpoint).state().contexts().claims().acquire(i, null,
                        ContextSlab.PLAIN));
                endpoint.close();
                addresses.close();
                switch (i % 3) {
                    case 0 -> queue.close();
                    case 1 -> assertThat(queue.poll(completion -> { }, 1)).isZero();
                    default -> assertThat(queue.await(completion -> { }, 1, Duration.ofMillis(1))).isZero();
                }
            }
            assertThat(used).hasSize(1);
        }
    }

    private boolean claims(Pair pair, CyclicBarrier start) {
        try {
            start.await();
            return pair.b.endpoint.tagged().claim(arena.allocate(LENGTH), Address.ANY, TAG, 0, 30);
        } catch (IllegalStateException none) {
            return false;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** One message comes, and is reserved. */
    private void reserve(Pair pair, long context) {
        pair.post(() -> pair.a.endpoint.tagged().send(out, pair.a.peer, TAG, 1));
        Peek.until(pair, () -> pair.b.endpoint.tagged().peekAndClaim(Address.ANY, TAG, 0, context), context);
    }
}
