// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is lost of what nobody reads for a while. */
@Timeout(90)
class CountedMessagesTest {
    private static final int SIZE = 64;
    private static final boolean OVERFLOWS = Quirks.of("udp").has(Quirk.QUEUES_OVERFLOW);
    private static final long FIRST_RECEIVE = 1_000_000;

    private final MemorySegment out = Arena.ofAuto().allocate(8).fill((byte) 7);
    private final MemorySegment in = Arena.ofAuto().allocate(8L * 4096);

    private static Pair pair() {
        return Pair.openChanged(Providers.UDP, hints -> { }, CountedMessagesTest::small);
    }

    private static void small(FabricInfo info) {
        info.tx().size(SIZE);
        info.rx().size(SIZE);
    }

    private Side another(Pair pair, CompletionQueue transmits, CompletionQueue receives, BindFlag... others) {
        AddressVector addresses = pair.domain.openAddressVector();
        Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(addresses);
        try {
            endpoint.bind(transmits, BindFlag.TRANSMIT, others).bind(receives, BindFlag.RECV, others).enable();
        } catch (IllegalStateException noRoom) {
            endpoint.close();
            throw noRoom;
        }
        Side side = new Side(endpoint, receives, addresses);
        side.peer = addresses.insert(pair.b.endpoint.address().bytes());
        return side;
    }

    private boolean receives(Side side, int number) {
        return side.endpoint.messages().receive(in.asSlice(8L * number, 8), Address.ANY, FIRST_RECEIVE + number);
    }

    /** From the other side, with no progress of this one. */
    private void sendsBack(Pair pair, long to) {
        assertThat(pair.b.endpoint.messages().send(out, to, 0)).isTrue();
        pair.untilWithoutProgress("it is sent", () -> pair.b.poll() > 0);
        pair.b.done().clear();
    }

    /** As many as the endpoint takes. */
    private int sends(Side side) {
        int sent = 0;
        while (sent < 100_000 && side.endpoint.messages().send(out, side.peer, 1 + sent)) {
            sent++;
        }
        return sent;
    }

    private static void isBounded(int operations) {
        assertThat(operations).isBetween(1, OVERFLOWS ? SIZE : Integer.MAX_VALUE);
    }

    /** The usual loop: send until there is no room, then poll. */
    @Test
    void aDatagramThatComesWhenSendsFillTheQueue() {
        try (Pair pair = pair()) {
            for (int round = 0; round < 20; round++) {
                int number = round;
                in.fill((byte) 0);
                pair.post(() -> receives(pair.a, number));
                sendsBack(pair, pair.b.peer);
                int sent = sends(pair.a);
                isBounded(sent);
                pair.await(pair.a, FIRST_RECEIVE + number);
                assertThat(in.get(ValueLayout.JAVA_BYTE, 8L * number)).isEqualTo((byte) 7);
                for (int i = 1; i <= sent; i++) {
                    pair.await(pair.a, i);
                }
                assertThat(pair.a.done()).isEmpty();
            }
        }
    }

    /** They take room in the queue all the same. */
    @Test
    void sendsThatNobodyAskedToBeToldOf() {
        try (Pair pair = pair(); CompletionQueue queue = pair.domain.openCompletionQueue(
                CompletionQueueAttributes.of(CompletionFormat.MSG))) {
            Side side = another(pair, queue, queue, BindFlag.SELECTIVE_COMPLETION);
            long back = pair.b.addresses.insert(side.endpoint.address().bytes());
            for (int round = 0; round < 20; round++) {
                int number = round;
                pair.until("a receive is taken", () -> {
                    side.poll();
                    return side.endpoint.messages().receiveRequest().buffers(in.asSlice(8L * number, 8))
                            .flags(OperationFlag.COMPLETION).post(FIRST_RECEIVE + number);
                });
                sendsBack(pair, back);
                isBounded(sends(side));
                pair.until("it is received", () -> {
                    side.poll();
                    return side.take(done -> done.context() == FIRST_RECEIVE + number) != null;
                });
                assertThat(side.done()).isEmpty();
            }
            side.endpoint.close();
        }
    }

    /** Each look at the queue takes a datagram for both, and one is read. */
    @Test
    void endpointsOfOneQueueThatIsReadSlowly() {
        try (Pair pair = pair()) {
            CompletionQueue queue = pair.domain.openCompletionQueue(
                    CompletionQueueAttributes.of(CompletionFormat.MSG));
            List<Side> sides = List.of(another(pair, queue, queue), another(pair, queue, queue));
            long[] back = sides.stream().mapToLong(side -> pair.b.addresses.insert(side.endpoint.address().bytes()))
                    .toArray();
            List<Long> posted = new ArrayList<>();
            List<Long> received = new ArrayList<>();
            CompletionHandler handler = completion -> received.add(completion.context());
            for (int i = 0; i < 4096; i++) {
                if (receives(sides.get(i % 2), i)) {
                    posted.add(FIRST_RECEIVE + i);
                    sendsBack(pair, back[i % 2]);
                }
                if (i % 2 == 1) {
                    queue.poll(handler, 1);
                }
            }
            isBounded((posted.size() - received.size()) / 2);
            pair.untilWithoutProgress("all are received", () -> {
                queue.poll(handler, 16);
                return received.size() >= posted.size();
            });
            assertThat(received).containsExactlyInAnyOrderElementsOf(posted);
            assertThat(receives(sides.getFirst(), 0)).isTrue();
        }
    }

    /** What nobody asked for is not told either once its endpoint is closed and another has its place. */
    @Test
    void reportsOfAClosedEndpoint() {
        try (Pair pair = pair()) {
            CompletionQueue queue = pair.domain.openCompletionQueue(
                    CompletionQueueAttributes.of(CompletionFormat.MSG));
            Side closed = another(pair, queue, queue, BindFlag.SELECTIVE_COMPLETION);
            assertThat(sends(closed)).isPositive();
            closed.endpoint.close();
            Side next = another(pair, queue, queue, BindFlag.SELECTIVE_COMPLETION);
            MessageRequest asked = next.endpoint.messages().sendRequest().peer(next.peer).buffers(out)
                    .flags(OperationFlag.COMPLETION);
            List<Long> told = new ArrayList<>();
            BooleanSupplier polls = () -> queue.poll(completion -> told.add(completion.context()), 16) < 0;
            pair.untilWithoutProgress("there is room", () -> polls.getAsBoolean()
                    || next.endpoint.messages().send(out, next.peer, 77));
            pair.untilWithoutProgress("there is room", () -> polls.getAsBoolean() || asked.post(78));
            pair.untilWithoutProgress("its own are told", () -> polls.getAsBoolean() || told.contains(78L));
            assertThat(told).containsExactly(78L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8 * SIZE - 1, 8 * SIZE, 8 * SIZE + 1, 10 * SIZE})
    void noMoreEndpointsThanAQueueHasRoomFor(int size) {
        assumeTrue(OVERFLOWS, "the provider looks for itself");
        try (Pair pair = pair()) {
            CompletionQueue queue = pair.domain.openCompletionQueue(
                    CompletionQueueAttributes.of(CompletionFormat.MSG).withSize(size));
            int most = Math.max(4, size / (2 * SIZE));
            List<Side> sides = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                sides.add(another(pair, queue, queue));
            }
            assertThatThrownBy(() -> another(pair, queue, queue)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("fi_ep_bind").hasMessageContaining("larger size");
            // with reports that nobody has read, and without
            int unread = sends(sides.getFirst());
            receives(sides.getFirst(), 0);
            sides.getFirst().endpoint.close();
            assertThat(unread).isPositive();
            assertThatThrownBy(() -> another(pair, queue, queue)).isInstanceOf(IllegalStateException.class);
            assertThat(queue.poll(completion -> { }, 2 * SIZE)).isEqualTo(unread);
            assertThat(queue.poll(completion -> { }, 1)).isZero();
            Side again = another(pair, queue, queue);
            again.endpoint.close();
            another(pair, queue, queue);
        }
    }
}
