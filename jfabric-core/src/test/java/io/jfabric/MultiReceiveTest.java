// SPDX-License-Identifier: Apache-2.0
package io.jfabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jfabric.bindings.fi_ops_ep;
import io.jfabric.bindings.fid_ep;
import io.jfabric.info.Address;
import io.jfabric.info.Capability;
import io.jfabric.info.EndpointAttributes;
import io.jfabric.info.EndpointType;
import io.jfabric.info.FabricInfo;
import io.jfabric.info.Flags;
import io.jfabric.info.Hints;
import io.jfabric.info.OperationFlag;
import io.jfabric.info.Version;
import io.jfabric.internal.context.Contexts;
import io.jfabric.internal.endpoint.EndpointImpl;
import io.jfabric.internal.ffi.Errno;
import io.jfabric.internal.info.Known;
import io.jfabric.internal.life.FidObject;
import io.jfabric.internal.quirk.Quirk;
import io.jfabric.internal.quirk.Quirks;
import io.jfabric.option.BindFlag;
import io.jfabric.option.CompletionFormat;
import io.jfabric.option.CompletionQueueAttributes;
import io.jfabric.option.Direction;
import io.jfabric.option.EndpointOption;
import io.jfabric.testing.FailingCalls;
import io.jfabric.testkit.Bytes;
import io.jfabric.testkit.Connected;
import io.jfabric.testkit.Done;
import io.jfabric.testkit.Pair;
import io.jfabric.testkit.Providers;
import io.jfabric.testkit.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Until when a buffer for several messages belongs to the provider. */
@Timeout(60)
class MultiReceiveTest {
    private static final long CONTEXT = 77;
    private static final int SMALL = 1000;
    /** Used up by a message of half of it, by the provider's minimum. */
    private static final int REST = 20_000;
    /** More than a connection takes while nobody reads. */
    private static final int LARGE = 20_000_000;

    /** Those that give the rest of a buffer to the next message while one is still arriving. */
    static Stream<Providers.Choice> atOnce() {
        return Providers.offered(new Providers.Choice("net", EndpointType.RDM), Providers.TCP_RDM);
    }

    static Stream<Providers.Choice> early() {
        return Stream.concat(atOnce(), Providers.offered(Providers.RXM).filter(rxm -> !Quirks.of(rxm.provider())
                .has(Quirk.MULTI_RECEIVE_OVERRUNS_IN_RXM)));
    }

    private static boolean endsEarly(Providers.Choice choice) {
        return Quirks.of(choice.provider()).hasAny(Quirk.MULTI_RECEIVE_ENDS_EARLY,
                Quirk.MULTI_RECEIVE_ENDS_EARLY_IN_RXM);
    }

    private static Pair open(Providers.Choice choice) {
        return open(choice, CompletionFormat.TAGGED);
    }

    private static Pair open(Providers.Choice choice, CompletionFormat format) {
        return Pair.open(choice, hints -> hints.capabilities(Capability.MSG, Capability.MULTI_RECV),
                CompletionQueueAttributes.of(format), endpoint -> { }).connect();
    }

    /** Sends to the other pair's b; of a domain of its own, which that one does not drive. */
    private static void send(Pair from, Pair to, MemorySegment message) {
        long peer = from.a.addresses.insert(to.b.endpoint.address().bytes());
        to.until("the provider stays busy", () -> {
            from.progress();
            return from.a.endpoint.messages().send(message, peer, 1);
        });
    }

    private static Contexts contexts(Side side) {
        return ((EndpointImpl) side.endpoint).state().contexts();
    }

    /** What takes it for a receive of one message would keep the buffer for messages that never come there. */
    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#connectionless")
    void endpointsThatCannotRefuseIt(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice)) {
            Messages messages = pair.b.endpoint.messages();
            MemorySegment buffer = Arena.ofAuto().allocate(REST);
            MessageRequest request = messages.receiveRequest().buffers(buffer).flags(OperationFlag.MULTI_RECV);
            if (!pair.info.capabilities().contains(Capability.MULTI_RECV)) {
                assertThat(choice).isNotIn(Providers.SHM, Providers.RXM, Providers.SOCKETS, Providers.RXD);
                refused(() -> messages.receiveMulti(buffer, Address.ANY, CONTEXT));
                refused(() -> request.post(CONTEXT));
                refused(() -> pair.b.endpoint.setOperationFlags(Direction.RECEIVE, Flags.of(OperationFlag.MULTI_RECV)));
                assertThat(pair.domain.statistics().operations().underWay()).isZero();
            } else {
                assertThat(choice).isNotEqualTo(Providers.UDP);
            }
        }
    }

    /** tcp reports the first message alone there. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("atOnce")
    void everyMessageIsReportedOverASelectiveQueue(Providers.Choice choice) {
        try (Pair pair = open(choice);
             CompletionQueue queue = pair.domain.openCompletionQueue(CompletionFormat.TAGGED);
             Endpoint endpoint = pair.domain.openEndpoint(pair.info).bind(pair.b.addresses)
                     .bind(queue, BindFlag.TRANSMIT).bind(queue, BindFlag.RECV, BindFlag.SELECTIVE_COMPLETION)
                     .enable()) {
            MemorySegment buffer = Arena.ofAuto().allocate(REST);
            MessageRequest request = endpoint.messages().receiveRequest().buffers(buffer)
                    .flags(OperationFlag.MULTI_RECV, OperationFlag.COMPLETION);
            if (Quirks.of(choice.provider()).has(Quirk.MULTI_RECEIVES_FALL_SILENT)) {
                silent(() -> request.post(CONTEXT));
                silent(() -> endpoint.messages().receiveMulti(buffer, Address.ANY, CONTEXT));
                return;
            }
            assertThat(request.post(CONTEXT)).isTrue();
            endpoint.setOption(EndpointOption.MIN_MULTI_RECV, (long) SMALL);
            long peer = pair.a.addresses.insert(endpoint.address());
            Side side = new Side(endpoint, queue, pair.b.addresses);
            for (int i = 0; i < REST / SMALL; i++) {
                pair.post(() -> pair.a.endpoint.messages().send(buffer.asSlice(0, SMALL), peer, 1));
                pair.until("a message", () -> side.poll() > 0);
            }
            assertThat(side.done()).hasSize(REST / SMALL);
        }
    }

    @ParameterizedTest
    @MethodSource("io.jfabric.testkit.Providers#msg")
    void connectionsThatCannotRefuseIt(Providers.Choice choice) {
        try (Connected c = new Connected(choice, hints -> { })) {
            Side[] sides = c.connect(endpoint -> { });
            MemorySegment buffer = Arena.ofAuto().allocate(REST);
            if (!c.info().capabilities().contains(Capability.MULTI_RECV)) {
                assertThat(choice).isNotEqualTo(Providers.SOCKETS_MSG);
                refused(() -> sides[1].endpoint.messages().receiveMulti(buffer, Address.ANY, CONTEXT));
            } else {
                assertThat(choice).isNotEqualTo(Providers.TCP_MSG);
                refusesNothing(sides[1].endpoint.messages());
            }
        }
    }

    static Stream<Providers.Choice> sharing() {
        return Providers.offered(Providers.TCP_MSG, new Providers.Choice("net", EndpointType.MSG));
    }

    /** Since 1.18 tcp has it there, and nowhere else in connections. */
    @ParameterizedTest
    @MethodSource("sharing")
    void sharedContextsTakeSeveral(Providers.Choice choice) {
        try (Connected c = new Connected(choice, hints ->
                hints.endpoint().rxContextCount(EndpointAttributes.SHARED_CONTEXT))) {
            SharedReceiveContext shared = c.domain.openSharedReceiveContext(c.info());
            Side[] sides = c.connect(endpoint -> endpoint.bind(shared));
            MemorySegment buffer = Arena.ofAuto().allocate(REST);
            if (choice.equals(Providers.TCP_MSG) && !Known.since(new Version(1, 18))) {
                refused(() -> shared.messages().receiveMulti(buffer, Address.ANY, CONTEXT));
                return;
            }
            refusesNothing(shared.messages());
            refusesZero(shared::setOption);
            assertThat(shared.messages().receiveMulti(buffer, Address.ANY, CONTEXT)).isTrue();
            for (int i = 0; i < 3; i++) {
                MemorySegment message = Arena.ofAuto().allocate(8).fill((byte) (i + 1));
                assertThat(sides[0].endpoint.messages().send(message, Address.ANY, i)).isTrue();
                Done done = c.await(() -> sides[1].take(d -> d.context() == CONTEXT));
                assertThat(done.error()).isNull();
                assertThat(done.buffer()).isEqualTo(buffer.address() + 8L * i);
                assertThat(buffer.get(ValueLayout.JAVA_BYTE, 8L * i)).isEqualTo((byte) (i + 1));
            }
        }
    }

    static Stream<Providers.Choice> several() {
        return Providers.connectionless().filter(choice -> choice.isOffered(MultiReceiveTest::multi));
    }

    static void multi(Hints hints) {
        hints.capabilities(Capability.MSG, Capability.TAGGED, Capability.MULTI_RECV);
    }

    /** tcp takes a message for it that never ends, and none behind that. */
    @ParameterizedTest
    @MethodSource("several")
    void aBufferOfNothingIsRefused(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, MultiReceiveTest::multi)) {
            refusesNothing(pair.b.endpoint.messages());
            refusesZero(pair.domain.openEndpoint(pair.info)::setOption);
            assertThat(pair.domain.statistics().operations().underWay()).isZero();
        }
    }

    /** Until it is full, and no longer. */
    @ParameterizedTest
    @MethodSource("several")
    void aBufferThatIsFullIsGivenBack(Providers.Choice choice) {
        try (Pair pair = Pair.open(choice, MultiReceiveTest::multi, CompletionQueueAttributes.of(
                CompletionFormat.TAGGED), endpoint -> endpoint.setOption(EndpointOption.MIN_MULTI_RECV, 1L))) {
            MemorySegment buffer = Arena.ofAuto().allocate(2 * SMALL);
            MemorySegment next = Arena.ofAuto().allocate(SMALL);
            pair.post(() -> pair.b.endpoint.messages().receiveMulti(buffer, Address.ANY, CONTEXT));
            pair.post(() -> pair.b.endpoint.messages().receive(next, Address.ANY, 2));
            for (int i = 0; i < 3; i++) {
                MemorySegment message = Bytes.pattern(Arena.ofAuto(), SMALL, i);
                pair.post(() -> pair.a.endpoint.messages().send(message, pair.a.peer, 1));
                pair.await(pair.a, 1);
            }
            pair.await(pair.b, 2);
            assertThat(next.mismatch(Bytes.pattern(Arena.ofAuto(), SMALL, 2))).isEqualTo(-1);
            assertThat(contexts(pair.b).receives().find(CONTEXT)).as("given back").isZero();
        }
    }

    /** Receives are posted there before anything is enabled. */
    @ParameterizedTest
    @MethodSource("sharing")
    void sharedContextsHaveItAsADefaultOrThatIsRefused(Providers.Choice choice) {
        try (Connected c = new Connected(choice, hints ->
                hints.endpoint().rxContextCount(EndpointAttributes.SHARED_CONTEXT));
             FabricInfo several = c.info().duplicate()) {
            several.rx().operationFlags(OperationFlag.MULTI_RECV);
            if (choice.equals(Providers.TCP_MSG) && !Known.since(new Version(1, 18))) {
                long before = Fabric.openObjects().size();
                refused(() -> c.domain.openSharedReceiveContext(several));
                assertThat(Fabric.openObjects()).hasSize((int) before);
            } else {
                assertThat(c.domain.openSharedReceiveContext(several).isOpen()).isTrue();
            }
        }
    }

    private static void refusesNothing(MessageReceives receives) {
        MemorySegment buffer = Arena.ofAuto().allocate(8);
        atLeastOne(() -> receives.receiveMulti(buffer.asSlice(0, 0), Address.ANY, CONTEXT));
        MessageRequest request = receives.receiveRequest().buffer(buffer, 8, 0).flags(OperationFlag.MULTI_RECV);
        atLeastOne(() -> request.post(CONTEXT));
    }

    static void atLeastOne(ThrowableAssert.ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining("at least 1 byte");
    }

    /** By whatever name. */
    private static void refusesZero(BiConsumer<EndpointOption<Long>, Long> setOption) {
        for (EndpointOption<Long> option : List.of(EndpointOption.MIN_MULTI_RECV,
                EndpointOption.ofLong("own", EndpointOption.MIN_MULTI_RECV.code()))) {
            assertThatIllegalArgumentException().isThrownBy(() -> setOption.accept(option, 0L))
                    .withMessageContaining("never give a buffer back");
        }
    }

    static void silent(ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP))
                .hasMessageContaining("SELECTIVE_COMPLETION");
    }

    private static void refused(ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(FabricException.class,
                e -> assertThat(e.error()).isEqualTo(FabricError.EOPNOTSUPP))
                .hasMessageContaining("Capability.MULTI_RECV");
    }

    @ParameterizedTest
    @MethodSource("atOnce")
    void aMessageThatBreaksOffLeavesTheRestOfTheBufferWithTheProvider(Providers.Choice choice) {
        try (Pair pair = open(choice); Pair dies = open(choice); Pair lives = open(choice)) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment buffer = arena.allocate(LARGE + 64 * SMALL);
            pair.post(() -> pair.b.endpoint.messages().receiveMulti(buffer, Address.ANY, CONTEXT));
            send(dies, pair, Arena.ofAuto().allocate(LARGE).fill((byte) 7));
            pair.until("it arrives", () -> buffer.get(ValueLayout.JAVA_BYTE, 0) == 7);
            // had it been cancelled, what breaks off would be its end
            refusesToCancel(pair.b.endpoint);
            dies.a.endpoint.close();
            pair.until("it breaks off", () -> !pair.b.done().isEmpty());
            Done failed = pair.b.take(d -> d.context() == CONTEXT);
            assertThat(failed.error()).isNotNull();
            assertThat(contexts(pair.b).receives().find(CONTEXT)).as("still known").isNotZero();
            assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);

            MemorySegment small = Bytes.pattern(Arena.ofAuto(), SMALL, 3);
            send(lives, pair, small);
            pair.until("the next arrives", () -> lives.a.poll() >= 0 && !pair.b.done().isEmpty());
            Done done = pair.b.take(d -> true);
            assertThat(done.error()).isNull();
            assertThat(done.context()).isEqualTo(CONTEXT);
            assertThat(buffer.asSlice(done.buffer() - buffer.address(), SMALL).mismatch(small)).isEqualTo(-1);

            assertThat(pair.b.endpoint.cancel(CONTEXT)).isTrue();
            pair.awaitError(pair.b, CONTEXT);
            assertThat(pair.b.endpoint.cancel(CONTEXT)).as("again").isFalse();
            if (endsEarly(choice)) {
                assertThatThrownBy(arena::close).as("a message might still arrive").isInstanceOf(
                        IllegalStateException.class);
                pair.b.endpoint.close();
            }
            arena.close();
        }
    }

    private static void refusesToCancel(Endpoint endpoint) {
        FailingCalls cancelling = new FailingCalls(Errno.EBUSY);
        cancelling.function(((FidObject) endpoint).fid(), fid_ep.ops$offset(), fi_ops_ep.cancel$offset(),
                ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
        cancelling.next(1);
        assertThatThrownBy(() -> endpoint.cancel(CONTEXT)).isInstanceOf(FabricException.class)
                .hasMessageContaining("FI_EBUSY");
    }

    @ParameterizedTest
    @MethodSource("early")
    void whereNobodySaysWhereAMessageIsTheBufferStaysUntilTheEndpointIsClosed(Providers.Choice choice) {
        try (Pair pair = open(choice, CompletionFormat.CONTEXT)) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment buffer = arena.allocate(REST);
            pair.post(() -> pair.b.endpoint.messages().receiveMulti(buffer, Address.ANY, CONTEXT));
            pair.post(() -> pair.a.endpoint.messages().send(Arena.ofAuto().allocate(REST / 2), pair.a.peer, 1));
            pair.await(pair.b, CONTEXT);
            assertThat(contexts(pair.b).receives().find(CONTEXT)).as("used up").isZero();
            if (endsEarly(choice)) {
                assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
                pair.b.endpoint.close();
            }
            arena.close();
        }
    }

    @ParameterizedTest
    @MethodSource("early")
    void theBufferStaysUntilAllMessagesAreThere(Providers.Choice choice) {
        try (Pair pair = open(choice); Pair slow = open(choice); Pair fast = open(choice)) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment buffer = arena.allocate(LARGE + REST);
            pair.post(() -> pair.b.endpoint.messages().receiveMulti(buffer, Address.ANY, CONTEXT));
            MemorySegment large = Bytes.pattern(Arena.ofAuto(), LARGE, 5);
            send(slow, pair, large);
            // what is read from its sender is not to be seen before that makes progress
            long end = System.nanoTime() + 300_000_000;
            pair.until("it arrives", () -> buffer.get(ValueLayout.JAVA_BYTE, 0) != 0 || System.nanoTime() > end);
            MemorySegment small = Bytes.pattern(Arena.ofAuto(), REST / 2, 3);
            send(fast, pair, small);
            pair.until("the other arrives", () -> fast.a.poll() >= 0 && !pair.b.done().isEmpty());
            Done first = pair.b.take(d -> true);
            assertThat(first.error()).isNull();
            assertThat(first.context()).isEqualTo(CONTEXT);
            assumeTrue(first.length() != REST / 2 || first.buffer() != buffer.address(), "the large one was too slow");
            assertThat(first.buffer()).as("behind the other").isEqualTo(buffer.address() + LARGE);
            assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);

            pair.until("the first arrives", () -> slow.a.poll() >= 0 && !pair.b.done().isEmpty());
            Done second = pair.b.take(d -> true);
            assertThat(second.error()).isNull();
            assertThat(second.context()).isEqualTo(CONTEXT);
            assertThat(second.buffer()).isEqualTo(buffer.address());
            assertThat(buffer.asSlice(0, LARGE).mismatch(large)).isEqualTo(-1);
            assertThat(contexts(pair.b).receives().find(CONTEXT)).isZero();
            arena.close();
        }
    }

    /** Messages lie behind the start of the part, not of the memory that it is of. */
    @ParameterizedTest
    @MethodSource("early")
    void aPartOfABufferEndsAsAWholeOneDoes(Providers.Choice choice) {
        try (Pair pair = open(choice)) {
            FabricArena arena = pair.domain.openArena();
            MemorySegment buffer = arena.allocate(3 * REST);
            MessageRequest request = pair.b.endpoint.messages().receiveRequest().buffer(buffer, REST, REST)
                    .flags(OperationFlag.MULTI_RECV);
            pair.post(() -> request.post(CONTEXT));
            MemorySegment message = Bytes.pattern(Arena.ofAuto(), REST / 2, 3);
            pair.post(() -> pair.a.endpoint.messages().send(message, pair.a.peer, 1));
            Done done = pair.await(pair.b, CONTEXT);
            assertThat(done.buffer()).isEqualTo(buffer.address() + REST);
            assertThat(buffer.asSlice(REST, REST / 2).mismatch(message)).isEqualTo(-1);
            assertThat(contexts(pair.b).receives().find(CONTEXT)).as("used up").isZero();
            arena.close();
        }
    }

    /** The context of a receive that was cancelled is another's next. */
    @ParameterizedTest
    @MethodSource("atOnce")
    void whatWasCancelledBeforeIsNothingToTheNext(Providers.Choice choice) {
        try (Pair pair = open(choice); Pair dies = open(choice)) {
            pair.post(() -> pair.b.endpoint.messages().receive(Arena.ofAuto().allocate(SMALL), Address.ANY, 5));
            assertThat(pair.b.endpoint.cancel(5)).isTrue();
            pair.awaitError(pair.b, 5);
            MemorySegment buffer = Arena.ofAuto().allocate(LARGE + 64 * SMALL);
            pair.post(() -> pair.b.endpoint.messages().receiveMulti(buffer, Address.ANY, CONTEXT));
            send(dies, pair, Arena.ofAuto().allocate(LARGE).fill((byte) 7));
            pair.until("it arrives", () -> buffer.get(ValueLayout.JAVA_BYTE, 0) == 7);
            dies.a.endpoint.close();
            pair.until("it breaks off", () -> !pair.b.done().isEmpty());
            assertThat(pair.b.take(d -> d.context() == CONTEXT).error()).isNotNull();
            assertThat(contexts(pair.b).receives().find(CONTEXT)).as("still known").isNotZero();
        }
    }

    /** rxm ends with it, and does not say so. */
    @Test
    void aMessageThatIsTooLongForTheRestEndsIt() {
        Providers.Choice rxm = Providers.RXM;
        assumeTrue(Quirks.of(rxm.provider()).has(Quirk.MULTI_RECEIVE_ENDS_EARLY_IN_RXM), "not with this release");
        try (Pair pair = open(rxm)) {
            MemorySegment buffer = Arena.ofAuto().allocate(REST);
            pair.post(() -> pair.b.endpoint.messages().receiveMulti(buffer, Address.ANY, CONTEXT));
            pair.post(() -> pair.a.endpoint.messages().send(Arena.ofAuto().allocate(REST + 1), pair.a.peer, 1));
            pair.until("it fails", () -> !pair.b.done().isEmpty());
            Done failed = pair.b.take(d -> d.context() == CONTEXT);
            assertThat(failed.error().error()).isEqualTo(FabricError.ETRUNC);
            assertThat(failed.error().flags().contains(CompletionFlag.MULTI_RECV)).isTrue();
            assertThat(contexts(pair.b).receives().find(CONTEXT)).as("used up").isZero();
        }
    }
}
