// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.OperationFlag;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.EndpointOption;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation of {@link Messages}, on every provider. */
class MessagesTest {
    private static final long DATA = 0x0123_4567L;

    private final Arena arena = Arena.ofAuto();

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void sendsPartsOfBuffers(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            MemorySegment out = Bytes.pattern(arena, 300, 1);
            MemorySegment in = arena.allocate(300);
            pair.post(() -> pair.b.endpoint.messages().receive(in, 40, 200, Address.ANY, -2));
            pair.post(() -> pair.a.endpoint.messages().send(out, 100, 150, pair.a.peer, Long.MIN_VALUE));
            pair.await(pair.a, Long.MIN_VALUE);
            Done done = pair.await(pair.b, -2);
            assertThat(done.length()).isEqualTo(150);
            assertThat(done.is(CompletionFlag.RECV)).isTrue();
            assertThat(in.asSlice(40, 150).mismatch(out.asSlice(100, 150))).isEqualTo(-1);
            assertThat(in.get(ValueLayout.JAVA_BYTE, 39)).isZero();
            assertThat(in.get(ValueLayout.JAVA_BYTE, 190)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void gathersAndScatters(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            assumeTrue(pair.info.tx().iovLimit() > 1, "the provider takes one buffer only");
            MemorySegment out = Bytes.pattern(arena, 256, 2);
            MemorySegment in = arena.allocate(256);
            MessageRequest from = pair.a.endpoint.messages().sendRequest().peer(pair.a.peer)
                    .buffers(out.asSlice(0, 100), out.asSlice(100, 156));
            MessageRequest to = pair.b.endpoint.messages().receiveRequest()
                    .buffers(in.asSlice(0, 13), in.asSlice(13));
            pair.post(() -> to.post(2));
            pair.post(() -> from.post(1));
            pair.await(pair.a, 1);
            assertThat(pair.await(pair.b, 2).length()).isEqualTo(256);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void injectsWithoutCompletion(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            int size = (int) Math.min(64, pair.info.tx().injectSize());
            assertThat(size).isPositive();
            MemorySegment out = Bytes.pattern(arena, size + 8, 3);
            MemorySegment expected = arena.allocate(size).copyFrom(out.asSlice(8));
            MemorySegment in = arena.allocate(size);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 2));
            pair.post(() -> pair.a.endpoint.messages().inject(out, 8, size, pair.a.peer));
            out.fill((byte) 9);
            assertThat(pair.await(pair.b, 2).length()).isEqualTo(size);
            assertThat(in.mismatch(expected)).isEqualTo(-1);

            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 3));
            pair.post(() -> pair.a.endpoint.messages().inject(out.asSlice(0, size), pair.a.peer));
            pair.await(pair.b, 3);
            assertThat(in.mismatch(out.asSlice(0, size))).isEqualTo(-1);
            assertThat(pair.a.done()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void carriesImmediateData(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            MemorySegment out = Bytes.pattern(arena, 16, 4);
            MemorySegment in = arena.allocate(16);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 2));
            pair.post(() -> pair.a.endpoint.messages().sendData(out, DATA, pair.a.peer, 1));
            pair.await(pair.a, 1);
            assertData(pair.await(pair.b, 2), DATA, in, out);

            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 3));
            pair.post(() -> pair.a.endpoint.messages().injectData(out, DATA + 1, pair.a.peer));
            assertData(pair.await(pair.b, 3), DATA + 1, in, out);

            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 4));
            pair.post(() -> pair.a.endpoint.messages().sendRequest().buffers(out).data(DATA + 2)
                    .peer(pair.a.peer).flags(OperationFlag.COMPLETION).post(5));
            pair.await(pair.a, 5);
            assertData(pair.await(pair.b, 4), DATA + 2, in, out);
            assertThat(pair.a.done()).isEmpty();
        }
    }

    /** Clears the buffer for the next message. */
    private static void assertData(Done done, long data, MemorySegment in, MemorySegment out) {
        assertThat(done.is(CompletionFlag.REMOTE_CQ_DATA)).isTrue();
        assertThat(done.data()).isEqualTo(data);
        assertThat(done.length()).isEqualTo(16);
        assertThat(in.mismatch(out)).isEqualTo(-1);
        in.fill((byte) 0);
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void takesFlagsOfAnOperation(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            MemorySegment out = Bytes.pattern(arena, 24, 5);
            MemorySegment in = arena.allocate(24);
            MessageRequest receive = pair.b.endpoint.messages().receiveRequest().buffers(in)
                    .flags(OperationFlag.COMPLETION);
            MessageRequest send = pair.a.endpoint.messages().sendRequest().buffers(out).peer(pair.a.peer)
                    .flags(OperationFlag.COMPLETION, OperationFlag.DELIVERY_COMPLETE);
            pair.post(() -> receive.post(2));
            pair.post(() -> send.post(1));
            pair.await(pair.b, 2);
            pair.await(pair.a, 1);
            assertThat(in.mismatch(out)).isEqualTo(-1);
            in.fill((byte) 0);
            send.data(DATA).flags(OperationFlag.COMPLETION);
            pair.post(() -> receive.post(4));
            pair.post(() -> send.post(3));
            assertThat(pair.await(pair.b, 4).data()).isEqualTo(DATA);
            pair.await(pair.a, 3);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void sendsEmptyAndLargeMessages(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            pair.post(() -> pair.b.endpoint.messages().receive(arena.allocate(8), Address.ANY, 2));
            pair.post(() -> pair.a.endpoint.messages().send(MemorySegment.NULL, pair.a.peer, 1));
            pair.await(pair.a, 1);
            assertThat(pair.await(pair.b, 2).length()).isZero();

            MemorySegment out = Bytes.pattern(arena, 1 << 20, 6);
            MemorySegment in = arena.allocate(1 << 20);
            pair.post(() -> pair.b.endpoint.messages().receive(in, Address.ANY, 4));
            pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 3));
            pair.await(pair.a, 3);
            assertThat(pair.await(pair.b, 4).length()).isEqualTo(1 << 20);
            assertThat(in.mismatch(out)).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void receivesSeveralMessagesInOneBuffer(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.MULTI_RECV),
                CompletionQueueAttributes.of(CompletionFormat.TAGGED), endpoint -> {
                    if (!choice.provider().equals("tcp")) {
                        // they want to know the size of the largest message
                        endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 1024L);
                    }
                })) {
            // Providers release the buffer when what is left is less than FI_OPT_MIN_MULTI_RECV.
            int messages = 40;
            MemorySegment buffer = arena.allocate(messages * 1024L, 64);
            pair.post(() -> pair.b.endpoint.messages().receiveMulti(buffer, Address.ANY, 77));
            int sent = 0;
            boolean over = false;
            while (!over && sent < messages) {
                MemorySegment out = Bytes.pattern(arena, 1024, sent++);
                pair.post(() -> pair.a.endpoint.messages().send(out, pair.a.peer, 1));
                pair.await(pair.a, 1);
                Done done = pair.awaitAny(pair.b, d -> d.context() == 77 && d.length() > 0);
                assertThat(done.error()).isNull();
                assertThat(done.length()).isEqualTo(1024);
                MemorySegment at = buffer.asSlice(done.buffer() - buffer.address(), 1024);
                assertThat(at.mismatch(out)).as("message %s", sent).isEqualTo(-1);
                pair.progress();
                // shm releases the buffer with a completion of its own
                over = done.is(CompletionFlag.MULTI_RECV)
                        || pair.b.take(d -> d.context() == 77 && d.is(CompletionFlag.MULTI_RECV)) != null;
            }
            assertThat(sent).isGreaterThan(10);
            // sockets and rxd of 1.17 keep a full buffer until the next message, as their minimum is 0
            assertThat(over || choice.equals(Providers.RXD) || choice.equals(Providers.SOCKETS)).isTrue();
            Contexts contexts = ((EndpointImpl) pair.b.endpoint).state().contexts();
            assertThat(contexts.receives().find(77) != 0).as("still known").isEqualTo(!over);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void cancelsAReceive(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Endpoint endpoint = pair.b.endpoint;
            assertThat(endpoint.cancel(5)).as("nothing was posted").isFalse();
            pair.post(() -> endpoint.messages().receive(arena.allocate(8), Address.ANY, 5));
            assertThat(endpoint.cancel(6)).as("another context").isFalse();
            assertThat(endpoint.cancel(5)).isTrue();
            Done done = pair.awaitError(pair.b, 5);
            assertThat(done.error().error()).isEqualTo(FabricError.ECANCELED);
            assertThat(endpoint.cancel(5)).as("again").isFalse();
        }
    }

    /** The queues that shm since 1.19 and rxm of libfabric 2 share crash when such a receive is cancelled. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void cancelsAReceiveFromOnePeer(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.DIRECTED_RECV))) {
            Endpoint endpoint = pair.b.endpoint;
            MemorySegment in = arena.allocate(8);
            pair.post(() -> endpoint.messages().receive(in, pair.b.peer, 5));
            pair.post(() -> endpoint.messages().receiveRequest().buffers(in).peer(pair.b.peer)
                    .flags(OperationFlag.COMPLETION).post(6));
            pair.post(() -> endpoint.tagged().receive(in, pair.b.peer, 1, 0, 7));
            assertThat(endpoint.cancel(7)).isTrue();
            assertThat(pair.awaitError(pair.b, 7).error().error()).isEqualTo(FabricError.ECANCELED);
            boolean refused = Quirks.of(choice.provider())
                    .hasAny(Quirk.DIRECTED_CANCEL, Quirk.DIRECTED_CANCEL_IN_RXM);
            for (long context = 5; context <= 6; context++) {
                long receive = context;
                if (refused) {
                    assertThatThrownBy(() -> endpoint.cancel(receive)).isInstanceOf(FabricException.class)
                            .hasMessageContaining("ENOSYS").hasMessageContaining(choice.provider())
                            .hasMessageContaining(Fabric.version().toString());
                    pair.post(() -> pair.a.endpoint.messages().send(arena.allocateFrom("abc"), pair.a.peer, 1));
                    pair.await(pair.b, receive);
                } else {
                    assertThat(endpoint.cancel(receive)).isTrue();
                    assertThat(pair.awaitError(pair.b, receive).error().error()).isEqualTo(FabricError.ECANCELED);
                }
                assertThat(endpoint.cancel(receive)).as("it is over").isFalse();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void namesTheSender(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.SOURCE,
                Capability.DIRECTED_RECV))) {
            MemorySegment in = arena.allocate(8);
            pair.post(() -> pair.b.endpoint.messages().receive(in, pair.b.peer, 2));
            pair.post(() -> pair.a.endpoint.messages().send(arena.allocateFrom("abc"), pair.a.peer, 1));
            Done done = pair.await(pair.b, 2);
            assertThat(done.source()).isEqualTo(pair.b.peer);
            assertThat(in.getString(0)).isEqualTo("abc");
        }
    }

    /** tcp of libfabric 2 crashes for such a tagged receive. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#rdm")
    void refusesAReceiveFromAStranger(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.TAGGED,
                Capability.DIRECTED_RECV))) {
            Endpoint endpoint = pair.b.endpoint;
            MemorySegment in = arena.allocate(8);
            long stranger = pair.b.peer + 7;
            assertThatThrownBy(() -> endpoint.messages().receive(in, stranger, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("source " + stranger);
            assertThatThrownBy(() -> endpoint.tagged().receive(in, stranger, 1, 0, 1))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Address.ANY");
            assertThatThrownBy(() -> endpoint.tagged().peek(stranger, 1, 0, 1))
                    .isInstanceOf(IllegalArgumentException.class);
            pair.post(() -> endpoint.tagged().receive(in, pair.b.peer, 1, 0, 2));
            pair.post(() -> pair.a.endpoint.tagged().send(arena.allocateFrom("abc"), pair.a.peer, 1, 1));
            pair.await(pair.b, 2);
            pair.b.addresses.remove(pair.b.peer);
            assertThatThrownBy(() -> endpoint.tagged().receive(in, pair.b.peer, 1, 0, 3)).as("removed")
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
